package noise

import (
	"testing"

	"github.com/sotto-dp/sotto/internal/tapes"
)

// endings returns the number of tapes on which a loop ends within the tape in one way, if
// ways of the 2^bits words end it so, and it goes on after refused of them.
func endings(bits uint, words int, ways, refused uint64) uint64 {
	all, sum, stays := uint64(1)<<bits, uint64(0), uint64(1)
	for i := range words {
		left := uint64(1)
		for range words - 1 - i {
			left *= all
		}
		sum += stays * ways * left
		stays *= refused
	}
	return sum
}

var widths = []struct {
	bits  uint
	words int
}{{4, 4}, {5, 3}, {6, 2}, {7, 2}, {8, 1}}

// Every number comes from exactly as many tapes as the proof says: four million draws.
func TestBelowIsExactOverAllTapes(t *testing.T) {
	for _, w := range widths {
		for n := uint64(1); n < 1<<w.bits; n++ {
			counts, short, total := make([]uint64, n), uint64(0), uint64(0)
			tapes.Every(w.bits, w.words, func(s *tapes.Source) {
				v := Below(s, n<<s.Shift())
				if s.Short() {
					short++
					return
				}
				counts[v]++
			})
			want := endings(w.bits, w.words, (1<<w.bits)/n, (1<<w.bits)%n)
			for v, got := range counts {
				if total += got; got != want {
					t.Fatalf("%d bits, below %d: %d comes from %d tapes of %d words, want %d", w.bits, n, v, got, w.words, want)
				}
			}
			if total+short != 1<<(w.bits*uint(w.words)) {
				t.Fatalf("%d bits, below %d: %d tapes give a number and %d are too short", w.bits, n, total, short)
			}
		}
	}
}

func TestBernoulliIsExactOverAllTapes(t *testing.T) {
	const bits, words = 5, 2
	for q := uint64(1); q < 1<<bits; q++ {
		for p := range q + 1 {
			yes, no := uint64(0), uint64(0)
			tapes.Every(bits, words, func(s *tapes.Source) {
				switch b := Bernoulli(s, p, q<<s.Shift()); {
				case s.Short():
				case b:
					yes++
				default:
					no++
				}
			})
			each := endings(bits, words, (1<<bits)/q, (1<<bits)%q)
			if yes != p*each || no != (q-p)*each {
				t.Fatalf("%d/%d: true on %d tapes and false on %d, want %d and %d", p, q, yes, no, p*each, (q-p)*each)
			}
		}
	}
}
