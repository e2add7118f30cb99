package vectors

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// The options if none are chosen.
const (
	DefaultDimensions = 100
	DefaultWords      = 50_000
	DefaultLeast      = 5
	DefaultWindow     = 5
)

// The largest values of Window and Least.
const (
	MaxWindow = 100
	MaxLeast  = math.MaxInt32
)

func (o Options) withDefaults() (Options, error) {
	for _, d := range []struct {
		name             string
		value            *int
		otherwise, limit int
	}{
		{"dimensions", &o.Dimensions, DefaultDimensions, embedding.MaxDim},
		{"words", &o.Words, DefaultWords, MaxWords},
		{"least occurrences", &o.Least, DefaultLeast, MaxLeast},
		{"window", &o.Window, DefaultWindow, MaxWindow},
	} {
		if *d.value == 0 {
			*d.value = d.otherwise
		}
		if *d.value < 1 || *d.value > d.limit {
			return o, fmt.Errorf("vectors: %s must be 1 to %d, got %d", d.name, d.limit, *d.value)
		}
	}
	if o.Segmentation != "" && !slices.Contains(segment.Kinds(), o.Segmentation) {
		return o, fmt.Errorf("vectors: segmentation must be one of %v, got %q", segment.Kinds(), o.Segmentation)
	}
	if o.Language != "" && !segment.CanLanguage(o.Language) || o.Segmentation == segment.English && o.Language != "" && o.Language != "en" {
		return o, fmt.Errorf("vectors: language must be two or three lower-case letters, en for the segmentation english, got %q", o.Language)
	}
	return o, nil
}

// Trained is a table and what it was trained on.
type Trained struct {
	Table  *embedding.Table
	Texts  int64
	Tokens int64 // with unknown ones
	Known  int64 // those that are
	Pairs  int64 // distinct, in both directions
}

// Train trains a table on a public corpus, which it reads twice.
func Train(ctx context.Context, c Corpus, o Options) (*Trained, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	all, err := countsOf(ctx, c, o)
	if err != nil {
		return nil, err
	}
	defer all.close()
	if all.pairs == 0 {
		return nil, fmt.Errorf("vectors: the corpus has no two words in one text")
	}
	vectors, err := factor(ctx, newInformation(all), o.Dimensions, o.Progress.Stage("factor"))
	if err != nil {
		return nil, err
	}
	t := &Trained{Texts: all.corpus.texts, Tokens: all.tokens, Known: sum(all.count), Pairs: all.pairs}
	t.Table, err = all.table(o, vectors)
	return t, err
}
