package subword

import (
	"slices"
	"strings"
)

// Tokenizer cuts texts. It is immutable and safe for concurrent use.
type Tokenizer struct {
	tokens    []string // by identifier
	unknown   int      // the token for what the model does not know, which texts are read without; -1 for none
	longest   int      // tokens of a text, 0 for any number
	raw       *addedTokens
	folded    *addedTokens // matched after the normaliser
	normalise normaliser
	cut       preTokenizer
	model     model
	stored    []byte
}

// Tokens returns the vocabulary by identifier. The caller must not change it.
func (t *Tokenizer) Tokens() []string { return t.tokens }

// Unknown returns the token for what the model does not know. It is never one of a text's.
func (t *Tokenizer) Unknown() (token string, ok bool) {
	if t.unknown < 0 {
		return "", false
	}
	return t.tokens[t.unknown], true
}

// Marshal returns the tokenizer without its vocabulary, for Parse.
func (t *Tokenizer) Marshal() []byte { return t.stored }

// Each calls yield with the identifiers of a text's tokens, and returns how often the text
// has what the model does not know. A text is any bytes: those that are no UTF-8 count as
// U+FFFD.
func (t *Tokenizer) Each(text []byte, yield func(id uint32)) (unknown int) {
	taken := 0
	take := func(id int) {
		if taken++; t.longest > 0 && taken > t.longest {
			return
		}
		if id == t.unknown {
			unknown++
			return
		}
		yield(uint32(id))
	}
	for _, p := range t.pieces(strings.ToValidUTF8(string(text), "\uFFFD")) {
		if t.longest > 0 && taken >= t.longest {
			break
		}
		if p.token >= 0 {
			take(p.token)
		} else {
			t.model.tokens(p.text, take)
		}
	}
	return unknown
}

// pieces finds the added tokens and cuts the text between them into words.
func (t *Tokenizer) pieces(text string) (words []piece) {
	for _, p := range t.raw.split([]piece{{text, -1, true}}) {
		if p.token < 0 {
			p.text = t.normalise(p.text)
		}
		for _, q := range t.folded.split([]piece{p}) {
			if q.token >= 0 {
				words = append(words, q)
			} else if q.text != "" {
				words = append(words, t.cut([]piece{q})...)
			}
		}
	}
	return slices.DeleteFunc(words, func(p piece) bool { return p.token < 0 && p.text == "" })
}
