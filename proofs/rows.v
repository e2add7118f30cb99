(* Rows of a channel: integer weights with one sum, weights within one ratio. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* P is a list of probabilities. *)
Definition distribution (R : realFieldType) (Y : finType) (P : Y -> R) :=
  (forall y, 0 <= P y) /\ \sum_y P y = 1.

(* No set of outputs is more than c times likelier under P than under Q. With
   c = e^epsilon, P and Q the rows of two inputs, this is the inequality of pure
   differential privacy. *)
Definition within (R : realFieldType) (c : R) (Y : finType) (P Q : Y -> R) :=
  forall E : {set Y}, \sum_(y in E) P y <= c * \sum_(y in E) Q y.

Section Within.
Variables (R : realFieldType) (Y : finType).
Implicit Types (P Q S : Y -> R) (c d : R).

Lemma within_of_ratio c P Q : (forall y, P y <= c * Q y) -> within c P Q.
Proof. by move=> ratio E; rewrite mulr_sumr; apply: ler_sum => y _. Qed.

Lemma ratio_of_within c P Q : within c P Q -> forall y, P y <= c * Q y.
Proof. by move=> PQ y; have := PQ [set y]; rewrite !big_set1. Qed.

Lemma within_trans c d P Q S :
  0 <= c -> within c P Q -> within d Q S -> within (c * d) P S.
Proof.
move=> c0 PQ QS; apply: within_of_ratio => y.
apply: le_trans (ratio_of_within PQ y) _.
by rewrite -mulrA; apply: ler_wpmul2l => //; apply: ratio_of_within.
Qed.

End Within.

(* What is computed from the output alone, by chance or not, loses nothing more:
   K y z is the probability that the output y becomes z. *)
Theorem post_processing (R : realFieldType) (Y Z : finType) (c : R) (P Q : Y -> R)
    (K : Y -> Z -> R) :
  (forall y z, 0 <= K y z) -> within c P Q ->
  within c (fun z => \sum_y P y * K y z) (fun z => \sum_y Q y * K y z).
Proof.
move=> K0 PQ; apply: within_of_ratio => z; rewrite mulr_sumr.
apply: ler_sum => y _; rewrite mulrA; apply: ler_wpmul2r => //.
exact: ratio_of_within.
Qed.

(* Weights w x y with the sum Z for every input x, each within r of the others. *)
Section Rows.
Variables (R : realFieldType) (X : Type) (Y : finType).
Variables (w : X -> Y -> R) (r Z : R).
Hypothesis Z_positive : 0 < Z.
Hypothesis weights_positive : forall x y, 0 <= w x y.
Hypothesis one_sum : forall x, \sum_y w x y = Z.
Hypothesis ratio : forall x x' y, w x y <= r * w x' y.

Definition row (x : X) (y : Y) : R := w x y / Z.

Lemma row_distribution x : distribution (row x).
Proof.
split=> [y|]; first by rewrite divr_ge0 // ltW.
by rewrite -mulr_suml one_sum divff // lt0r_neq0.
Qed.

Theorem rows_within x x' : within r (row x) (row x').
Proof.
apply: within_of_ratio => y; rewrite /row mulrA.
by apply: ler_wpmul2r; [rewrite invr_ge0 ltW | apply: ratio].
Qed.
End Rows.

(* The two-level row: weight high on the set of the input, low on all other outputs.
   X is any type of inputs and S any rule: nothing is assumed about a set but its size. *)
Section TwoLevel.
Variables (R : realFieldType) (X : Type) (Y : finType).
Variables (S : X -> {set Y}) (k : nat) (high low : R).
Hypothesis one_size : forall x, #|S x| = k.
Hypothesis low_positive : 0 < low.
Hypothesis low_high : low <= high.
Hypothesis an_output : (0 < #|Y|)%N.

Definition level x y := if y \in S x then high else low.
Definition level_sum : R := k%:R * high + (#|Y| - k)%:R * low.
Definition two_level := row level level_sum.

Let high_positive : 0 < high. Proof. exact: lt_le_trans low_positive low_high. Qed.

Lemma level_positive x y : 0 < level x y.
Proof. by rewrite /level; case: ifP. Qed.

Lemma two_level_sum x : \sum_y level x y = level_sum.
Proof.
rewrite (bigID (mem (S x))) /= /level_sum; congr (_ + _).
  rewrite (eq_bigr (fun=> high)) => [|y yS]; last by rewrite /level yS.
  by rewrite big_const iter_addr_0 one_size mulr_natl.
rewrite (eq_bigr (fun=> low)) => [|y yS]; last by rewrite /level (negbTE yS).
rewrite big_const iter_addr_0 mulr_natl; congr (_ *+ _).
by rewrite -(one_size x) -[#|Y|](cardC (mem (S x))) addKn; apply: eq_card => y; rewrite !inE.
Qed.

Lemma level_sum_positive : X -> 0 < level_sum.
Proof.
move=> x; rewrite -(two_level_sum x); case/card_gt0P: an_output => y _.
rewrite (bigD1 y) //=; apply: ltr_paddr; last exact: level_positive.
by apply: sumr_ge0 => z _; apply/ltW/level_positive.
Qed.

Lemma level_ratio x x' y : level x y <= high / low * level x' y.
Proof.
have one : 1 <= high / low by rewrite ler_pdivl_mulr // mul1r.
rewrite /level; case: ifP => _; case: ifP => _.
- by rewrite ler_pmull.
- by rewrite mulfVK // lt0r_neq0.
- by apply: le_trans low_high _; rewrite ler_pmull.
- by rewrite ler_pmull.
Qed.

Theorem two_level_distribution x : distribution (two_level x).
Proof.
apply: row_distribution; [exact: level_sum_positive x | | exact: two_level_sum].
by move=> x' y; apply/ltW/level_positive.
Qed.

Theorem two_level_within x x' : within (high / low) (two_level x) (two_level x').
Proof. apply: rows_within; [exact: level_sum_positive x | exact: level_ratio]. Qed.

(* The ratio is attained: two inputs with different sets lose no less. *)
Theorem two_level_attained x x' y :
  y \in S x -> y \notin S x' -> two_level x y = high / low * two_level x' y.
Proof.
move=> yS yS'; rewrite /two_level /row /level yS (negbTE yS').
by rewrite mulrA mulfVK // lt0r_neq0.
Qed.

(* How a row is drawn: with chance k (high - low)/Z a member of the set, else any of
   all outputs, those of the set included. *)
Theorem lift_or_any x y : (0 < k)%N ->
  let lift := k%:R * (high - low) in
  two_level x y = lift / level_sum * ((y \in S x)%:R / k%:R)
                  + (1 - lift / level_sum) * #|Y|%:R^-1.
Proof.
move=> k0 lift.
have Z0 : level_sum != 0 by rewrite lt0r_neq0 // (level_sum_positive x).
have m0 : (#|Y|%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
have k0' : (k%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
have km : (k <= #|Y|)%N by rewrite -(one_size x) max_card.
have Zm : lift = level_sum - #|Y|%:R * low by rewrite /lift /level_sum natrB //; ring.
rewrite /two_level /row /level; case: (y \in S x); last by rewrite Zm mul0r mulr0 add0r; field; rewrite m0 Z0.
have -> : lift / level_sum * (1 / k%:R) = (high - low) / level_sum by rewrite /lift; field; rewrite k0' Z0.
by rewrite Zm; field; rewrite m0 Z0.
Qed.
End TwoLevel.
