// Package learn fits classifiers to released text. The channel of the release is public,
// so the learner uses it: it estimates how the labels depend on the private texts, not on
// the public texts that replaced them.
//
// A release of a private text x with label y is a public text z: one of the k texts
// nearest to x with probability l, and any of the M texts otherwise, where
//
//	l = (e^epsilon - 1) k / (k e^epsilon + M - k).
//
// [Fit] maximises the likelihood of the labels given the releases,
//
//	P(y | z) = l p(y | z) + (1 - l) prior(y),
//
// with a ridge penalty that is cross-validated on the releases. Features are vectors of texts
// and, with a [Vocabulary], their terms and pairs of neighbouring terms. How much terms weigh
// is cross-validated too. A vocabulary is fitted to public texts, or to those that a model of
// plain text learns from. Two models of p are available. By default p(y | z) is the softmax of a linear function of the features of z.
// With [Origins], p(y | z) is the mean of that softmax over public texts x' whose sets
// contain z, which approximate the private text. This corrects for the randomness of the
// channel, and is better at small epsilon. Section Origins in docs/results/learning.md has
// figures.
//
// A synthetic corpus reveals only the cell of a public corpus that a private text is in.
// The class probabilities of a cell are then the mean of the softmax over the texts of the
// cell, or those of each of its texts. [FitReleases] fits both models and takes the mean of
// their logits.
//
// What words for labels teach ([FromWords]) is evidence of its own: its scores, without the
// shares of labels among public texts, are added to what is learnt without it. They count less
// where a release contradicts them. Its held-out labels do not choose their weight: they are
// those of cells or of sets of texts, and ask for less than is best for texts.
//
// A model of releases and public data alone is post-processing of the releases, however
// often it is fitted. The same function fits plain text (the zero [Channel]) and weighted
// rows. A model of plain text, or of released vectors with plain labels, is as private as
// these, and figures of a private test set are as private as that set. [Source] records
// what a model was fitted to.
package learn
