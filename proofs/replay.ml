(* Runs the extracted programs on what standard input says, one answer a line. Numbers are
   hexadecimal.

     row M K LIFT TOTAL alone Y          the row of the draws that follow: a set of one output,
     row M K LIFT TOTAL listed Y ...     of a list in the order of ranks,
     row M K LIFT TOTAL marked Y ...     or of outputs that are tried
     draw U ...                          prints the output and the number of words read
     check TERMS M K HIGH LOW SUM N D    prints whether the certificate for epsilon = N/D holds *)
open Sotto_proofs

let width = 64

let number s =
  let digit c = int_of_string ("0x" ^ String.make 1 c) in
  let bit s i =
    let d = digit s.[String.length s - 1 - i / 4] in
    d lsr (i mod 4) land 1 = 1 in
  let bits = 4 * String.length s in
  let rec top i = if i >= 0 && not (bit s i) then top (i - 1) else i in
  let rec upward i last = (* the number from bit i to the last *)
    if i = last then XH else if bit s i then XI (upward (i + 1) last) else XO (upward (i + 1) last) in
  match top (bits - 1) with -1 -> N0 | last -> Npos (upward 0 last)

let rec int_of_positive = function
  | XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> 2 * int_of_positive p + 1
let int_of = function N0 -> 0 | Npos p -> int_of_positive p
let rec nat_of i = if i = 0 then O else S (nat_of (i - 1))
let n_of i = number (Printf.sprintf "%x" i)
let small s = int_of (number s)

let members kind outputs = match kind, outputs with
  | "alone", [y] -> Alone y
  | "listed", ys -> let ys = Array.of_list ys in Listed (fun rank -> ys.(int_of rank))
  | "marked", ys ->
    let inside = Hashtbl.create 64 in
    List.iter (fun y -> Hashtbl.replace inside y ()) ys;
    Marked (Hashtbl.mem inside)
  | _ -> failwith ("a row of members " ^ kind)

let row = ref None
let w = n_of width

let answer line = match String.split_on_char ' ' line with
  | "row" :: m :: k :: lift :: total :: kind :: ys ->
    row := Some { row_items = number m; row_size = number k; row_lift = number lift;
                  row_total = number total; row_members = members kind (List.map number ys) }
  | "draw" :: us ->
    let tape = List.map number us in
    (match !row with
     | None -> failwith "a draw before its row"
     | Some r -> (match draw_row w r tape with
         | Some (y, rest) -> Printf.printf "%d %d\n" (int_of y) (List.length tape - List.length rest)
         | None -> print_endline "the tape is too short"))
  | ["check"; terms; m; k; high; low; sum; n; d] ->
    let c = { outputs = number m; set_size = number k; high = number high; low = number low;
              row_sum = number sum; epsilon_num = number n; epsilon_den = number d } in
    Printf.printf "%b\n" (check w (nat_of (small terms)) c)
  | _ -> failwith ("what is " ^ line)

let () = try while true do answer (input_line stdin) done with End_of_file -> ()
