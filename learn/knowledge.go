package learn

import (
	"context"
	"errors"
	"slices"

	"github.com/sotto-dp/sotto/text/about"
)

// ErrFewWords reports that words for labels label too few public texts to learn from.
var ErrFewWords = errors.New("learn: the words for labels occur in too few public texts to learn from: add words, or use a corpus like the texts")

// Labelling is how words label the texts of a codebook.
type Labelling struct {
	Words *about.Words
	// Classes are those of the classifier. Words for another label are not used.
	Classes []string
	// Components of the codebook's vectors, the last ones, come from the words themselves. They
	// are not used: with them nothing would be learnt of other words.
	Components int
}

// FromWords returns what words for labels teach without any private text: a classifier of the
// public texts of a codebook, each with the label that most of its words speak for. A text
// without such a label is left out.
func FromWords(ctx context.Context, f *Features, c Codebook, l Labelling) (*Model, error) {
	w, classes := l.Words, l.Classes
	counter := w.Counter(f.table)
	class := make([]int, 0, len(classes))
	for _, label := range w.Labels() {
		class = append(class, slices.Index(classes, label))
	}
	d := f.NewData(classes)
	n := min(c.Len(), mostFitted)
	seen := map[int]bool{}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		z := i * c.Len() / n
		y, ok := counter.Best([]byte(c.Text(z)))
		if !ok || class[y] < 0 {
			continue
		}
		r := f.TextRow(c, z)
		clear(r.Features[f.encoder.Dim()-l.Components : f.encoder.Dim()])
		d.Examples = append(d.Examples, Example{Row: d.Add(r), Class: class[y], Weight: 1})
		seen[y] = true
	}
	if len(seen) < 2 {
		return nil, ErrFewWords
	}
	m, _, err := Fit(ctx, d, Options{})
	return m, err
}
