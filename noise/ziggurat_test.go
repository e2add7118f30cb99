package noise

import (
	"math/rand/v2"
	"testing"
)

// other is a source of which normals knows nothing.
type other struct{ src rand.Source }

func (o other) Uint64() uint64 { return o.src.Uint64() }

// Batches draw what single calls draw, to the last bit, and leave the source in the same
// state: a seeded release does not depend on batches. 300,000 numbers pass the start of the
// tail 77 times, and are outside of the rectangles 4,000 times.
func TestBatchesDrawWhatSingleCallsDraw(t *testing.T) {
	for name, of := range map[string]func() rand.Source{
		"ChaCha8": func() rand.Source { return Seeded(4, 1) },
		"other":   func() rand.Source { return other{Seeded(4, 1)} },
	} {
		t.Run(name, func(t *testing.T) {
			single, batches := Seeded(4, 1), of()
			tails := 0
			for from, n := 0, 1; from < 300_000; from, n = from+n, n*3/2+1 {
				dst := make([]float64, n)
				normals(dst, batches)
				for i, x := range dst {
					if want := Normal(single); x != want {
						t.Fatalf("number %d is %g, want %g", from+i, x, want)
					}
					if x > normalStart || x < -normalStart {
						tails++
					}
				}
			}
			if tails == 0 {
				t.Error("no number is in the tail")
			}
			if a, b := single.Uint64(), batches.Uint64(); a != b {
				t.Error("the sources are not in the same state")
			}
		})
	}
}
