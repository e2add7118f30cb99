package sotto

import (
	"iter"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// vocabulary tokenizes texts into words of a table and writes words as text. It is safe
// for concurrent use.
type vocabulary struct {
	table      *embedding.Table
	unknown    string    // how the unknown entry is written; empty: as in the table
	tokenizers sync.Pool // of *tokenize.Tokenizer, clones of first
	once       sync.Once
	first      *tokenize.Tokenizer
}

func (v *vocabulary) tokenizer() *tokenize.Tokenizer {
	if t, ok := v.tokenizers.Get().(*tokenize.Tokenizer); ok {
		return t
	}
	v.once.Do(func() {
		v.first = tokenize.NewTokenizer(v.table)
		v.first.WriteUnknown(v.unknown)
	})
	return v.first.Clone()
}

// wordBytes is more than a word takes, on average, with the space before it.
const wordBytes = 8

// write returns texts made of words.
func (v *vocabulary) write(words [][]embedding.ID) copies {
	tokenizer := v.tokenizer()
	defer v.tokenizers.Put(tokenizer)
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
	return copies{texts: texts, pieces: func() [][]string { return v.pieces(words) }}
}

func (v *vocabulary) pieces(words [][]embedding.ID) [][]string {
	tokenizer := v.tokenizer()
	defer v.tokenizers.Put(tokenizer)
	pieces := make([][]string, len(words))
	for i, w := range words {
		pieces[i] = tokenizer.Pieces(w)
	}
	return pieces
}

// tokenized is a batch of tokenized texts.
type tokenized struct {
	vocabulary *vocabulary
	tokens     []embedding.ID
	ends       []int // of each text, in tokens
	content    Content
}

func (v *vocabulary) tokenize(texts [][]byte) *tokenized {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	b := &tokenized{vocabulary: v, tokens: make([]embedding.ID, 0, size/4+1), ends: make([]int, 0, len(texts))}
	tokenizer := v.tokenizer()
	defer v.tokenizers.Put(tokenizer)
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

func (b *tokenized) length(text int) int {
	if text == 0 {
		return b.ends[0]
	}
	return b.ends[text] - b.ends[text-1]
}

func (b *tokenized) words(text int) iter.Seq[ReadWord] {
	table := b.vocabulary.table
	return func(yield func(ReadWord) bool) {
		for _, id := range b.tokens[b.ends[text]-b.length(text) : b.ends[text]] {
			if !yield(ReadWord{table.Word(id), id != table.Unknown()}) {
				return
			}
		}
	}
}
