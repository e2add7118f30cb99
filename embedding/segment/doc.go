// Package segment cuts text into the words of a table by rules that the table stores.
//
// A table without rules is cut by the rules for English of package text. The rules of
// this package are of two kinds. Both cut a text in Unicode's composed form (NFC) at the
// word boundaries of UAX 29, and at every sign inside a word but these: a full stop or a
// comma between digits, and the signs that Catalan and Hebrew write inside words. An
// apostrophe between letters belongs to the shorter side, or to the left one where both
// are as long: l'homme is l' and homme, Ankara'da is Ankara and 'da. A URL or an e-mail
// address is one word: see [Addresses]. White space, control characters and the invisible
// marks of writing direction separate or vanish.
//
//   - [Words] does no more. A script that does not separate its words, such as Han or
//     Thai, is cut as UAX 29 does: for most of them at every character.
//   - [Pieces] cuts runs of such scripts into pieces of a list: those whose costs add up
//     to the least (a unigram model; Kudo 2018). All else is cut as by Words.
//
// A word of a table is written in lower case by the rules of a language, its folded form.
// How a word is written in a sentence is part of the rules: Haus is the form of haus.
//
// What the rules do to a text follows from the text and from public rules alone. How many
// words a text has, and where each ends, is not hidden by a mechanism that replaces
// words one by one, and a piece is a word then.
package segment
