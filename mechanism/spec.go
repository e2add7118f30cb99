package mechanism

import (
	"io"

	"github.com/sotto-dp/sotto/progress"
)

// Spec is the caller's configuration of a member. A parameter that is not given
// takes the member's default; an unknown one is refused.
type Spec struct {
	Epsilon    float64
	Parameters Values
	// Published makes Epsilon the paper's parameter of an exponential-type
	// member, not the certified metric epsilon.
	Published bool
	// Progress is called during long computations; it may be nil.
	Progress progress.Func
	// Open opens a file that a parameter names, such as a channel. Members open files
	// in no other way. If it is nil, a parameter that names a file is refused.
	Open func(name string) (io.ReadCloser, error)
	// Cache stores calibrations between runs; with nil they are recomputed.
	Cache Cache
	// BroughtVectors declares that the vectors of texts come from the caller's encoder. The
	// claim then assumes that the encoder is public and reads one text at a time.
	BroughtVectors bool
	// Untimed declares that no adversary sees how long a draw takes, so work that a draw
	// does not need may be skipped. If it is false, a draw's time is independent of its
	// result.
	Untimed bool
}
