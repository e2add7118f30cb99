(* The draw of a two-level row from random words, as the program makes it. Numbers are
   binary, so that what is proved here is what is extracted and run. *)
From Coq Require Import NArith Nnat.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Sotto Require Import lemire tapes.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Below for words of w bits; None: one more word is read. *)
Definition below_word (w n u : N) : option N :=
  let product := N.mul u n in
  let low := N.land product (N.ones w) in
  if (N.ltb low n && N.ltb low (N.modulo (N.sub (N.pow 2 w) n) n))%bool then None
  else Some (N.shiftr product w).

(* A set of outputs as the program holds it: one output, a list (the output of a rank), or
   marks (whether an output is in the set). *)
Inductive members := Alone of N | Listed of N -> N | Marked of N -> bool.

(* With chance lift/total a member of the set, else any of the items. *)
Record row_of := Row {
  row_items : N; row_size : N; row_lift : N; row_total : N; row_members : members }.

Inductive loop := Coin | Any | Member.

Definition reading (w n u : N) (again : loop) (next : N -> N + loop) : N + loop :=
  if below_word w n u is Some v then next v else inr again.

Definition row_step (w : N) (r : row_of) (s : loop) (u : N) : N + loop :=
  match s, row_members r with
  | Coin, Alone y => reading w (row_total r) u Coin (fun v => if N.ltb v (row_lift r) then inl y else inr Any)
  | Coin, _ => reading w (row_total r) u Coin (fun v => inr (if N.ltb v (row_lift r) then Member else Any))
  | Member, Alone y => inl y (* not reached *)
  | Member, Listed rank => reading w (row_size r) u Member (fun v => inl (rank v))
  | Member, Marked inside =>
    reading w (row_items r) u Member (fun v => if inside v then inl v else inr Member)
  | _, _ => reading w (row_items r) u Any inl
  end.

(* The draw: the output and what is left of the tape. *)
Definition draw_row (w : N) (r : row_of) (tape : seq N) : option (N * seq N) :=
  run (row_step w r) Coin tape.

(* Bernoulli(p, q): true if Below(q) is below p. *)
Definition bernoulli_step (w p q : N) (_ : unit) (u : N) : bool + unit :=
  if below_word w q u is Some v then inl (N.ltb v p) else inr tt.

(* All words of w bits. *)
Definition words (w : nat) : seq N := [seq N.of_nat u | u <- iota 0 (2 ^ w)].

Lemma of_nat_pow w : N.of_nat (2 ^ w) = N.pow 2 (N.of_nat w).
Proof. by elim: w => [|w IH] //; rewrite expnS Nat2N.inj_succ N.pow_succ_r' -IH; lia. Qed.

Lemma below_word_below w n u : (0 < n)%N -> (n <= 2 ^ w)%N ->
  below_word (N.of_nat w) (N.of_nat n) (N.of_nat u) = omap N.of_nat (below (2 ^ w) n u).
Proof.
move=> n0 nw; rewrite /below_word N.land_ones N.shiftr_div_pow2 -of_nat_pow -Nat2N.inj_mul.
have W0 : (0 < 2 ^ w)%N by rewrite expn_gt0.
have divE a b : (0 < b)%N -> N.div (N.of_nat a) (N.of_nat b) = N.of_nat (a %/ b).
  by move=> b0; apply/esym/(N.div_unique _ _ _ (N.of_nat (a %% b))); have := divn_eq a b; have := ltn_pmod a b0; nia.
have modE a b : (0 < b)%N -> N.modulo (N.of_nat a) (N.of_nat b) = N.of_nat (a %% b).
  by move=> b0; apply/esym/(N.mod_unique _ _ (N.of_nat (a %/ b))); have := divn_eq a b; have := ltn_pmod a b0; nia.
rewrite divE // modE // -Nat2N.inj_sub modE // /below.
have ltE a b : N.ltb (N.of_nat a) (N.of_nat b) = (a < b)%N by lia.
have -> : ((2 ^ w - n)%coq_nat %% n = 2 ^ w %% n)%N.
  by rewrite -[in RHS](subnK nw) modnDr.
rewrite !ltE; case: ifP => [/andP[_ ->]|] //.
by case: ifP => // low; rewrite (ltn_trans low) ?ltn_pmod.
Qed.
