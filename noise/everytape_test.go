package noise

import "testing"

// narrow is a source of words of some bits: one tape of them. Below(src, n<<shift) over
// such words is what Below(src, n) is over words of 64 bits (below_narrow of
// proofs/lemire.v), and returns numbers below n. So the sampler that is in use runs over
// every tape of a source.
type narrow struct {
	bits  uint
	tape  uint64 // its words, the first one in the low bits
	words int    // how many are left
	short bool   // more were read
}

func (s *narrow) Uint64() uint64 {
	last := uint64(1)<<s.bits - 1
	if s.words == 0 {
		s.short = true
		return last // is never refused
	}
	u := s.tape & last
	s.tape >>= s.bits
	s.words--
	return u
}

// shift returns what ranges are shifted by for words of some bits.
func (s *narrow) shift() uint { return 64 - s.bits }

// everyTape calls draw with each tape of some words.
func everyTape(bits uint, words int, draw func(*narrow)) {
	for tape := range uint64(1) << (bits * uint(words)) {
		draw(&narrow{bits: bits, tape: tape, words: words})
	}
}

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
			everyTape(w.bits, w.words, func(s *narrow) {
				v := Below(s, n<<s.shift())
				if s.short {
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
			everyTape(bits, words, func(s *narrow) {
				switch b := Bernoulli(s, p, q<<s.shift()); {
				case s.short:
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
