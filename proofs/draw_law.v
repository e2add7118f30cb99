(* The law of the draws: all tapes of words give every output with the stated chance. *)
From Coq Require Import NArith Nnat.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Sotto Require Import rows lemire tapes draw.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Words.
Variables (R : realFieldType) (w : nat).
Let W := (2 ^ w)%N.

Lemma size_words : size (words w) = W.
Proof. by rewrite size_map size_iota. Qed.

Lemma a_word : (0 < size (words w))%N.
Proof. by rewrite size_words expn_gt0. Qed.

(* A sum over all words is one over the values, each floor(W/n) times, and the refused. *)
Lemma sum_below n (f : option N -> R) : (0 < n)%N -> (n <= W)%N ->
  \sum_(u <- words w) f (below_word (N.of_nat w) (N.of_nat n) u) =
  (W %/ n)%:R * (\sum_(v < n) f (Some (N.of_nat v))) + (W %% n)%:R * f None.
Proof.
move=> n0 nW; rewrite big_map.
rewrite (eq_bigr (fun u => f (omap N.of_nat (below W n u)))) => [|u _]; last by rewrite below_word_below.
pose g o := f (omap N.of_nat o).
have split_one s : all (fun u => u < W)%N s -> \sum_(u <- s) g (below W n u) =
    \sum_(v < n) (count (fun u => below W n u == Some (val v)) s)%:R * g (Some (val v))
    + (count (fun u => below W n u == None) s)%:R * g None.
  elim: s => [|u s IH] /=.
    by rewrite big_nil mul0r addr0 big1 // => v _; rewrite mul0r.
  case/andP=> uW /IH {IH} IH; rewrite big_cons {}IH natrD mulrDl.
  rewrite [in RHS](eq_bigr (fun v : 'I_n => (below W n u == Some (val v))%:R * g (Some (val v)) +
    (count (fun u => below W n u == Some (val v)) s)%:R * g (Some (val v)))) => [|v _]; last by rewrite natrD mulrDl.
  rewrite big_split /= [RHS]addrACA; congr (_ + _).
  case: (below W n u) (@below_range W n n0 u) => [v /(_ v uW erefl) vn|_] /=.
    rewrite mul0r addr0 (bigD1 (Ordinal vn)) //= eqxx mul1r big1 ?addr0 // => i /eqP far.
    by case: eqP => [[vi]|_]; rewrite ?mul0r //; case: far; apply: val_inj.
  by rewrite mul1r big1 ?add0r // => v _; rewrite mul0r.
rewrite [LHS]split_one; last by apply/allP => u; rewrite mem_iota; lia.
rewrite below_refused // mulr_sumr; congr (_ + _).
by apply: eq_bigr => v _; rewrite below_exact // ltn_ord.
Qed.
End Words.

(* The words on which a loop that reads Below goes on: those that are refused, and those
   of the values that it does not take. *)
Lemma count_below (R : realFieldType) w n (p : option N -> bool) : (0 < n)%N -> (n <= 2 ^ w)%N ->
  (count (fun u => p (below_word (N.of_nat w) (N.of_nat n) u)) (words w))%:R =
  (2 ^ w %/ n)%:R * (\sum_(v < n) (p (Some (N.of_nat v)))%:R) + (2 ^ w %% n)%:R * (p None)%:R :> R.
Proof.
move=> n0 nw; rewrite -(sum_below (fun o => (p o)%:R)) // -natr_sum.
by rewrite -sum1_count big_mkcond /=; congr _%:R; apply: eq_bigr => u _; case: (p _).
Qed.

(* Sums that tell one value. *)
Lemma sum_one (R : realFieldType) n (y : N) :
  \sum_(v < n) (N.of_nat v == y)%:R = (N.to_nat y < n)%N%:R :> R.
Proof.
case: ltnP => yn; last first.
  by rewrite big1 // => v _; case: eqP => // E; have := ltn_ord v; lia.
rewrite (bigD1 (Ordinal yn)) //= N2Nat.id eqxx big1 ?addr0 // => v /eqP far.
by case: eqP => // E; case: far; apply: val_inj; rewrite /= -E Nat2N.id.
Qed.

Lemma sum_ltn (R : realFieldType) n m (a b : R) : (m <= n)%N ->
  \sum_(v < n) (if N.ltb (N.of_nat v) (N.of_nat m) then a else b) = m%:R * a + (n - m)%:R * b.
Proof.
move=> mn; rewrite -(subnKC mn) big_split_ord /=.
rewrite (eq_bigr (fun=> a)) => [|v _]; last by rewrite (_ : N.ltb _ _ = true) //; have := ltn_ord v; lia.
rewrite [X in _ + X](eq_bigr (fun=> b)) => [|v _]; last by rewrite (_ : N.ltb _ _ = false) //; lia.
by rewrite !sumr_const !card_ord !mulr_natl addKn.
Qed.

Section Bernoulli.
Variables (R : realFieldType) (w p q : nat).
Hypothesis q_positive : (0 < q)%N.
Hypothesis q_fits : (q <= 2 ^ w)%N.
Hypothesis p_below : (p <= q)%N.

Definition bernoulli_law (_ : unit) (b : bool) : R :=
  if b then p%:R / q%:R else 1 - p%:R / q%:R.

(* Bernoulli(p, q) is true on p/q of all tapes, except for those that are too short: at most
   one of 2^n of n words. *)
Let step := bernoulli_step (N.of_nat w) (N.of_nat p) (N.of_nat q).

Theorem bernoulli_draw n b :
  chance R step (words w) n tt b <= bernoulli_law tt b <= chance R step (words w) n tt b + 2%:R^-1 ^+ n.
Proof.
have W0 := a_word w.
have q0 : (q%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
have mean s c : (size (words w))%:R * bernoulli_law s c = \sum_(u <- words w)
    match step s u with inl b => (b == c)%:R | inr s' => bernoulli_law s' c end.
  pose f (o : option N) := match (if o is Some v then inl (N.ltb v (N.of_nat p)) else inr tt) with
    inl b => (b == c)%:R | inr s' => bernoulli_law s' c end.
  rewrite -[RHS]/(\sum_(u <- words w) f (below_word (N.of_nat w) (N.of_nat q) u)) sum_below //.
  rewrite (eq_bigr (fun v : 'I_q => if N.ltb (N.of_nat v) (N.of_nat p) then (true == c)%:R else (false == c)%:R));
    last by move=> v _; rewrite /f; case: N.ltb.
  rewrite sum_ltn // /f {f} size_words {1}(divn_eq (2 ^ w) q) natrD natrM natrB // /bernoulli_law.
  by case: c => /=; rewrite ?eqxx /=; field.
have share : p%:R / q%:R <= 1 :> R by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
have positive s c : 0 <= bernoulli_law s c.
  by rewrite /bernoulli_law; case: c; rewrite ?subr_ge0 // divr_ge0 ?ler0n.
have one s c : bernoulli_law s c <= 1.
  by rewrite /bernoulli_law; case: c => //; rewrite ler_subl_addl ler_addr divr_ge0 ?ler0n.
have /andP[-> up] /= := law W0 positive one mean n tt b.
apply: le_trans up _; rewrite ler_add2l.
have half_one : 2%:R^-1 <= 1 :> R by rewrite invf_le1 ?ltr0n // ler1n.
have half_positive : 0 <= 2%:R^-1 :> R by rewrite invr_ge0 ler0n.
apply: (@last_undecided R unit _ N step (words w) predT) => // s _.
have -> : count (stays step predT s) (words w) =
    count (fun u => ~~ isSome (below_word (N.of_nat w) (N.of_nat q) u)) (words w).
  by apply: eq_count => u; rewrite /stays /step /bernoulli_step; case: below_word.
rewrite (count_below R (fun o => ~~ isSome o)) // big1 // mulr0 add0r mulr1 size_words.
by rewrite ler_pdivl_mull ?ltr0n // -natrM ler_nat below_half.
Qed.
End Bernoulli.
