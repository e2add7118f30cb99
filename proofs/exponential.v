(* Rational lower bounds on the exponential, computed in whole numbers. *)
From Coq Require Import NArith Nnat.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The numerator and the denominator of 1 + x + ... + x^n/n! for x = a/d, and a^n. *)
Fixpoint series_terms (a d : N) (n : nat) : N * N * N :=
  if n is i.+1 then
    let '(num, den, power) := series_terms a d i in
    let f := N.mul d (N.of_nat i.+1) in
    let p := N.mul power a in
    (N.add (N.mul num f) p, N.mul den f, p)
  else (1%num, 1%num, 1%num).

(* high <= low (1 + x + ... + x^n/n!). *)
Definition weight_check (a d : N) (n : nat) (high low : N) : bool :=
  let '(num, den, _) := series_terms a d n in N.leb (N.mul high den) (N.mul low num).

Section Series.
Variable R : realFieldType.

Definition of_N (x : N) : R := (N.to_nat x)%:R.

Lemma of_N_add x y : of_N (N.add x y) = of_N x + of_N y.
Proof. by rewrite /of_N N2Nat.inj_add natrD. Qed.
Lemma of_N_mul x y : of_N (N.mul x y) = of_N x * of_N y.
Proof. by rewrite /of_N N2Nat.inj_mul natrM. Qed.
Lemma of_N_leb x y : N.leb x y = (of_N x <= of_N y).
Proof. by rewrite /of_N ler_nat; lia. Qed.
Lemma of_N_ge0 x : 0 <= of_N x. Proof. exact: ler0n. Qed.

Definition series (x : R) (n : nat) : R := \sum_(i < n.+1) x ^+ i / (i`!)%:R.

(* e is e^x or more: it bounds every partial sum of the series. The least such number is
   e^x; where the field has none, as the rationals, any larger one serves. *)
Definition bounds_exp (x e : R) := forall n, series x n <= e.

Lemma series_terms_spec a d n : (0 < N.to_nat d)%N ->
  let '(num, den, power) := series_terms a d n in
  [/\ of_N num = series (of_N a / of_N d) n * of_N den,
      of_N den = of_N d ^+ n * (n`!)%:R & of_N power = of_N a ^+ n].
Proof.
move=> d_positive; have d0 : of_N d != 0 by rewrite pnatr_eq0 -lt0n.
elim: n => [|n IH] /=.
  by rewrite /series big_ord1 !expr0 fact0 divr1 /of_N /= !mul1r.
rewrite -[N.pos _]/(N.of_nat n.+1); case: series_terms IH => [[num den] power] [Hnum Hden Hpower].
have f0 : ((n.+1`!)%:R : R) != 0 by rewrite pnatr_eq0 -lt0n fact_gt0.
have dn0 : of_N d ^+ n != 0 by apply: expf_neq0.
have f_spec : of_N (N.of_nat n.+1) = n.+1%:R by rewrite /of_N Nat2N.id.
have den_spec : of_N den * (of_N d * n.+1%:R) = of_N d ^+ n.+1 * (n.+1`!)%:R.
  by rewrite Hden factS natrM exprS; ring.
rewrite of_N_add !of_N_mul f_spec Hnum Hpower den_spec; split=> //; last by rewrite exprSr.
rewrite -mulrA den_spec {2}/series big_ord_recr /= -/(series _ _) mulrDl; congr (_ + _).
rewrite -exprSr expr_div_n; have := expf_neq0 n.+1 d0.
by move: (_ ^+ _) (_ ^+ _) (_ `!%:R) f0 => A D F F0 D0; field; rewrite F0 D0.
Qed.

(* What the check accepts is at most e^x times the lower weight. *)
Theorem weight_check_sound a d n high low e : (0 < N.to_nat d)%N -> weight_check a d n high low ->
  bounds_exp (of_N a / of_N d) e -> of_N high <= e * of_N low.
Proof.
move=> d0; rewrite /weight_check; have := series_terms_spec a n d0.
case: series_terms => [[num den] power] [Hnum Hden _]; rewrite of_N_leb !of_N_mul Hnum => ok exp_e.
have den0 : 0 < of_N den.
  by rewrite Hden mulr_gt0 ?exprn_gt0 ?ltr0n ?fact_gt0 // /of_N ltr0n.
have : of_N high <= of_N low * series (of_N a / of_N d) n.
  by rewrite -(ler_pmul2r den0); move: ok; rewrite mulrA.
move=> /le_trans; apply; rewrite mulrC; apply: ler_wpmul2r (exp_e n); exact: of_N_ge0.
Qed.

(* The partial sums grow, so more terms accept more. *)
Theorem series_grows x n : 0 <= x -> series x n <= series x n.+1.
Proof.
by move=> x0; rewrite /series [X in _ <= X]big_ord_recr /= ler_addl divr_ge0 ?exprn_ge0 ?ler0n.
Qed.

(* And they are bounded: some e exists, so the statements about e^x are not empty. *)
Theorem exp_bounded x n m : 0 <= x -> 2%:R * x <= n.+1%:R ->
  series x (n + m)%N <= series x n + x ^+ n / (n`!)%:R * (1 - 2%:R^-1 ^+ m).
Proof.
move=> x0 small.
have positive k : 0 <= x ^+ k / (k`!)%:R by rewrite divr_ge0 ?exprn_ge0 ?ler0n.
have next k : (n <= k)%N -> x ^+ k.+1 / (k.+1`!)%:R <= x ^+ k / (k`!)%:R * 2%:R^-1.
  move=> nk; rewrite exprSr factS mulnC natrM invfM mulrACA; apply: ler_wpmul2l => //.
  rewrite ler_pdivr_mulr ?ltr0n // -ler_pdivr_mull ?invr_gt0 ?ltr0n // invrK.
  by apply: le_trans small _; rewrite ler_nat.
have term k : x ^+ (n + k) / ((n + k)`!)%:R <= x ^+ n / (n`!)%:R * 2%:R^-1 ^+ k.
  elim: k => [|k IH]; first by rewrite addn0 expr0 mulr1.
  rewrite addnS [2%:R^-1 ^+ _]exprSr mulrA; apply: le_trans (next _ (leq_addr _ _)) _.
  by apply: ler_wpmul2r => //; rewrite invr_ge0 ler0n.
elim: m => [|m IH]; first by rewrite addn0 expr0 subrr mulr0 addr0.
have := ler_add IH (term m.+1); rewrite addnS /series [in X in X -> _]addrC => le.
rewrite big_ord_recr /= addrC; apply: le_trans le _; rewrite -addrA ler_add2l -mulrDr exprS.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _); field.
Qed.
End Series.
