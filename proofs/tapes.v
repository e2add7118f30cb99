(* Programs that read random words one at a time, and what all tapes of words give. *)
From mathcomp Require Import all_ssreflect all_algebra ring zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A program in state s reads a word and gives an output, or goes on in another state. *)
Section Run.
Variables (S A W : Type) (step : S -> W -> A + S).

(* The output, and what is left of the tape; None where the tape ends first. *)
Fixpoint run (s : S) (tape : seq W) : option (A * seq W) :=
  if tape is u :: rest then
    match step s u with inl a => Some (a, rest) | inr s' => run s' rest end
  else None.
End Run.

Section Law.
Variables (R : realFieldType) (S : Type) (A : eqType) (W : Type).
Variables (step : S -> W -> A + S) (words : seq W).
Hypothesis a_word : (0 < size words)%N.

(* All tapes of n words, each as likely. *)
Fixpoint tapes (n : nat) : seq (seq W) :=
  if n is n'.+1 then [seq u :: t | u <- words, t <- tapes n'] else [:: [::]].

Definition output_is a (o : option (A * seq W)) := if o is Some (b, _) then b == a else false.

(* The share of the tapes of n words that give a, and of those that are too short. *)
Definition chance n s a : R :=
  (count (fun t => output_is a (run step s t)) (tapes n))%:R / (size words ^ n)%:R.
Definition undecided n s : R :=
  (count (fun t => ~~ isSome (run step s t)) (tapes n))%:R / (size words ^ n)%:R.

Lemma size_tapes n : size (tapes n) = (size words ^ n)%N.
Proof. by elim: n => [|n IH] //=; rewrite size_allpairs IH expnS. Qed.

Let W0 : (size words)%:R != 0 :> R. Proof. by rewrite pnatr_eq0 -lt0n. Qed.

Lemma count_step (p : pred (option (A * seq W))) n s : (forall a rest rest', p (Some (a, rest)) = p (Some (a, rest'))) ->
  count (fun t => p (run step s t)) (tapes n.+1) =
  (\sum_(u <- words) match step s u with
     | inl a => if p (Some (a, [::])) then size words ^ n else 0
     | inr s' => count (fun t => p (run step s' t)) (tapes n) end)%N.
Proof.
move=> any_rest /=; move: (tapes n) (size words ^ n)%N (size_tapes n) => ts N <- {N}.
elim: words => [|u us IH] /=; first by rewrite big_nil.
rewrite count_cat big_cons IH //; congr (_ + _)%N; rewrite count_map.
case su: (step s u) => [a|s'] /=; last by apply: eq_count => t /=; rewrite su.
rewrite (eq_count (a2 := fun=> p (Some (a, [::])))) => [|t] /=; last by rewrite su; apply: any_rest.
by case: ifP => _; rewrite ?count_predT ?count_pred0.
Qed.

Lemma chance_step n s a : chance n.+1 s a = (\sum_(u <- words)
  match step s u with inl b => (b == a)%:R | inr s' => chance n s' a end) / (size words)%:R.
Proof.
rewrite /chance (count_step (p := output_is a)) // natr_sum expnS natrM invfM mulrA mulrAC; congr (_ / _).
rewrite mulr_suml; apply: eq_bigr => u _; case: (step s u) => [b|s'] //=.
by case: (b == a); rewrite ?mul0r // divff // natrX expf_neq0.
Qed.

Lemma undecided_step n s : undecided n.+1 s = (\sum_(u <- words)
  match step s u with inl _ => 0 | inr s' => undecided n s' end) / (size words)%:R.
Proof.
rewrite /undecided (count_step (p := fun o => ~~ isSome o)) // natr_sum expnS natrM invfM mulrA mulrAC; congr (_ / _).
by rewrite mulr_suml; apply: eq_bigr => u _; case: (step s u) => [b|s'] //=; rewrite mul0r.
Qed.

(* D s a is a law of the program if it is the mean over the next word. *)
Variable D : S -> A -> R.
Hypothesis D_positive : forall s a, 0 <= D s a.
Hypothesis D_one : forall s a, D s a <= 1.
Hypothesis D_mean : forall s a, (size words)%:R * D s a =
  \sum_(u <- words) match step s u with inl b => (b == a)%:R | inr s' => D s' a end.

Let D_step s a : D s a = (\sum_(u <- words)
  match step s u with inl b => (b == a)%:R | inr s' => D s' a end) / (size words)%:R.
Proof. by rewrite -D_mean mulrC mulKf. Qed.

Let inv0 : 0 <= (size words)%:R^-1 :> R. Proof. by rewrite invr_ge0 ler0n. Qed.

(* The tapes give an output with its probability, except for the tapes that are too short. *)
Theorem law n s a : chance n s a <= D s a <= chance n s a + undecided n s.
Proof.
elim: n s => [|n IH] s; first by rewrite /chance /undecided /= mul0r add0r divr1 D_positive D_one.
rewrite chance_step undecided_step (D_step s a) -mulrDl -big_split /=.
apply/andP; split; apply: ler_wpmul2r => //; apply: ler_sum => u _;
  case: (step s u) => [b|s'] //; rewrite ?addr0 //; by case/andP: (IH s').
Qed.
End Law.

(* Termination. A program is in one loop, or in a loop before another, and leaves a loop
   at each word except for a share rho of the words. *)
Section Termination.
Variables (R : realFieldType) (S : Type) (A : eqType) (W : Type).
Variables (step : S -> W -> A + S) (words : seq W) (last_loop : pred S) (rho : R).
Hypothesis a_word : (0 < size words)%N.
Hypothesis rho_positive : 0 <= rho.
Hypothesis rho_one : rho <= 1.

Definition stays (p : pred S) s u := if step s u is inr s' then p s' else false.
Hypothesis no_way_back : forall s u s', last_loop s -> step s u = inr s' -> last_loop s'.
Hypothesis last_leaves : forall s, last_loop s ->
  (count (stays last_loop s) words)%:R <= rho * (size words)%:R.
Hypothesis first_leaves : forall s, ~~ last_loop s ->
  (count (stays (predC last_loop) s) words)%:R <= rho * (size words)%:R.

Let Wpos : 0 < (size words)%:R :> R. Proof. by rewrite ltr0n. Qed.

Lemma undecided_share s n b (p : pred S) (c : R) : 0 <= c <= b ->
  (count (stays p s) words)%:R <= rho * (size words)%:R ->
  (forall u s', step s u = inr s' -> undecided R step words n s' <= if p s' then b else c) ->
  undecided R step words n.+1 s <= rho * b + (1 - rho) * c.
Proof.
move=> /andP[c0 cb] few each; rewrite undecided_step // ler_pdivr_mulr //.
apply: (@le_trans _ _ (\sum_(u <- words) (c + (b - c) * (stays p s u)%:R))).
  apply: ler_sum => u _; rewrite /stays; case su: (step s u) => [a|s'].
    by rewrite mulr0 addr0.
  by apply: le_trans (each u s' su) _; case: (p s'); rewrite ?mulr1 ?mulr0 ?addr0 // addrC subrK.
rewrite big_split /= -mulr_sumr -natr_sum big_const_seq iter_addr_0 count_predT -[c *+ _]mulr_natr.
have -> : (\sum_(u <- words) stays p s u)%N = count (stays p s) words.
  by elim: (words) => [|u us IH]; rewrite ?big_nil // big_cons IH.
apply: (@le_trans _ _ (c * (size words)%:R + (b - c) * (rho * (size words)%:R))).
  by rewrite ler_add2l; apply: ler_wpmul2l => //; rewrite subr_ge0.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma last_undecided n s : last_loop s -> undecided R step words n s <= rho ^+ n.
Proof.
elim: n s => [|n IH] s ls; first by rewrite /undecided /= divr1.
have := @undecided_share s n (rho ^+ n) last_loop 0; rewrite mulr0 addr0 -exprS; apply.
- by rewrite lexx exprn_ge0.
- exact: last_leaves.
- by move=> u s' su; have ls' := no_way_back ls su; rewrite ls'; apply: IH.
Qed.

(* The share of the tapes of n words that are too short. *)
Theorem terminates n s : undecided R step words n s <= n.+1%:R * rho ^+ n.-1.
Proof.
have power m : 0 <= rho ^+ m by apply: exprn_ge0.
elim: n s => [|n IH] s; first by rewrite /undecided /= divr1 expr0 mulr1.
have [ls|fs] := boolP (last_loop s).
  apply: le_trans (last_undecided _ ls) _; rewrite exprS /=.
  by apply: ler_wpmul2r => //; apply: le_trans rho_one _; rewrite ler1n.
case: n IH => [|n] IH.
  rewrite expr0 mulr1; apply: (@le_trans _ _ 1); last by rewrite ler1n.
  rewrite undecided_step // ler_pdivr_mulr // mul1r -[X in _ <= X%:R]count_predT.
  rewrite -sum1_count natr_sum; apply: ler_sum => u _; case: (step s u) => [a|s']; first exact: ler01.
  by rewrite /undecided /= divr1.
apply: le_trans (undecided_share (b := n.+2%:R * rho ^+ n) (c := rho ^+ n.+1) _ (first_leaves fs) _) _.
- rewrite power /= exprS; apply: ler_wpmul2r => //; apply: le_trans rho_one _; rewrite ler1n //.
- by move=> u s' su /=; case: ifP => [_|/negbFE ls']; [apply: IH | apply: last_undecided].
have -> : n.+3%:R * rho ^+ n.+2.-1 = rho * (n.+2%:R * rho ^+ n) + rho ^+ n.+1.
  by rewrite -[n.+3]addn1 natrD mulrDl mul1r /= exprS mulrCA.
by rewrite ler_add2l ler_pimull // ler_subl_addr ler_addl.
Qed.
End Termination.
