package tokenize

import (
	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/embedding/subword"
)

// Vocabulary is the part of a table that the rules need.
type Vocabulary interface {
	Len() int
	Lookup(word string) (embedding.ID, bool)
	Word(id embedding.ID) string
	Unknown() embedding.ID
	// Segmentation returns the rules that cut texts into words; nil means those of this
	// package, which are for English.
	Segmentation() *segment.Rules
}

// Tokenizer applies the rules for one vocabulary. It is for one goroutine.
type Tokenizer struct {
	lexicon    *lexicon
	tokens     [waitingTokens]key // that are cut and not yet looked up
	waiting    int
	found      [waitingTokens]value
	long       map[string][]embedding.ID // the memo of tokens that are too long for memo
	boundaries *words.Iterator[[]byte]
	scratch    []embedding.ID
	reread     []embedding.ID
	unknown    string     // how the unknown entry is written; empty: as in the vocabulary
	segmented  *segmented // for a vocabulary with rules of segmentation; nil for English

	subwords *subword.Tokenizer // of a vocabulary of tokens; nil for words

	cutsAddresses bool
}

// subwordsOf returns the tokenizer of a vocabulary whose entries are not words.
func subwordsOf(v Vocabulary) *subword.Tokenizer {
	if t, ok := v.(*embedding.Table); ok {
		return t.Subwords()
	}
	return nil
}

// subtokens appends the tokens of a text.
func (t *Tokenizer) subtokens(dst []embedding.ID, text []byte) ([]embedding.ID, int) {
	unknown := t.subwords.Each(text, func(id uint32) { dst = append(dst, embedding.ID(id)) })
	return dst, unknown
}

// CutAddresses makes Tokenize cut addresses as it cuts other text. It is for uses that
// reveal neither the number of tokens nor the replacement of each.
func (t *Tokenizer) CutAddresses() {
	t.cutsAddresses = true
	if t.segmented != nil {
		t.segmented.cutter.CutAddresses()
	}
}

// WriteUnknown sets the text that Detokenize writes for the unknown entry; empty means its
// spelling in the vocabulary.
func (t *Tokenizer) WriteUnknown(form string) { t.unknown = form }

// add appends the entries of a token.
func (t *Tokenizer) add(dst, entries []embedding.ID, unknown int) ([]embedding.ID, int) {
	for _, id := range entries {
		unknown += oneIf(id == t.lexicon.missing)
	}
	return append(dst, entries...), unknown
}

// end returns where the token that begins at at ends: Unicode's next word boundary.
func (t *Tokenizer) end(text []byte, at int) int {
	if end := plainEnd(text, at); end > 0 {
		return end
	}
	t.boundaries.SetText(text[at:])
	t.boundaries.Next()
	return at + t.boundaries.End()
}
