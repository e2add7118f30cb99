package tokenize

import (
	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/subword"
)

// Tokenizer applies the rules for one vocabulary. It is for one goroutine.
type Tokenizer struct {
	lexicon    *lexicon
	tokens     [waitingTokens]key // that are cut and not yet looked up
	waiting    int
	found      [waitingTokens]value
	long       map[string][]embedding.ID // the memo of tokens that are too long for memo; nil: none
	boundaries boundaries
	scratch    []embedding.ID
	reread     []embedding.ID
	entry      []byte
	unknown    string     // how the unknown entry is written; empty: as in the vocabulary
	segmented  *segmented // for a vocabulary with rules of segmentation; nil for English

	subwords *subword.Tokenizer // of a vocabulary of tokens; nil for words

	cutsAddresses bool
}

// boundaries finds Unicode's words. The field is no *words.Iterator[[]byte], because every
// package that imports an instance of a generic type compiles all its methods again.
type boundaries interface {
	SetText(text []byte)
	Next() bool
	End() int
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

// NewTokenizer makes the tokenizer of a vocabulary.
func NewTokenizer(v Vocabulary) *Tokenizer {
	if v.Segmentation() != nil || subwordsOf(v) != nil {
		return (&lexicon{vocabulary: v}).tokenizer()
	}
	return newLexicon(v).tokenizer()
}

func (l *lexicon) tokenizer() *Tokenizer {
	if tokens := subwordsOf(l.vocabulary); tokens != nil {
		return &Tokenizer{lexicon: l, subwords: tokens}
	}
	if rules := l.vocabulary.Segmentation(); rules != nil {
		return &Tokenizer{lexicon: l, segmented: newSegmented(l.vocabulary, rules)}
	}
	return &Tokenizer{lexicon: l, long: map[string][]embedding.ID{}, boundaries: words.FromBytes(nil)}
}

// Clone returns a tokenizer of the same vocabulary, with the same settings, for another
// goroutine. The two share what they find out about tokens and entries.
func (t *Tokenizer) Clone() *Tokenizer {
	c := t.lexicon.tokenizer()
	c.WriteUnknown(t.unknown)
	if t.cutsAddresses {
		c.CutAddresses()
	}
	return c
}
