package learn

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Example is one labelled row.
type Example struct {
	Row    int     // of Data.Features, or of Origins.Of if Origins is set
	Class  int     // of Data.Classes
	Weight float64 // positive
}

// Data is the training data of a classifier.
type Data struct {
	// Features has Dim numbers per row.
	Features []float32
	Dim      int
	// Blocks holds the positions in a row, ascending, at which blocks of features of one
	// kind and unit begin. With few rows, the scales of features shrink towards that of
	// their block. Features before the first block keep their own scale.
	Blocks []int
	// Vocabulary and Terms, if not nil, are terms of texts as features too, a row for each
	// row of Features.
	Vocabulary *Vocabulary
	Terms      *Sparse
	Classes    []string
	Examples   []Example
	Channel    Channel
	// Origins, if not nil, lists the rows of Features that may be the origin of a released
	// row.
	Origins *Origins
}

func (d *Data) check() error {
	switch {
	case d.Dim < 1 || len(d.Features) == 0 || len(d.Features)%d.Dim != 0:
		return privacy.Bad("learn", "features", len(d.Features), "a positive multiple of the dimensions")
	case len(d.Classes) < 2:
		return privacy.Bad("learn", "classes", len(d.Classes), "at least 2")
	case len(d.Examples) == 0:
		return privacy.Bad("learn", "examples", 0, "at least 1")
	}
	rows := len(d.Features) / d.Dim
	if err := d.checkFeatures(rows); err != nil {
		return err
	}
	if o := d.Origins; o != nil {
		if err := o.check(rows); err != nil {
			return err
		}
		rows = len(o.Of)
	}
	for _, e := range d.Examples {
		switch {
		case e.Row < 0 || e.Row >= rows:
			return privacy.Bad("learn", "row", e.Row, "a row of the features")
		case e.Class < 0 || e.Class >= len(d.Classes):
			return privacy.Bad("learn", "class", e.Class, "one of the classes")
		case !(e.Weight > 0) || math.IsInf(e.Weight, 1):
			return privacy.Bad("learn", "weight", e.Weight, "positive and finite")
		}
	}
	return d.Channel.check()
}

func (d *Data) checkFeatures(rows int) error {
	for i, at := range d.Blocks {
		if at < 0 || at >= d.Dim || i > 0 && at <= d.Blocks[i-1] {
			return privacy.Wrong("learn", "blocks", fmt.Sprintf("%d is no feature, or comes out of order", at), fmt.Sprintf("give positions below %d, ascending", d.Dim))
		}
	}
	for _, x := range d.Features {
		if x != x || math.IsInf(float64(x), 0) {
			return privacy.Bad("learn", "feature", x, "finite")
		}
	}
	if (d.Terms == nil) != (d.Vocabulary == nil) || d.Terms != nil && d.Terms.Cols != d.Vocabulary.Size() {
		return privacy.Wrong("learn", "terms", "they are not those of the vocabulary", "give terms and their vocabulary, or neither")
	}
	if d.Terms != nil {
		return d.Terms.check(rows)
	}
	return nil
}

// Add adds a row, and returns its number.
func (d *Data) Add(r Row) int {
	d.Features = append(d.Features, r.Features...)
	if d.Terms != nil {
		d.Terms.add(r)
	}
	return len(d.Features)/d.Dim - 1
}

// Row returns row i.
func (d *Data) Row(i int) Row {
	r := Row{Features: d.Features[i*d.Dim : (i+1)*d.Dim]}
	if d.Terms != nil {
		r.Terms, r.Value = d.Terms.Row(i)
	}
	return r
}
