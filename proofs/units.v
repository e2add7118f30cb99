(* What each unit of protection rests on. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Sotto Require Import rows composition exponential.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A public codebook Y, a rule S of sets of k for inputs of any type, weights, and e at
   least e^epsilon for the epsilon of which high was computed. *)
Record channel (R : realFieldType) (X : Type) (Y : finType) (e : R) := Channel {
  rule : X -> {set Y}; k : nat; high : R; low : R;
  one_size : forall x, #|rule x| = k;
  low_positive : 0 < low; low_high : low <= high; high_e : high <= e * low;
  an_output : (0 < #|Y|)%N }.

Definition chances R X Y e (C : @channel R X Y e) : X -> Y -> R := two_level (rule C) (k C) (high C) (low C).

Section Units.
Variables (R : realFieldType) (X : Type) (Y : finType) (e : R).
Implicit Type C : @channel R X Y e.

Lemma chances_distribution C x : distribution (chances C x).
Proof. exact: (two_level_distribution (one_size C) (low_positive C) (low_high C) (an_output C)). Qed.

Lemma e_one C : 1 <= e.
Proof.
rewrite -(ler_pmul2r (low_positive C)) mul1r; exact: le_trans (low_high C) (high_e C).
Qed.

(* One token, mark or text, whatever the two inputs are. *)
Theorem input_private C x x' : within e (chances C x) (chances C x').
Proof.
apply: within_of_ratio => y; have [P0 _] := chances_distribution C x'.
apply: le_trans (ratio_of_within (two_level_within (one_size C) (low_positive C) (low_high C) (an_output C) x x') y) _.
by apply: (ler_wpmul2r (P0 y)); rewrite ler_pdivr_mulr ?low_positive ?high_e.
Qed.

(* The tokens of a text, one draw each: texts of one length that differ at the places D. *)
Theorem tokens_private (I : finType) C (x x' : I -> X) (D : {set I}) :
  (forall i, i \notin D -> x i = x' i) ->
  within (e ^+ #|D|) (draws (fun _ => chances C) x) (draws (fun _ => chances C) x').
Proof.
move=> same; apply: draws_differing => //; [|exact: e_one C|].
- by move=> i a; apply: chances_distribution.
- by move=> i a a'; apply: input_private.
Qed.

(* The rows of a file, one draw each: one of them is replaced. *)
Theorem texts_private (I : finType) C (x x' : I -> X) (i : I) :
  (forall j, j != i -> x j = x' j) ->
  within e (draws (fun _ => chances C) x) (draws (fun _ => chances C) x').
Proof.
move=> same; have := @tokens_private I C x x' [set i]; rewrite cards1 expr1; apply.
by move=> j; rewrite inE => /same.
Qed.

(* A vector: what is made of the item of the codebook, as by scaling, loses no more. *)
Theorem vector_private C (V : finType) (f : Y -> V) x x' :
  within e (fun v => \sum_y chances C x y * (f y == v)%:R)
           (fun v => \sum_y chances C x' y * (f y == v)%:R).
Proof. by apply: post_processing (input_private C x x') => y v; apply: ler0n. Qed.
End Units.

(* Marks: the mark i has a public type, and the codebook, the channel and the epsilon of that
   type. Its output is a value with its type. The rest of the text is public. *)
Section Marks.
Variables (R : realFieldType) (T : finType) (X : Type) (Y : T -> finType) (e : T -> R).
Variable C : forall t, @channel R X (Y t) (e t).
Implicit Types t : T.

Definition surrogate t x (z : {t : T & Y t}) : R := \sum_y chances (C t) x y * (Tagged Y y == z)%:R.

Lemma surrogate_distribution t x : distribution (surrogate t x).
Proof.
have [P0 P1] := chances_distribution (C t) x; split=> [z|].
  by apply: sumr_ge0 => y _; apply: mulr_ge0; rewrite ?ler0n.
rewrite exchange_big -[RHS]P1; apply: eq_bigr => y _; rewrite -mulr_sumr (bigD1 (Tagged Y y)) //= eqxx.
by rewrite big1 ?addr0 ?mulr1 // => z; rewrite eq_sym => /negbTE ->.
Qed.

Theorem mark_private t x x' : within (e t) (surrogate t x) (surrogate t x').
Proof. by apply: post_processing (input_private (C t) x x') => y z; apply: ler0n. Qed.

(* One mark is replaced by another of its type. *)
Theorem marks_private (I : finType) (type : I -> T) (x x' : I -> X) (i : I) :
  (forall j, j != i -> x j = x' j) ->
  within (e (type i)) (draws (fun j => surrogate (type j)) x) (draws (fun j => surrogate (type j)) x').
Proof.
move=> same; have one j := e_one (C (type j)).
have -> : e (type i) = \prod_j (if j == i then e (type i) else 1).
  by rewrite (bigD1 i) //= eqxx big1 ?mulr1 // => j /negbTE ->.
apply: draws_within => [j a|j|j].
- exact: surrogate_distribution.
- by case: eqP => _; [apply: le_trans ler01 (one i) | exact: ler01].
- case: eqP => [->|/eqP ne]; first exact: mark_private.
  by rewrite same //; apply: within_of_ratio => y; rewrite mul1r.
Qed.

(* Equal values have one draw: D are the distinct ones. Which marks hold the same one is
   public, and so is how the text is written from the draws. One value is replaced at all its
   places. *)
Theorem distinct_marks_private (D Z : finType) (type : D -> T) (x x' : D -> X) (j : D)
    (write : {ffun D -> {t : T & Y t}} -> Z) :
  (forall k, k != j -> x k = x' k) ->
  within (e (type j)) (fun z => \sum_y draws (fun k => surrogate (type k)) x y * (write y == z)%:R)
                      (fun z => \sum_y draws (fun k => surrogate (type k)) x' y * (write y == z)%:R).
Proof.
by move=> same; apply: post_processing => [y z|]; [exact: ler0n | exact: marks_private].
Qed.
End Marks.
