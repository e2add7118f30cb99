(* What runs: the draw of a row, and the checker of certificates. Nothing is replaced by
   numbers of OCaml: the extracted program computes with the binary numbers of the proofs. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Sotto Require Import draw certificate.
Extraction Language OCaml.
Extraction "sotto_proofs.ml" draw_row check.
