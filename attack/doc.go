// Package attack measures what a reader of releases recovers: a reader who knows the
// public channel and, for words, a public language model.
//
// Each text is released once and the release attacked. Figures are the shares of
// attacks that succeed, with intervals. They are lower bounds on what readers can do: a
// better model recovers more. For linkage the attack is the best one: it compares the
// exact likelihoods of the candidates.
//
// Figures reveal something about the texts. Those of private texts are as private as the
// texts.
package attack
