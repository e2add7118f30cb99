package audit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// inputsAudited is the largest number of texts of a codebook whose rows are computed.
const inputsAudited = 256

// vectored is a codebook that gives the vectors of its texts.
type vectored interface {
	mechanism.Codebook
	Vector(dst []int8, i int) []int8
}

// textInput is a vector whose row is computed. index is that of a text of the
// codebook, -1 for a hostile vector.
type textInput struct {
	name   string
	index  int
	vector []int8
}

// textInputs are texts of the codebook, evenly spaced, and hostile vectors.
func textInputs(codebook mechanism.Codebook) (inputs []textInput) {
	if v, ok := codebook.(vectored); ok {
		n := min(codebook.Len(), inputsAudited)
		for i := range n {
			inputs = append(inputs, inputOf(v, i*codebook.Len()/n))
		}
	}
	return append(inputs, hostile(codebook.Dim())...)
}

func inputOf(codebook vectored, i int) textInput {
	return textInput{textName(codebook, i), i, codebook.Vector(nil, i)}
}

// runesQuoted is the length of a quotation in a finding.
const runesQuoted = 60

// textName names a text of a codebook, and quotes the start of it where the codebook
// gives its texts: they are public.
func textName(codebook mechanism.Codebook, i int) string {
	if c, ok := codebook.(interface{ Item(i int) string }); ok {
		return c.Item(i)
	}
	c, ok := codebook.(interface{ Text(i int) string })
	if !ok {
		return fmt.Sprintf("text %d of the codebook", i)
	}
	text := []rune(c.Text(i))
	if len(text) > runesQuoted {
		text = append(text[:runesQuoted], '…')
	}
	return fmt.Sprintf("text %d of the codebook (%q)", i, string(text))
}

// hostile vectors are zero, and have the largest and smallest components, all of
// them and in turn.
func hostile(dim int) []textInput {
	all := make([]textInput, 4)
	for i := range all {
		all[i] = textInput{[...]string{"the zero vector", "the largest vector", "the smallest vector", "the largest and smallest components in turn"}[i], -1, make([]int8, dim)}
		for k := range all[i].vector {
			all[i].vector[k] = [...]int8{0, math.MaxInt8, math.MinInt8, int8(127 - 254*(k%2))}[i]
		}
	}
	return all
}

// compareRows computes rows and refuses those that are not two levels of one size.
func compareRows(ctx context.Context, r mechanism.Retriever, codebook mechanism.Codebook, inputs []textInput, report progress.Func) (*compared, error) {
	c := &compared{compared: len(inputs)}
	var first, row []uint64
	for i, in := range inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if row, err = r.Weights(row[:0], in.vector); err != nil {
			return nil, err
		}
		if i == 0 {
			first = slices.Clone(row)
			c.high, c.low = slices.Max(row), slices.Min(row)
			c.size = r.Levels().Size
			for _, w := range row {
				c.total += float64(w)
			}
			if c.most = math.Log(float64(c.high)/float64(c.low)) * (1 + 1e-14); c.size == len(row) {
				c.low = r.Levels().Low // nothing is outside of a set of all texts
			}
		}
		if len(row) != codebook.Len() || c.low == 0 || c.high > c.low && (levelCount(row, c.high) != c.size || levelCount(row, c.low) != len(row)-c.size) {
			return nil, fmt.Errorf("audit: the row of %s is not one of two weights, %d times the larger", in.name, c.size)
		}
		if c.attained == 0 {
			c.differ(inputs[0], in, first, row)
		}
		report.At(i+1, len(inputs))
	}
	if limit := r.Claim().Epsilon; c.most > limit && c.most <= limit*(1+4e-14) {
		// The logarithm's own error is left: the weights are compared as they are.
		if float64(c.high) <= float64(c.low)*math.Exp(limit)*(1-1e-14) {
			c.most = limit
		}
	}
	return c, nil
}

// differ keeps the first text at which two rows differ.
func (c *compared) differ(a, b textInput, rowA, rowB []uint64) {
	for y := range rowA {
		if rowA[y] == rowB[y] {
			continue
		}
		c.attained, c.text, c.inside, c.outside = math.Log(float64(c.high)/float64(c.low))*(1-1e-14), y, a, b
		if rowA[y] < rowB[y] {
			c.inside, c.outside = b, a
		}
		if a.index >= 0 && b.index >= 0 {
			c.witness = &WitnessOfText{c.inside.index, c.outside.index, y}
		}
		return
	}
}

// levelCount is the number of weights of a row that are w.
func levelCount(row []uint64, w uint64) (n int) {
	for _, v := range row {
		if v == w {
			n++
		}
	}
	return n
}
