package lanes

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The exported functions agree with the loops that specify them at every length,
// with indices that repeat, and write nothing outside the slice.
func TestFastLoopsAgreeWithThePlainOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		const m = 23
		at, more := make([]uint32, n), make([]float32, n)
		for i := range at {
			at[i], more[i] = uint32(rng.IntN(m)), float32(rng.NormFloat64())
		}
		guarded := make([]Wide, m+2)
		for i := range guarded {
			for j := range guarded[i] {
				guarded[i][j] = rng.NormFloat64()
			}
		}
		s := Wide{1, 2, 3, 4, 5, 6, 7, 8}
		for _, c := range []struct {
			what        string
			fast, plain func(v []Wide, s *Wide)
		}{
			{"gather", func(v []Wide, s *Wide) { Gather(s, at, more, v) }, func(v []Wide, s *Wide) { gather(s, at, more, v) }},
			{"gather all", func(v []Wide, s *Wide) { GatherAll(s, at, v) }, func(v []Wide, s *Wide) { gatherAll(s, at, v) }},
			{"scatter", func(v []Wide, s *Wide) { Scatter(v, at, more, s) }, func(v []Wide, s *Wide) { scatter(v, at, more, s) }},
			{"scatter all", func(v []Wide, s *Wide) { ScatterAll(v, at, s) }, func(v []Wide, s *Wide) { scatterAll(v, at, s) }},
		} {
			got, want := append([]Wide(nil), guarded...), append([]Wide(nil), guarded...)
			sumGot, sumWant := s, s
			c.fast(got[1:m+1], &sumGot)
			c.plain(want[1:m+1], &sumWant)
			for i := range got {
				near(t, n, c.what, got[i], want[i])
			}
			near(t, n, c.what, sumGot, sumWant)
		}
	}
}

func near(t *testing.T, n int, what string, got, want Wide) {
	t.Helper()
	for j := range got {
		if !(math.Abs(got[j]-want[j]) <= 1e-12*(1+math.Abs(want[j]))) {
			t.Fatalf("length %d: %s gives %v, want %v", n, what, got, want)
		}
	}
}
