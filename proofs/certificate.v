(* A checker of certificates of two-level rows: sound, whatever the numbers are. *)
From Coq Require Import NArith Nnat.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Sotto Require Import rows draw exponential row_law tapes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Rows over m outputs, with sets of one size, of weights high and low; their sum is
   row_sum; epsilon is epsilon_num/epsilon_den. *)
Record certificate := Certificate {
  outputs : N; set_size : N; high : N; low : N; row_sum : N; epsilon_num : N; epsilon_den : N }.

(* Words have w bits; the exponential is bounded by some terms of its series. *)
Definition check (w : N) (terms : nat) (c : certificate) : bool :=
  (N.ltb 0 (set_size c) && N.leb (set_size c) (outputs c) && N.ltb 0 (low c) && N.leb (low c) (high c)
   && N.ltb 0 (epsilon_den c)
   && N.eqb (row_sum c) (N.add (N.mul (set_size c) (N.sub (high c) (low c))) (N.mul (outputs c) (low c)))
   && N.leb (row_sum c) (N.pow 2 w)
   && weight_check (epsilon_num c) (epsilon_den c) terms (high c) (low c))%bool.

(* The row that is drawn from a set, as draw.v has it. *)
Definition row_of_certificate (c : certificate) (kind : members) : row_of :=
  Row (outputs c) (set_size c) (N.mul (set_size c) (N.sub (high c) (low c))) (row_sum c) kind.

Section Sound.
Variables (R : realFieldType) (w : nat) (terms : nat) (c : certificate).
Hypothesis accepted : check (N.of_nat w) terms c.

Let m := N.to_nat (outputs c).
Let k := N.to_nat (set_size c).
Let h := N.to_nat (high c).
Let l := N.to_nat (low c).

Lemma check_facts : [/\ (0 < k <= m)%N, (0 < l <= h)%N, (0 < N.to_nat (epsilon_den c))%N,
  N.to_nat (row_sum c) = (k * (h - l) + m * l)%N & (k * (h - l) + m * l <= 2 ^ w)%N].
Proof.
move: accepted; rewrite /check => /andP[/andP[/andP[/andP[/andP[/andP[/andP[k0 km] l0] lh] d0] s] fits] _].
have sE : N.to_nat (row_sum c) = (k * (h - l) + m * l)%N.
  by move/N.eqb_eq: s => ->; rewrite N2Nat.inj_add !N2Nat.inj_mul N2Nat.inj_sub //.
by split=> //; rewrite /k /m /l /h; have := of_nat_pow w; lia.
Qed.

(* Every two inputs are within e^epsilon, for any rule of sets of that size. *)
Theorem certificate_private (X : Type) (S : X -> {set 'I_m}) (e : R) : (forall x, #|S x| = k) ->
  bounds_exp (of_N R (epsilon_num c) / of_N R (epsilon_den c)) e ->
  forall x x', within e (two_level S k h%:R l%:R x) (two_level S k h%:R l%:R x').
Proof.
move=> sizes exp_e x x'; have [/andP[k0 km] /andP[l0 lh] d0 sE fits] := check_facts.
have l0R : 0 < l%:R :> R by rewrite ltr0n.
have m0 : (0 < #|'I_m|)%N by rewrite card_ord (leq_trans k0).
have lhR : l%:R <= h%:R :> R by rewrite ler_nat.
have [P0 _] := two_level_distribution sizes l0R lhR m0 x'.
apply: within_of_ratio => y.
apply: le_trans (ratio_of_within (two_level_within sizes l0R lhR m0 x x') y) _.
apply: ler_wpmul2r => //; rewrite ler_pdivr_mulr //.
by move: accepted; rewrite /check => /andP[_ ok]; apply: weight_check_sound d0 ok exp_e.
Qed.

(* And what is drawn from tapes of words is that row. *)
Theorem certificate_drawn (S : pred nat) (kind : members) n (y : 'I_m) :
  (forall z, S z -> (z < m)%N) -> count S (iota 0 m) = k -> holds k S kind ->
  let step := row_step (N.of_nat w) (row_of_certificate c kind) in
  let P := two_level (fun _ : unit => [set z : 'I_m | S z]) k h%:R l%:R tt y in
  let drawn := chance R step (words w) n Coin (N.of_nat y) in
  drawn <= P /\ P <= drawn + n.+1%:R * goes_on R m k kind ^+ n.-1.
Proof.
move=> inside size known; have [/andP[k0 km] /andP[l0 lh] d0 sE fits] := check_facts.
have -> : row_of_certificate c kind = the_row m k h l kind.
  rewrite /row_of_certificate /the_row -sE /m /k /h /l !N2Nat.id; congr Row.
  by rewrite -[LHS]N2Nat.id N2Nat.inj_mul N2Nat.inj_sub.
have := row_draw R inside size k0 l0 lh fits known n (N.of_nat y).
by rewrite (row_law_two_level R size lh tt) => /andP[].
Qed.
End Sound.
