// Package corpus holds codebooks of whole texts: public texts, one vector per text, and
// the encoder that gives any other text a vector of the same kind.
//
// A mechanism for whole texts replaces a private text by one of the corpus. It prefers
// the k texts nearest to the private one, which [Corpus.Nearest] returns. The mechanism's
// guarantee needs two properties of this package, and no others:
//
//   - every input has exactly k texts: empty, huge, in any language, random bytes;
//   - the set depends on the corpus and that one input only.
//
// A poor encoder costs usefulness, never privacy.
//
// # The grid
//
// Vectors are rounded to integers: a vector of Dim components is scaled to the length
// [Radius], and each component is rounded to an integer from -127 to 127. Texts are
// ranked by the inner product of these integers, greatest first, and equal ones by index.
// Inner products are exact, so a set is the same on every machine. A text without a
// vector (because none of its words is known, for example) has the zero vector, whose set
// is the first k texts.
//
// # Public data only
//
// Only [Encoder.Encode] reads private text, one text at a time. The texts, their choice
// and order, the encoder and everything fitted are public, and the builder of a corpus
// declares so. Do not choose a corpus by a computation on private texts, and do not remove
// texts because they also occur in private data. Both reveal something about the private
// texts, and no claim accounts for that.
//
// # Files
//
// [Builder.Build] makes a corpus, [Corpus.WriteFile] writes it, and [Open] reads it and
// checks its digests. The same texts, options and version give the same bytes on every
// machine and for any number of processors.
package corpus
