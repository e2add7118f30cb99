(* Below: a uniform number below n from uniform words below W, by multiplication and
   rejection (Lemire 2019). Every value comes from exactly floor(W/n) words. *)
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* The word u has the product u n = high W + low. It is refused if low is below W mod n. *)
Definition below (W n u : nat) : option nat :=
  if u * n %% W < W %% n then None else Some (u * n %/ W).

(* Numbers from a to b - 1 among those below W. *)
Lemma count_interval W a b : a <= b -> b <= W ->
  count (fun u => a <= u < b) (iota 0 W) = b - a.
Proof.
move=> ab bW; have -> : W = a + ((b - a) + (W - b)) by lia.
have zero s : (forall u, u \in s -> ~~ (a <= u < b)) -> count (fun u => a <= u < b) s = 0.
  by move=> out; apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn.
have -> : a + ((b - a) + (W - b)) = a + (b - a) + (W - b) by lia.
rewrite !iotaD !count_cat add0n.
have -> : count (fun u => a <= u < b) (iota a (b - a)) = b - a.
  rewrite -[RHS](size_iota a) -count_predT; apply: eq_in_count => u.
  by rewrite mem_iota subnKC.
by rewrite !zero ?add0n ?addn0 // => u; rewrite mem_iota; lia.
Qed.

(* An interval of q n numbers holds q multiples of n. *)
Lemma count_multiples W n q a : 0 < n -> a + q * n <= W * n ->
  count (fun u => a <= u * n < a + q * n) (iota 0 W) = q.
Proof.
move=> n0 top; pose c := (a + n.-1) %/ n.
have first u : (a <= u * n) = (c <= u).
  by rewrite /c -[in LHS](leq_add2r n.-1) -ltnS -[RHS]ltnS ltn_divLR //; nia.
have next u : (u * n < a + q * n) = (u < c + q).
  case: (ltnP u q) => uq.
    have : u * n < q * n by rewrite ltn_pmul2r.
    by lia.
  have := first (u - q); rewrite mulnBl; have : q * n <= u * n by rewrite leq_mul2r uq orbT.
  by lia.
rewrite (eq_count (a2 := fun u => c <= u < c + q)) => [|u]; last by rewrite first next.
rewrite count_interval ?leq_addr ?addKn // leqNgt -next -leqNgt //.
Qed.

Section Counts.
Variables W n : nat.
Hypothesis n_positive : 0 < n.

(* The words of the value v are those whose product is in an interval of W - W mod n. *)
Lemma below_interval u v : 0 < W ->
  (below W n u == Some v) = (v * W + W %% n <= u * n < v * W + W %% n + (W %/ n) * n).
Proof.
move=> W0; have Wn := divn_eq W n; have un := divn_eq (u * n) W.
have lowW := ltn_pmod (u * n) W0; rewrite /below.
have up a b : a <= b -> a * W <= b * W by move=> ab; rewrite leq_mul2r ab orbT.
move: (u * n %/ W) (u * n %% W) (W %/ n * n) un lowW Wn => high low q -> lowW Wn.
have [hv|vh|->] := ltngtP high v; last first.
  by case: ifP => lt; [rewrite (_ : (None == _) = false) // | rewrite eqxx]; lia.
- have := up _ _ vh; rewrite mulSn => ?; rewrite (_ : (if _ then _ else _) == _ = false); first by lia.
  by case: ifP => // _; apply/negbTE/eqP => -[E]; lia.
- have := up _ _ hv; rewrite mulSn => ?; rewrite (_ : (if _ then _ else _) == _ = false); first by lia.
  by case: ifP => // _; apply/negbTE/eqP => -[E]; lia.
Qed.

Theorem below_exact v : v < n ->
  count (fun u => below W n u == Some v) (iota 0 W) = W %/ n.
Proof.
case: (posnP W) => [-> _|W0 vn]; first by rewrite div0n.
rewrite (eq_count (fun u => below_interval u v W0)) count_multiples //.
by have := divn_eq W n; nia.
Qed.

Lemma below_range u v : u < W -> below W n u = Some v -> v < n.
Proof.
move=> uW; rewrite /below; case: ifP => // _ [<-].
by rewrite ltn_divLR ?(leq_ltn_trans _ uW) // mulnC ltn_pmul2l.
Qed.

(* The rest is refused. *)
Theorem below_refused : count (fun u => below W n u == None) (iota 0 W) = W %% n.
Proof.
have parts : forall s, all (fun u => u < W) s ->
    count (fun u => below W n u == None) s
    + \sum_(v < n) count (fun u => below W n u == Some (val v)) s = size s.
  elim=> [|u s IH] /=; first by rewrite big1.
  case/andP=> uW /IH {IH} <-; rewrite big_split /= addnACA -[RHS]add1n; congr (_ + _).
  case: (below W n u) (@below_range u) => [v /(_ v uW erefl) vn|_] /=.
    rewrite (bigD1 (Ordinal vn)) //= eqxx big1 ?addn0 // => i /eqP far.
    by apply/eqP; rewrite eqb0; apply/eqP => -[vi]; apply: far; apply: val_inj.
  by rewrite big1.
have all_below : all (fun u => u < W) (iota 0 W).
  by apply/allP => u; rewrite mem_iota; lia.
move: (parts _ all_below); rewrite size_iota (eq_bigr (fun=> W %/ n)) => [|v _]; last exact: below_exact (ltn_ord v).
by rewrite sum_nat_const card_ord => sum; have := divn_eq W n; lia.
Qed.

(* At most half of the words are refused. *)
Theorem below_half : n <= W -> 2 * (W %% n) <= W.
Proof. by move=> nW; have := divn_eq W n; have := ltn_pmod W n_positive; have := divn_gt0 W n_positive; nia. Qed.
End Counts.

(* A narrow source inside a wide one: words below V, drawn below n W/V of W, give what
   words below V give below n. So a sampler of 64-bit words, given short words and
   bounds that are shifted, is the same sampler with short words. *)
Theorem below_narrow V s n u : 0 < s -> below (V * s) (n * s) u = below V n u.
Proof.
move=> s0; rewrite /below mulnA -!muln_modl // ltn_pmul2r // divnMr //.
Qed.
