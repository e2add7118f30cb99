// Package subword cuts texts into the tokens of a tokenizer.json, the file in which the
// library tokenizers describes a tokenizer: a normaliser, a pre-tokenizer, and a model
// (WordPiece, BPE, Unigram or WordLevel) with its vocabulary. Encoders of texts such as
// model2vec are published with one.
//
// A tokenizer gives the tokens that the library gives for a text that is encoded alone and
// without special tokens. What a file asks for that this package cannot do is an error that
// names it. A post-processor and a decoder are not read: they add special tokens, and turn
// tokens into text.
package subword
