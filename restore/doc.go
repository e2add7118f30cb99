// Package restore computes the posterior of the original words of a word-level
// release, given the public channel and a public language model:
//
//	P(x|y) is proportional to P(x) prod_t P(y_t|x_t)
//
// It is both an attack on such a release, the one that package attack measures, and a way to
// make it readable. A better model makes a stronger attack. The package reads outputs and a
// model, so with a model of public text it is post-processing of the release.
//
// A [Decoder] reads a text into a [Lattice]: at each position the likeliest pairs of
// a state of the model and a word, with all edges between them. Hypotheses in the same
// state with the same last word have the same future, so they are merged exactly. If
// nothing was left out, every figure of the lattice is exact.
//
// A lattice of only the likeliest nodes treats the others as impossible. Where the channel
// says little, these have most of the weight: the lattice is then over-confident and names
// fewer words than the best guess from each output alone. So one more node at each position
// represents all that is left out. It continues without context, and its words have chances
// by the context-free posterior. Its weight is an estimate.
//
// With [Options.Unbiased] the nodes are chosen at random and weighted, so that the expected
// weight of every sequence is its true weight (Fearnhead and Clifford, "On-line inference
// for hidden Markov models via particle filters", 2003). Stated confidences and samples
// come from such lattices.
package restore
