// Package evaluation describes a release of texts to whoever is offered it: what is guaranteed,
// how varied and how long its texts are, what a reader can learn of a private record, and what
// a learner gains.
//
// It reads the texts that came out, their report and public data, so an evaluation of these
// is post-processing. It sees no private text. What it says of the private records are the
// noisy figures of the report, which the release has paid for. Only the caller's measurement
// of a learner may be more private: [Learned] says what was read.
package evaluation
