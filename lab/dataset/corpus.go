package dataset

import (
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Corpus holds texts as words of one table. Text i is Words[Ends[i-1]:Ends[i]]; the first
// begins at 0.
type Corpus struct {
	Words   []embedding.ID
	Ends    []int
	Labels  []int
	Unknown int // tokens that the table lacks
}

// Encode applies the public tokenizer of a table to every text.
func Encode(table *embedding.Table, s Split) Corpus {
	t := tokenize.NewTokenizer(table)
	c := Corpus{Labels: s.Labels}
	for _, body := range s.Texts {
		var unknown int
		c.Words, unknown = t.Tokenize(c.Words, []byte(body))
		c.Ends = append(c.Ends, len(c.Words))
		c.Unknown += unknown
	}
	return c
}

// Len returns the number of texts.
func (c Corpus) Len() int { return len(c.Ends) }

// Text returns the words of text i.
func (c Corpus) Text(i int) []embedding.ID {
	from := 0
	if i > 0 {
		from = c.Ends[i-1]
	}
	return c.Words[from:c.Ends[i]]
}

// With returns the same texts with each word replaced by the one at its position.
func (c Corpus) With(words []embedding.ID) Corpus {
	c.Words = words
	return c
}

// Distinct returns the words that occur, sorted.
func (c Corpus) Distinct() []embedding.ID {
	d := slices.Clone(c.Words)
	slices.Sort(d)
	return slices.Compact(d)
}

// Shares returns the relative frequency of each of n words.
func (c Corpus) Shares(n int) []float64 {
	shares := make([]float64, n)
	for _, x := range c.Words {
		shares[x] += 1 / float64(len(c.Words))
	}
	return shares
}

// Part returns the texts [from, to).
func (c Corpus) Part(from, to int) Corpus {
	begin := 0
	if from > 0 {
		begin = c.Ends[from-1]
	}
	out := Corpus{Labels: c.Labels[from:to]}
	for i := from; i < to; i++ {
		out.Words = append(out.Words, c.Text(i)...)
		out.Ends = append(out.Ends, c.Ends[i]-begin)
	}
	return out
}

// Halves returns the first and the second half of the texts.
func (c Corpus) Halves() (a, b Corpus) { return c.Part(0, c.Len()/2), c.Part(c.Len()/2, c.Len()) }

// Texts returns the words of each text.
func (c Corpus) Texts() [][]embedding.ID {
	texts := make([][]embedding.ID, c.Len())
	for i := range texts {
		texts[i] = c.Text(i)
	}
	return texts
}
