(* Several draws: what k of them lose together. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Sotto Require Import rows.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* k draws of their own, as of the k tokens of a text: x i is the input of draw i, P i the
   channel at that place, and outputs are functions of the place. *)
Section Independent.
Variables (R : realFieldType) (I Y : finType) (X : Type).
Variable P : I -> X -> Y -> R.
Hypothesis rows_are : forall i x, distribution (P i x).

Definition draws (x : I -> X) (y : {ffun I -> Y}) : R := \prod_i P i (x i) (y i).

Lemma draws_positive x y : 0 <= draws x y.
Proof. by apply: prodr_ge0 => i _; case: (rows_are i (x i)). Qed.

Theorem draws_distribution x : distribution (draws x).
Proof.
split=> [y|]; first exact: draws_positive.
rewrite /draws -(bigA_distr_bigA (fun i y => P i (x i) y)) /=.
by apply: big1 => i _; case: (rows_are i (x i)).
Qed.

(* Losses add up: the ratio of all draws is the product of those of single draws. *)
Theorem draws_within (c : I -> R) x x' :
  (forall i, 0 <= c i) -> (forall i, within (c i) (P i (x i)) (P i (x' i))) ->
  within (\prod_i c i) (draws x) (draws x').
Proof.
move=> c0 xx'; apply: within_of_ratio => y; rewrite /draws -big_split /=.
apply: ler_prod => i _; rewrite (ratio_of_within (xx' i)) andbT.
by case: (rows_are i (x i)).
Qed.

(* Inputs that differ at k places lose k times the loss of one draw. *)
Theorem draws_differing (c : R) x x' (D : {set I}) :
  1 <= c -> (forall i, i \notin D -> x i = x' i) ->
  (forall i a a', within c (P i a) (P i a')) -> within (c ^+ #|D|) (draws x) (draws x').
Proof.
move=> c1 same one; have c0 : 0 <= c by apply: le_trans ler01 c1.
have -> : c ^+ #|D| = \prod_i (if i \in D then c else 1).
  by rewrite -big_mkcond prodr_const.
apply: draws_within => i; first by case: ifP => _; rewrite ?ler01.
case: ifP => [_ | /negbT iD]; first exact: one.
by rewrite same //; apply: within_of_ratio => y; rewrite mul1r.
Qed.
End Independent.

(* A sequence of draws in which each may be chosen by the outputs so far: step i h x is
   the row of draw i for the private input x after the outputs h. *)
Section Adaptive.
Variables (R : realFieldType) (X : Type) (Y : finType).
Variable step : seq Y -> X -> Y -> R.
Hypothesis steps_are : forall h x, distribution (step h x).

(* The probability of the outputs ys after the outputs h, the last one first in h. *)
Fixpoint transcript (h ys : seq Y) (x : X) : R :=
  if ys is y :: ys' then step h x y * transcript (y :: h) ys' x else 1.

Lemma transcript_positive h ys x : 0 <= transcript h ys x.
Proof.
elim: ys h => [|y ys IH] h /=; first exact: ler01.
by apply: mulr_ge0 (IH _); case: (steps_are h x).
Qed.

Definition transcripts k x (ys : k.-tuple Y) := transcript [::] ys x.

Lemma transcript_ratio (c : R) x x' h ys : 0 <= c ->
  (forall h, within c (step h x) (step h x')) ->
  transcript h ys x <= c ^+ size ys * transcript h ys x'.
Proof.
move=> c0 one; elim: ys h => [|y ys IH] h /=; first by rewrite expr0 mul1r.
rewrite exprS mulrACA; apply: ler_pmul => //; last exact: (ratio_of_within (one h)).
- by case: (steps_are h x).
- exact: transcript_positive.
Qed.

Theorem adaptive_within (c : R) k x x' : 0 <= c ->
  (forall h, within c (step h x) (step h x')) ->
  within (c ^+ k) (@transcripts k x) (@transcripts k x').
Proof.
move=> c0 one; apply: within_of_ratio => ys.
by have := transcript_ratio [::] ys c0 one; rewrite size_tuple.
Qed.

Theorem transcripts_sum k x : \sum_(ys : k.-tuple Y) transcripts x ys = 1.
Proof.
suff all h : \sum_(ys : k.-tuple Y) transcript h ys x = 1 by apply: all.
elim: k h => [|k IH] h.
  rewrite (eq_bigr (fun=> 1)) => [|ys _]; last by rewrite tuple0.
  by rewrite big_const card_tuple expn0 /= addr0.
rewrite (reindex (fun p : Y * k.-tuple Y => cons_tuple p.1 p.2)) /=; last first.
  exists (fun t : k.+1.-tuple Y => (thead t, behead_tuple t)) => [[y t] _|t _] /=.
    by congr pair; apply: val_inj.
  by rewrite [RHS]tuple_eta; apply: val_inj.
rewrite -(pair_big predT predT (fun y (t : k.-tuple Y) => step h x y * transcript (y :: h) t x)) /=.
rewrite (eq_bigr (step h x)) => [|y _]; last by rewrite -mulr_sumr IH mulr1.
by case: (steps_are h x).
Qed.
End Adaptive.
