(* The draw of a two-level row gives exactly that row. *)
From Coq Require Import NArith Nnat.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Sotto Require Import rows lemire tapes draw draw_law.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* m outputs, k of them in the set S of an input, weights high and low. *)
Section RowLaw.
Variables (R : realFieldType) (w m k high low : nat) (S : pred nat) (kind : members).
Hypothesis set_inside : forall y, S y -> (y < m)%N.
Hypothesis set_size : count S (iota 0 m) = k.
Hypothesis k_positive : (0 < k)%N.
Hypothesis low_positive : (0 < low)%N.
Hypothesis low_high : (low <= high)%N.
Let Z := (k * (high - low) + m * low)%N.
Hypothesis fits : (Z <= 2 ^ w)%N.

(* What the program holds is the set. *)
Definition holds : Prop := match kind with
  | Alone y => k = 1%N /\ S (N.to_nat y)
  | Listed rank => forall y, count (fun i => rank (N.of_nat i) == y) (iota 0 k) = S (N.to_nat y)
  | Marked inside => forall y, inside y = S (N.to_nat y)
  end.
Hypothesis the_set : holds.

Definition the_row : row_of :=
  Row (N.of_nat m) (N.of_nat k) (N.of_nat (k * (high - low))) (N.of_nat Z) kind.

Definition row_law (s : loop) (y : N) : R := match s with
  | Coin => (if (N.to_nat y < m)%N then if S (N.to_nat y) then high else low else 0%N)%:R / Z%:R
  | Any => (N.to_nat y < m)%N%:R / m%:R
  | Member => (S (N.to_nat y))%:R / k%:R
  end.

Let k_m : (k <= m)%N.
Proof. by rewrite -set_size -[m in (_ <= m)%N](size_iota 0) count_size. Qed.
Let m_positive : (0 < m)%N. Proof. exact: leq_trans k_positive k_m. Qed.
Let m_Z : (m <= Z)%N. Proof. by rewrite /Z; nia. Qed.
Let m_fits : (m <= 2 ^ w)%N. Proof. exact: leq_trans m_Z fits. Qed.
Let k_fits : (k <= 2 ^ w)%N. Proof. exact: leq_trans k_m m_fits. Qed.
Let Z_positive : (0 < Z)%N. Proof. exact: leq_trans m_positive m_Z. Qed.
Let k0 : (k%:R : R) != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Let m0 : (m%:R : R) != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.
Let Z0 : (Z%:R : R) != 0. Proof. by rewrite pnatr_eq0 -lt0n. Qed.

Let cancel (d x : R) : d != 0 -> d * (x / d) = x. Proof. by move=> d0; rewrite mulrC divfK. Qed.

Lemma row_law_positive s y : 0 <= row_law s y.
Proof. by rewrite /row_law; case: s; apply: divr_ge0; rewrite ler0n. Qed.

Lemma row_law_one s y : row_law s y <= 1.
Proof.
rewrite /row_law; case: s; rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
- case: ifP => _ //; case: ifP => _; rewrite /Z; nia.
- by apply: leq_trans (leq_b1 _) m_positive.
- by apply: leq_trans (leq_b1 _) k_positive.
Qed.

Lemma sum_ord_count n (p : pred nat) : \sum_(v < n) (p v)%:R = (count p (iota 0 n))%:R :> R.
Proof.
rewrite -natr_sum; congr _%:R.
rewrite -sum1_count -[n in iota 0 n]subn0 big_mkord [RHS]big_mkcond.
by apply: eq_bigr => v _; case: (p v).
Qed.

(* W r = (W mod n) r + (W div n) n r, the two parts of the words. *)
Let parts n (r : R) : (2 ^ w)%:R * r = (2 ^ w %/ n)%:R * (n%:R * r) + (2 ^ w %% n)%:R * r.
Proof. by rewrite {1}(divn_eq (2 ^ w) n) natrD natrM mulrDl mulrA. Qed.

Lemma reading_sum (n : nat) again (next : N -> N + loop) y : (0 < n)%N -> (n <= 2 ^ w)%N ->
  \sum_(v < n) match next (N.of_nat v) with inl b => (b == y)%:R | inr s' => row_law s' y end
    = n%:R * row_law again y ->
  (size (words w))%:R * row_law again y = \sum_(u <- words w)
    match reading (N.of_nat w) (N.of_nat n) u again next with
    inl b => (b == y)%:R | inr s' => row_law s' y end.
Proof.
move=> n0 nw mean; pose f o := if o is Some v
  then match next v with inl b => (b == y)%:R | inr s' => row_law s' y end else row_law again y.
rewrite (eq_bigr (fun u => f (below_word (N.of_nat w) (N.of_nat n) u))) => [|u _].
  by rewrite sum_below // /f mean size_words; apply: parts.
by rewrite /reading /f; case: below_word.
Qed.

Let coin_mean y : (k * (high - low))%:R * row_law Member y
    + (Z - k * (high - low))%:R * row_law Any y = Z%:R * row_law Coin y.
Proof.
rewrite /row_law (cancel _ Z0) /Z addKn !natrM.
case: (ltnP (N.to_nat y) m) => ym; last first.
  have -> : S (N.to_nat y) = false by apply/negP => /set_inside; rewrite ltnNge ym.
  by rewrite !mul0r !mulr0 addr0.
case: (S _); last by rewrite /= mul0r mulr0 add0r; field.
by rewrite natrB //=; field; rewrite k0 m0.
Qed.

Let only_one a b : k = 1%N -> S a -> S b -> a = b.
Proof.
move=> k1 Sa Sb; apply/eqP; case: eqP => // /eqP ne.
suff: (2 <= k)%N by rewrite k1.
rewrite -set_size -size_filter; apply: (@uniq_leq_size _ [:: a; b]); first by rewrite /= inE ne.
by move=> z; rewrite !inE mem_filter mem_iota => /orP[] /eqP->; rewrite ?Sa ?Sb /= ?set_inside.
Qed.

Let set_sum y : \sum_(v < m) (if S v then (N.of_nat v == y)%:R else row_law Member y) =
  m%:R * row_law Member y.
Proof.
set c := row_law Member y.
rewrite (eq_bigr (fun v : 'I_m => c + (S v)%:R * (N.of_nat v == y)%:R - (S v)%:R * c)); last first.
  by move=> v _; case: (S v); rewrite ?mul1r ?mul0r ?addr0 ?subr0 // addrAC subrr add0r.
rewrite big_split /= big_split /= sumr_const card_ord sumrN -mulr_suml sum_ord_count set_size -mulr_natl.
suff -> : \sum_(v < m) (S v)%:R * (N.of_nat v == y)%:R = k%:R * c by ring.
rewrite /c /row_law cancel //; case Sy: (S (N.to_nat y)); last first.
  by rewrite big1 // => v _; case: eqP => [E|_]; rewrite ?mulr0 // -E Nat2N.id in Sy *; rewrite Sy mul0r.
rewrite (bigD1 (Ordinal (set_inside Sy))) //= N2Nat.id eqxx Sy mulr1 big1 ?addr0 // => v /eqP far.
by case: eqP => [E|_]; rewrite ?mulr0 //; case: far; apply: val_inj; rewrite /= -E Nat2N.id.
Qed.

Lemma row_mean s y : (size (words w))%:R * row_law s y = \sum_(u <- words w)
  match row_step (N.of_nat w) the_row s u with
  inl b => (b == y)%:R | inr s' => row_law s' y end.
Proof.
have lift_Z : (k * (high - low) <= Z)%N by rewrite leq_addr.
have mean := coin_mean y; rewrite -sum_ltn // in mean.
have any_mean : \sum_(v < m) (N.of_nat v == y)%:R = m%:R * row_law Any y.
  by rewrite sum_one /row_law cancel.
move: the_set; rewrite /the_row /holds; case: s; case: kind => [y0|rank|inside] known.
- apply: reading_sum => //; rewrite -mean; apply: eq_bigr => v _.
  have [k1 Sy0] := known; case: N.ltb => //; rewrite /= k1 divr1.
  case: eqP => [<-|ne]; first by rewrite Sy0.
  case Sy: (S (N.to_nat y)) => //; case: ne.
  by have := only_one k1 Sy0 Sy; lia.
- by apply: reading_sum => //; rewrite -mean; apply: eq_bigr => v _; case: N.ltb.
- by apply: reading_sum => //; rewrite -mean; apply: eq_bigr => v _; case: N.ltb.
- by apply: reading_sum.
- by apply: reading_sum.
- by apply: reading_sum.
- have [k1 Sy0] := known; rewrite /row_law /row_step /= k1 divr1 big_const_seq iter_addr_0 count_predT -[RHS]mulr_natl.
  congr (_ * _); case: eqP => [<-|ne]; first by rewrite Sy0.
  by case Sy: (S (N.to_nat y)) => //; case: ne; have := only_one k1 Sy0 Sy; lia.
- apply: reading_sum => //; rewrite (sum_ord_count k (fun v => rank (N.of_nat v) == y)) known.
  by rewrite /row_law cancel.
- apply: reading_sum => //; rewrite -set_sum; apply: eq_bigr => v _.
  by rewrite known Nat2N.id; case: (S v).
Qed.

(* At least one in two words ends a loop, and k/(2m) of them where members are tried. *)
Definition goes_on : R := if kind is Marked _ then 1 - k%:R / (2%:R * m%:R) else 2%:R^-1.

Let step := row_step (N.of_nat w) the_row.

Let refused_half n : (0 < n)%N -> (n <= 2 ^ w)%N ->
  (2 ^ w %% n)%:R <= 2%:R^-1 * (size (words w))%:R :> R.
Proof. by move=> n0 nw; rewrite size_words ler_pdivl_mull ?ltr0n // -natrM ler_nat below_half. Qed.

Let half_le : 2%:R^-1 <= goes_on.
Proof.
rewrite /goes_on; case: kind => // _; rewrite ler_subr_addr -ler_subr_addl.
rewrite (_ : 1 - _ = 2%:R^-1); last by field.
by rewrite ler_pdivr_mulr ?mulr_gt0 ?ltr0n // mulKf ?pnatr_eq0 // ler_nat.
Qed.

Let goes_on_one : goes_on <= 1.
Proof.
rewrite /goes_on; case: kind => [_|_|_]; rewrite ?invf_le1 ?ltr0n ?ler1n //.
by rewrite ler_subl_addr ler_addl divr_ge0 ?mulr_ge0 ?ler0n.
Qed.

Definition in_last (s : loop) := if s is Coin then false else true.

Let stays_next (p : pred loop) (o : N + loop) := if o is inr s' then p s' else false.

Let count_reading n again next (p : pred loop) : (0 < n)%N -> (n <= 2 ^ w)%N ->
  (count (fun u => stays_next p (reading (N.of_nat w) (N.of_nat n) u again next)) (words w))%:R =
  (2 ^ w %/ n)%:R * (\sum_(v < n) (stays_next p (next (N.of_nat v)))%:R) + (2 ^ w %% n)%:R * (p again)%:R :> R.
Proof.
move=> n0 nw; pose f o := stays_next p (if o is Some v then next v else inr again).
apply: etrans (count_below R f n0 nw).
by congr _%:R; apply: eq_count => u; rewrite /reading; case: below_word.
Qed.

Let leaves n again next (p : pred loop) : (0 < n)%N -> (n <= 2 ^ w)%N ->
  (forall v, stays_next p (next v) = false) ->
  (count (fun u => stays_next p (reading (N.of_nat w) (N.of_nat n) u again next)) (words w))%:R
  <= goes_on * (size (words w))%:R.
Proof.
move=> n0 nw out; rewrite count_reading // big1 ?mulr0 ?add0r => [|v _]; last by rewrite out.
apply: le_trans (ler_wpmul2r _ half_le); last exact: ler0n.
by apply: le_trans (refused_half n0 nw); rewrite -natrM ler_nat -[X in (_ <= X)%N]muln1 leq_mul2l leq_b1 orbT.
Qed.

Let tries (inside : N -> bool) again : kind = Marked inside ->
  (count (fun u => stays_next in_last (reading (N.of_nat w) (N.of_nat m) u again
     (fun v => if inside v then inl v else inr Member))) (words w))%:R <= goes_on * (size (words w))%:R.
Proof.
move=> marks; move: the_set; rewrite /holds marks => known; rewrite count_reading //.
rewrite (eq_bigr (fun v : 'I_m => 1 - (S v)%:R)) => [|v _]; last first.
  by rewrite known Nat2N.id; case: (S v); rewrite /= ?subrr ?subr0.
rewrite big_split /= sumr_const card_ord sumrN sum_ord_count set_size /goes_on marks size_words.
have W1 := ltn_pmod (2 ^ w) m_positive; have W2 := divn_eq (2 ^ w) m.
have q1 : (1 <= 2 ^ w %/ m)%N by rewrite divn_gt0.
apply: (@le_trans _ _ ((2 ^ w)%:R - (2 ^ w %/ m)%:R * k%:R)).
  rewrite {3}W2 natrD natrM mulrBr [X in _ <= X]addrAC ler_add2l.
  by rewrite -natrM ler_nat -[X in (_ <= X)%N]muln1 leq_mul2l leq_b1 orbT.
rewrite mulrBl mul1r ler_add2l ler_opp2 mulrAC ler_pdivr_mulr ?mulr_gt0 ?ltr0n //.
rewrite -!natrM ler_nat [(_ %/ m * k)%N]mulnC -mulnA leq_mul2l; apply/orP; right.
have : (m <= 2 ^ w %/ m * m)%N by rewrite leq_pmull.
by lia.
Qed.

(* Every output comes from a share of the tapes of n words that is its probability, but
   for the tapes that are too short, and these are few. *)
Theorem row_draw n y :
  chance R step (words w) n Coin y <= row_law Coin y
    <= chance R step (words w) n Coin y + n.+1%:R * goes_on ^+ n.-1.
Proof.
have /andP[-> up] := law (a_word w) row_law_positive row_law_one row_mean n Coin y.
apply: le_trans up _; rewrite ler_add2l.
have goes_on_positive : 0 <= goes_on by apply: le_trans half_le; rewrite invr_ge0 ler0n.
apply: (@terminates R loop _ N step (words w) in_last goes_on (a_word w)) => //.
- case=> // u s' _; rewrite /step /row_step /the_row /=.
  + by case: kind => [?|?|?]; rewrite /reading; case: below_word => [v|] // [<-].
  + case: kind => [?|?|inside] //; rewrite /reading; case: below_word => [v|] //; try by case=> <-.
    by case: ifP => // _ [<-].
- case=> // _; rewrite /stays /step /row_step /the_row /=.
  + by case: kind => [?|?|?]; apply: leaves.
  + case kindE: kind => [?|?|inside]; [|exact: leaves|exact: tries].
    by rewrite (eq_count (a2 := pred0)) ?count_pred0 ?mulr_ge0 ?ler0n.
- case=> // _; rewrite /stays /step /row_step /the_row /=.
  by case: kind => [?|?|?]; apply: leaves => // v; case: N.ltb.
Qed.

(* That probability is the one of the row of rows.v. *)
Theorem row_law_two_level (X : Type) (x : X) (y : 'I_m) :
  row_law Coin (N.of_nat y) = two_level (fun _ : X => [set z : 'I_m | S z]) k high%:R low%:R x y.
Proof.
rewrite /row_law /two_level /row /level /level_sum card_ord Nat2N.id inE ltn_ord.
rewrite (_ : Z%:R = k%:R * high%:R + (m - k)%:R * low%:R); last first.
  by rewrite /Z natrD !natrM !natrB //; ring.
by case: (S y).
Qed.
End RowLaw.
