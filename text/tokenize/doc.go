// Package tokenize turns text into word numbers and back by public rules.
//
// The vocabulary determines the rules. Those of package [segment] are for any language. The
// following rules are for English, and for a vocabulary without rules of its own.
//
// # Tokens
//
// The text is cut at Unicode's word boundaries (UAX 29), and white space is dropped. Each
// remaining token becomes one or more entries of a vocabulary, by rules that read only the
// token and the public vocabulary:
//
//   - lower case and Unicode's composed form (NFC); typographic quotes become
//     plain ones, dashes and the ellipsis "--" and "..." where the vocabulary has
//     these, "-" and "." otherwise; a word is looked up in lower case, then as
//     spelled;
//   - contractions expand: don't is do not, can't can not, won't will not, I'm i
//     am, we've we have, she'll she will, they'd they would, let's let us; 's is the
//     entry is after it, he, she, that, this, what, who, where, when, why, how, there
//     and here, and any other 's is the entry 's;
//   - a is the entry an where the vocabulary lacks a;
//   - numbers that the vocabulary lacks: 0 to 20, tens, 100, 1000 and 1000000 are
//     spelled out, as are the ordinals up to 20th; any other is the entry <num>,
//     or unknown where there is none;
//   - a URL or an e-mail address is one token, as in [segment.Addresses];
//   - a compound that the vocabulary lacks (example.com) is cut at its punctuation;
//   - <unk> and <num> are read as these entries, if the vocabulary has them;
//   - everything else is the vocabulary's unknown entry.
//
// Every token becomes an entry, and no part of the input is copied.
//
// # Back to text
//
// [Tokenizer.Detokenize] reads output entries only: no space before closing
// punctuation, quotes open and close in turn, a capital at the start and after
// a full stop, I for i, a or an by the next word. A vocabulary may have entries that the
// rules for tokens cut. [ReleaseReader] reads them in a detokenized text.
package tokenize
