// Package segment cuts text into the words of a table by rules that the table stores.
//
// A table without rules is cut by the rules for English of package text. The rules of
// this package are of two kinds. Both cut a text in Unicode's composed form (NFC) at the
// word boundaries of UAX 29, and at all punctuation inside a word. The exceptions are a
// full stop or a comma between digits, and the punctuation that Catalan and Hebrew write
// inside words. An apostrophe between letters belongs to the shorter side, or to the left
// side if both have the same length: l'homme is l' and homme, Ankara'da is Ankara and 'da.
// A URL or an e-mail address is one word: see [Addresses]. White space and control
// characters separate words. Invisible marks of writing direction are dropped.
//
//   - [Words] does only this. A script that does not separate its words, such as Han or
//     Thai, is cut as UAX 29 specifies: in most such scripts, at every character.
//   - [Pieces] cuts runs of such scripts into the pieces of a list with the smallest total
//     cost (a unigram model; Kudo 2018). Other text is cut as by Words.
//
// A table holds each word in its folded form: in lower case by the rules of a language. The
// rules also hold how a word is written in a sentence: Haus is the form of haus.
//
// The result depends only on the text and the public rules. A mechanism that replaces words
// one by one does not hide the number of words, or where each ends; a piece counts as a
// word.
package segment
