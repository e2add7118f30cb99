package vectors

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/progress"
)

// Options configures [Train].
type Options struct {
	Name       string // of the table
	Dimensions int    // of a vector; 0 means DefaultDimensions
	Words      int    // most words of the table beside <unk>; 0 means DefaultWords
	Least      int    // least occurrences of a word; 0 means DefaultLeast
	Window     int    // most places between two words of a pair; 0 means DefaultWindow
	// SameLength gives every vector the length 6. Otherwise that is the root mean square of
	// the lengths. The length of a singular vector says little about what its word means, so
	// the nearest words are better replacements if all vectors have the same length.
	SameLength bool

	// Segmentation is the kind of rules that cut texts; empty means those that fit the
	// first 16 MiB of the corpus. Language is the language of the rules; empty means any.
	Segmentation segment.Kind
	Language     string

	// Temporary is the path from which the names of temporary files are made. They are
	// hidden files in its folder and are removed at the end.
	Temporary string
	// Counts, if not empty, is a file that stores the counts. If it exists, Train reads the
	// counts from it, and refuses it unless it is for this corpus and these options.
	Counts string

	Progress progress.Func
}

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
