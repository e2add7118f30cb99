package vectors

import (
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
