package unit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// unknownEntry is the spelling of an entry that is for unknown tokens only.
const unknownEntry = "<unk>"

// mostUnknownBytes bounds Words.Unknown.
const mostUnknownBytes = 64

// NewVocabulary returns the vocabulary of a table. Its unknown entry is written in the given
// form; empty means its spelling.
func NewVocabulary(table *embedding.Table, unknown string) (*Vocabulary, error) {
	v := &Vocabulary{Table: table}
	return v, v.setUnknown(unknown)
}

// setUnknown makes the vocabulary write its unknown entry in another form. The form must
// be read as that entry again, wherever it is written: what corrects or restores a release
// reads it. It is a constant, the same whatever the texts are. Without a form, the entry's
// spelling is written: [embedding.Table.Without] refuses a list that has it.
func (v *Vocabulary) setUnknown(form string) error {
	if form == "" {
		return nil
	}
	if v.Table.Word(v.Table.Unknown()) != unknownEntry {
		return privacy.Unwanted("sotto", "unknown", "here: the table has no entry "+unknownEntry+", so a word represents unknown ones")
	}
	printable := utf8.ValidString(form) && len(form) <= mostUnknownBytes && !strings.ContainsFunc(form, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
	if v.Table.Forbids(form) { // it may be listed and not in the table
		return privacy.Wrong("sotto", "unknown", fmt.Sprintf("%q is on the list of words that never come out", form), "choose another word")
	}
	v.unknown = form
	switch id, known := v.Table.Lookup(form); {
	case known && id != v.Table.Unknown():
		return privacy.Wrong("sotto", "unknown", fmt.Sprintf("%q is in the table", form), "choose a word that it lacks")
	case !printable:
		return privacy.Wrong("sotto", "unknown", fmt.Sprintf("%q is not one printable word of at most %d bytes", form, mostUnknownBytes), "choose a word such as zzz")
	case !v.reads():
		return privacy.Wrong("sotto", "unknown", fmt.Sprintf("%q is not read as one unknown word beside all punctuation", form), "choose a word such as zzz")
	}
	return nil
}

// reads reports whether texts of unknown entries and signs are read as they were written.
func (v *Vocabulary) reads() bool {
	unknown := v.Table.Unknown()
	signs := []embedding.ID{unknown}
	for _, s := range []string{"the", "'s", ".", ",", "-", "/", "_", "'", `"`, "(", ")", "$", "%", ":", "<", ">", "&", "#", "@"} {
		if id, ok := v.Table.Lookup(s); ok && v.Table.Word(id) == s {
			signs = append(signs, id)
		}
	}
	own, plain := v.Tokenizer(), (&Vocabulary{Table: v.Table}).Tokenizer()
	for _, before := range signs {
		for _, after := range signs {
			want := []embedding.ID{before, unknown, after}
			got, _ := own.Tokenize(nil, own.Detokenize(nil, want))
			usual, _ := plain.Tokenize(nil, plain.Detokenize(nil, want))
			if !slices.Equal(got, want) && slices.Equal(usual, want) {
				return false
			}
		}
	}
	return true
}
