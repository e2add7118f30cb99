package unit

import (
	"iter"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Vocabulary tokenizes texts into words of a table and writes words as text. It is safe
// for concurrent use.
type Vocabulary struct {
	Table      *embedding.Table
	unknown    string    // how the unknown entry is written; empty: as in the table
	tokenizers sync.Pool // of *tokenize.Tokenizer, clones of first
	once       sync.Once
	first      *tokenize.Tokenizer
}

// Tokenizer returns a tokenizer for one goroutine, which gives it back by Done.
func (v *Vocabulary) Tokenizer() *tokenize.Tokenizer {
	if t, ok := v.tokenizers.Get().(*tokenize.Tokenizer); ok {
		return t
	}
	v.once.Do(func() {
		v.first = tokenize.NewTokenizer(v.Table)
		v.first.WriteUnknown(v.unknown)
	})
	return v.first.Clone()
}

// Done gives a tokenizer back.
func (v *Vocabulary) Done(t *tokenize.Tokenizer) { v.tokenizers.Put(t) }

// wordBytes is more than a word takes, on average, with the space before it.
const wordBytes = 8

// write returns texts made of words.
func (v *Vocabulary) write(words [][]embedding.ID) release.Drawn {
	tokenizer := v.Tokenizer()
	defer v.Done(tokenizer)
	tokens := 0
	for _, w := range words {
		tokens += len(w)
	}
	texts := make([][]byte, len(words))
	all := make([]byte, 0, wordBytes*tokens)
	for i, w := range words {
		from := len(all)
		all = tokenizer.Detokenize(all, w)
		texts[i] = all[from:len(all):len(all)]
	}
	return release.Drawn{Texts: texts, Pieces: func() [][]string { return v.pieces(words) }}
}

func (v *Vocabulary) pieces(words [][]embedding.ID) [][]string {
	tokenizer := v.Tokenizer()
	defer v.Done(tokenizer)
	pieces := make([][]string, len(words))
	for i, w := range words {
		pieces[i] = tokenizer.Pieces(w)
	}
	return pieces
}

// tokenized is a batch of tokenized texts.
type tokenized struct {
	vocabulary *Vocabulary
	tokens     []embedding.ID
	ends       []int // of each text, in tokens
	content    statement.Content
}

func (v *Vocabulary) tokenize(texts [][]byte) *tokenized {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	b := &tokenized{vocabulary: v, tokens: make([]embedding.ID, 0, size/4+1), ends: make([]int, 0, len(texts))}
	tokenizer := v.Tokenizer()
	defer v.Done(tokenizer)
	for _, t := range texts {
		var unknown int
		b.tokens, unknown = tokenizer.Tokenize(b.tokens, t)
		b.ends = append(b.ends, len(b.tokens))
		b.content.UnknownTokens += unknown
	}
	return b
}

// split divides one word per token of the batch into texts.
func (b *tokenized) split(words []embedding.ID) [][]embedding.ID {
	texts := make([][]embedding.ID, len(b.ends))
	at := 0
	for i, end := range b.ends {
		texts[i], at = words[at:end:end], end
	}
	return texts
}

func (b *tokenized) Length(text int) int {
	if text == 0 {
		return b.ends[0]
	}
	return b.ends[text] - b.ends[text-1]
}

func (b *tokenized) Words(text int) iter.Seq[embedding.ID] {
	return slices.Values(b.tokens[b.ends[text]-b.Length(text) : b.ends[text]])
}

// Tally adds the tokens.
func (b *tokenized) Tally(to *release.Tally) {
	counts := to.Of(b.vocabulary.Table.Len())
	for _, id := range b.tokens {
		counts[id]++
	}
}

// Shared returns nil: no scope shares replacements.
func (*tokenized) Shared() release.Shared { return nil }
