// Package synthesis makes a private copy of a whole corpus: public texts with labels, in
// numbers that are differentially private counts of the private records. The program that
// runs it holds the private records and is trusted; readers of the output are not.
//
// Each private record votes for one cell: its label, and the cluster of public texts
// whose centre is nearest to its text. The counts of all cells, seen or not, get exact
// integer noise. All later steps read only those noisy counts and public data. The claim is
// for one record with its labels, or for all records of a user, added or removed;
// synthesis.md has the proof of each release.
//
// [New] makes a plan from public data and parameters. [Plan.Vote] turns records into
// votes, concurrently; [Counts.Add] counts them, and [Counts.Merge] adds counts of other
// workers. [Plan.Release] adds the noise, once. The release then writes its rows with
// [Release.Rows] and states what holds with [Release.Statement].
//
// Every record votes. A record votes for the fixed cell [Other] if its label is not in the
// public set, or if its text is empty, longer than [MaxText], not UTF-8 or without a
// vector. No content of a record causes an error.
//
// Votes and Counts are exact and as private as the records. Printing them shows nothing,
// and [Counts.MarshalBinary] is only for other workers.
package synthesis
