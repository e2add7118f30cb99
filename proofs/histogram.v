(* Counts of records with two-sided geometric noise, released once: adding or removing
   a record, or all records of a user. *)
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Sotto Require Import rows.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Outputs without end: the probability of an event A is the least number that bounds the
   sum over every finite part of A. *)
Definition bounds (R : realFieldType) (Y : eqType) (P : Y -> R) (A : pred Y) (b : R) :=
  forall E : seq Y, uniq E -> all A E -> \sum_(y <- E) P y <= b.

(* No event is more than c times likelier under P than under Q. *)
Definition within_events (R : realFieldType) (c : R) (Y : eqType) (P Q : Y -> R) :=
  forall A b, bounds Q A b -> bounds P A (c * b).

Section Events.
Variable R : realFieldType.

Lemma within_events_of_ratio (c : R) (Y : eqType) (P Q : Y -> R) : 0 <= c ->
  (forall y, P y <= c * Q y) -> within_events c P Q.
Proof.
move=> c0 ratio A b Qb E uE AE; apply: le_trans (ler_wpmul2l c0 (Qb E uE AE)).
by rewrite mulr_sumr; apply: ler_sum => y _.
Qed.

(* Two releases, the second chosen by what the first one showed: ratios multiply. *)
Theorem two_releases (c d : R) (Y Z : eqType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
  0 <= c -> 0 <= d -> (forall y, 0 <= P y) -> (forall y z, 0 <= P' y z) ->
  (forall y, P y <= c * Q y) -> (forall y z, P' y z <= d * Q' y z) ->
  within_events (c * d) (fun o : Y * Z => P o.1 * P' o.1 o.2) (fun o => Q o.1 * Q' o.1 o.2).
Proof.
move=> c0 d0 P0 P'0 PQ PQ'; apply: within_events_of_ratio => [|[y z]] /=.
  exact: mulr_ge0.
by rewrite mulrACA; apply: ler_pmul.
Qed.
End Events.

(* The noise: k with probability (1 - r)/(1 + r) r^|k|; r is e^(-epsilon). *)
Section Noise.
Variables (R : realFieldType) (r : R).
Hypothesis r_positive : 0 < r.
Hypothesis r_below_one : r < 1.

Definition noise (k : int) : R := (1 - r) / (1 + r) * r ^+ `|k|.

Let scale_positive : 0 <= (1 - r) / (1 + r).
Proof.
by apply: divr_ge0; [rewrite subr_ge0 ltW | apply: addr_ge0; [exact: ler01 | exact: ltW]].
Qed.

Lemma noise_positive k : 0 <= noise k.
Proof.
by apply: mulr_ge0 => //; apply/exprn_ge0/ltW.
Qed.

(* Its sum over -n..n is 1 less 2 r^(n+1)/(1 + r), which has the limit 1. *)
Theorem noise_sum n :
  noise 0 + \sum_(1 <= k < n.+1) (noise k%:Z + noise (- k%:Z)) = 1 - 2%:R * r ^+ n.+1 / (1 + r).
Proof.
have r1 : 1 + r != 0 by rewrite lt0r_neq0 ?addr_gt0 ?ltr01.
elim: n => [|n IH]; first by rewrite big_nil /noise expr0 expr1; field.
rewrite big_nat_recr //= addrA IH /noise abszN absz_nat !exprS; field.
exact: r1.
Qed.

(* A shift of the noise by at most m. *)
Lemma noise_shift m (a b : int) : (`|(a - b)%R| <= m)%N -> noise a <= r^-1 ^+ m * noise b.
Proof.
move=> ab; rewrite /noise mulrCA; apply: ler_wpmul2l => //.
rewrite exprVn mulrC ler_pdivl_mulr ?exprn_gt0 // -exprD.
by apply: ler_wiexpn2l; [exact: ltW | exact: ltW | lia].
Qed.
End Noise.

Section Histogram.
Variables (R : realFieldType) (r : R) (C : finType).
Hypothesis r_positive : 0 < r.
Hypothesis r_below_one : r < 1.

(* The probability of the noisy counts o, one for each cell, of the exact counts h. *)
Definition released (h : C -> nat) (o : {ffun C -> int}) : R := \prod_c noise r (o c - (h c)%:Z).

Lemma released_positive h o : 0 <= released h o.
Proof. by apply: prodr_ge0 => c _; apply: noise_positive. Qed.

Lemma released_ratio (m : C -> nat) h h' o :
  (forall c, (`|((h c)%:Z - (h' c)%:Z)%R| <= m c)%N) ->
  released h o <= r^-1 ^+ (\sum_c m c) * released h' o.
Proof.
move=> near; have -> : r^-1 ^+ (\sum_c m c) = \prod_c r^-1 ^+ m c.
  by rewrite (big_morph _ (exprD r^-1) (expr0 _)).
rewrite -big_split /=; apply: ler_prod => c _; rewrite noise_positive //=.
by apply: noise_shift => //; have := near c; lia.
Qed.

(* Records of any kind; cell is any rule that puts a record into a cell, whatever it holds. *)
Variables (T : Type) (cell : T -> C).
Definition counts (D : seq T) (c : C) : nat := count (fun x => cell x == c) D.

Lemma counts_cat D V c : counts (V ++ D) c = (counts V c + counts D c)%N.
Proof. exact: count_cat. Qed.

Lemma counts_total V : (\sum_c counts V c)%N = size V.
Proof.
elim: V => [|x V IH]; first by apply: big1.
by rewrite /counts /= big_split /= IH (bigD1 (cell x)) //= eqxx big1 ?addn0 // => c /negbTE; rewrite eq_sym => ->.
Qed.

Lemma votes_ratio D V o :
  released (counts (V ++ D)) o <= r^-1 ^+ size V * released (counts D) o /\
  released (counts D) o <= r^-1 ^+ size V * released (counts (V ++ D)) o.
Proof. by split; rewrite -counts_total; apply: released_ratio => c; rewrite counts_cat; lia. Qed.

Let ratio_grows n m : (n <= m)%N -> r^-1 ^+ n <= r^-1 ^+ m.
Proof. by move=> nm; apply: ler_weexpn2l => //; rewrite invf_ge1 // ltW. Qed.

Let inverse_positive n : 0 <= r^-1 ^+ n. Proof. by rewrite exprn_ge0 // invr_ge0 ltW. Qed.

(* All records of a user, at most m of them, are added or removed. *)
Theorem histogram_user m D V : (size V <= m)%N ->
  within_events (r^-1 ^+ m) (released (counts (V ++ D))) (released (counts D)) /\
  within_events (r^-1 ^+ m) (released (counts D)) (released (counts (V ++ D))).
Proof.
move=> Vm; split; apply: within_events_of_ratio => // o.
  apply: le_trans (proj1 (votes_ratio D V o)) _.
  exact: ler_wpmul2r (released_positive _ _) _ _ (ratio_grows Vm).
apply: le_trans (proj2 (votes_ratio D V o)) _.
exact: ler_wpmul2r (released_positive _ _) _ _ (ratio_grows Vm).
Qed.

(* One record is added or removed: 1/r is e^epsilon. *)
Theorem histogram_add_remove D x :
  within_events r^-1 (released (counts (x :: D))) (released (counts D)) /\
  within_events r^-1 (released (counts D)) (released (counts (x :: D))).
Proof. by have := @histogram_user 1 D [:: x] isT; rewrite expr1. Qed.

(* One record is replaced. *)
Theorem histogram_replace D x x' :
  within_events (r^-1 ^+ 2) (released (counts (x :: D))) (released (counts (x' :: D))).
Proof.
apply: within_events_of_ratio => // o; rewrite expr2 -mulrA.
have ge0 := inverse_positive 1.
apply: le_trans (proj1 (votes_ratio D [:: x] o)) _; rewrite expr1; apply: ler_wpmul2l => //.
by have := proj2 (votes_ratio D [:: x'] o); rewrite expr1.
Qed.
End Histogram.
