(* Two published claims that do not hold, as statements about rational numbers. *)
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Sotto Require Import rows histogram.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ADePT (Krishna, Gupta, Dupuy 2021): clip to the Euclidean norm C, add Laplace noise of
   scale 2C/epsilon to every component, and claim epsilon. Here C is 2 steps of a grid,
   in 4 components, and the noise is the one of histogram.v with r^(2C) = e^(-epsilon). *)
Section ADePT.
Variables (R : realFieldType) (r : R).
Hypothesis r_positive : 0 < r.
Hypothesis r_below_one : r < 1.

Definition norm_squared (x : int ^ 4) : nat := \sum_i `|x i| ^ 2.
Definition adept (x y : int ^ 4) : R := \prod_i noise r (y i - x i).
Definition e_epsilon : R := r^-1 ^+ 4.

(* Two vectors that the clip leaves as they are, and an output that is e^(2 epsilon) times
   likelier from one: more than e^epsilon. *)
Theorem adept_refuted : exists x x' y : int ^ 4,
  [/\ (norm_squared x <= 2 ^ 2)%N, (norm_squared x' <= 2 ^ 2)%N,
      adept x y = e_epsilon ^+ 2 * adept x' y & e_epsilon * adept x' y < adept x y].
Proof.
exists [ffun=> 1], [ffun=> -1], [ffun=> 1].
have r0 : r != 0 by rewrite lt0r_neq0.
have one : adept [ffun=> 1] [ffun=> 1] = e_epsilon ^+ 2 * adept [ffun=> -1] [ffun=> 1].
  rewrite /adept /e_epsilon !big_ord_recl !big_ord0 !ffunE subrr opprK /noise.
  by rewrite expr0 -[`|(1 + 1)%R|%N]/2%N; field; rewrite r0 lt0r_neq0 // addr_gt0 ?ltr01.
split=> //; try by rewrite /norm_squared !big_ord_recl !big_ord0 !ffunE.
have e1 : 1 < e_epsilon by rewrite exprn_egt1 // invf_gt1.
have scale : 0 < (1 - r) / (1 + r) by rewrite divr_gt0 ?subr_gt0 // addr_gt0 ?ltr01.
have positive : 0 < adept [ffun=> -1] [ffun=> 1].
  by apply: prodr_gt0 => i _; rewrite /noise mulr_gt0 // exprn_gt0.
rewrite one expr2 -mulrA ltr_pmull // mulr_gt0 //.
by apply: lt_trans e1; apply: ltr01.
Qed.
End ADePT.

(* TrLaplace as published: noise of density e^(-alpha |u|)/B on [-A, A] in each of d
   components, with B = 2C/delta^(1/d), alpha = epsilon/(2C sqrt d) and
   e^(-alpha A) = 1 - epsilon/(2 delta^(1/d) sqrt d). Here d = 4, C = 1, epsilon = 1/10 and
   delta = 1/256, so that delta^(1/d) = 1/4 and sqrt d = 2. *)
Section TrLaplace.
Variable R : realFieldType.
Let q n d : R := n%:R / d%:R.
Definition root := q 1 4.             (* delta^(1/d) *)
Definition epsilon := q 1 10.
Definition B : R := 2%:R / root.
Definition edge : R := 1 - epsilon / (2%:R * root * 2%:R).  (* e^(-alpha A) *)
Definition least_density := edge / B.

(* The vectors +-(1/2, 1/2, 1/2, 1/2) have norm 1 and differ by 1 in each component. So of
   the noise of a component, the last stretch of length 1 before A leads out of what the
   other vector can give. The density is least at A: that stretch has a mass of at least
   the least density times 1. tail is any such mass. *)
Variable tail : R.
Hypothesis tail_mass : least_density * 1 <= tail.
Hypothesis tail_one : tail <= 1.

(* The outputs with a component outside: never from one vector, and from the other with a
   chance above e^epsilon times never and delta. *)
Theorem trlaplace_refuted (e : R) (out := 1 - (1 - tail) ^+ 4) :
  e * 0 + root ^+ 4 < out /\ q 1 3 < out.
Proof.
have exact_density : least_density = q 9 80.
  by rewrite /least_density /edge /B /root /epsilon /q; field.
have low : q 1 3 < out.
  have small : (1 - tail) ^+ 4 <= (q 9 10) ^+ 4.
    apply: ler_expn2r; rewrite ?nnegrE ?subr_ge0 ?divr_ge0 ?ler0n //.
    rewrite ler_subl_addr -ler_subl_addl; apply: le_trans tail_mass.
    rewrite mulr1 exact_density (_ : 1 - q 9 10 = q 8 80); last by rewrite /q; field.
    by rewrite ler_pdivr_mulr ?ltr0n // mulfVK ?pnatr_eq0 // ler_nat.
  rewrite /out ltr_subr_addl -ltr_subr_addr; apply: le_lt_trans small _.
  rewrite /q expr_div_n -!natrX (_ : 1 - _ = 2%:R / 3%:R); last by field.
  rewrite ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n // -!natrM ltr_nat.
  by lia.
split=> //; rewrite mulr0 add0r; apply: lt_trans low.
rewrite /root /q expr_div_n -!natrX ltr_pdivr_mulr ?ltr0n // mulrAC ltr_pdivl_mulr ?ltr0n //.
by rewrite -!natrM ltr_nat; lia.
Qed.
End TrLaplace.
