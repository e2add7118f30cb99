package segment

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// unlisted is the cost of a letter that is no piece: more than that of any run of
// pieces of the same length.
const unlisted = MaxCost * (MaxLetters + 1)

// Lattice finds the pieces of a run of letters with the smallest total cost. It is for one
// goroutine.
type Lattice struct {
	costs   map[string]int32
	longest int
	run     []byte
	starts  []int   // of each letter in run, and the end of the last
	best    []int64 // cost of the first letters
	before  []int32 // letters of the last piece of that
	cut     []int
}

// Lattice returns a lattice of the pieces of the rules.
func (r *Rules) Lattice() *Lattice { return NewLattice(r.costs, r.longest) }

// NewLattice returns a lattice of pieces with at most longest letters.
func NewLattice(costs map[string]int32, longest int) *Lattice {
	l := &Lattice{costs: costs, longest: max(1, longest)}
	l.Reset()
	return l
}

// Reset begins a new run.
func (l *Lattice) Reset() {
	l.run, l.starts, l.best, l.before = l.run[:0], append(l.starts[:0], 0), append(l.best[:0], 0), append(l.before[:0], 0)
}

// Append appends letters to the run. The first character is not a mark.
func (l *Lattice) Append(letters []byte) {
	for len(letters) > 0 {
		_, n := utf8.DecodeRune(letters)
		for n < len(letters) {
			r, size := utf8.DecodeRune(letters[n:])
			if !unicode.IsMark(r) {
				break
			}
			n += size
		}
		l.run, letters = append(l.run, letters[:n]...), letters[n:]
		l.starts = append(l.starts, len(l.run))
		l.extend()
	}
}

// extend finds the best pieces up to the last letter. Of two of the same cost it takes
// the one whose last piece is shorter.
func (l *Lattice) extend() {
	end := len(l.starts) - 1
	best, last := int64(math.MaxInt64), int32(1)
	for n := 1; n <= min(l.longest, end); n++ {
		cost, ok := l.costs[string(l.run[l.starts[end-n]:])]
		total := l.best[end-n] + int64(cost)
		switch {
		case !ok && n == 1:
			total = l.best[end-n] + unlisted
		case !ok:
			continue
		}
		if total < best {
			best, last = total, int32(n)
		}
	}
	l.best, l.before = append(l.best, best), append(l.before, last)
}

// Letters returns the number of letters of the run.
func (l *Lattice) Letters() int { return len(l.starts) - 1 }

// Takes reports whether appending more letters to the run only adds one piece, of these
// letters, and keeps the pieces of the run. It does not change the run.
func (l *Lattice) Takes(letters []byte) bool {
	at, end := len(l.starts), len(l.run)
	l.Append(letters)
	added := len(l.starts) - at
	whole := int(l.before[len(l.before)-1]) == added
	l.run, l.starts, l.best, l.before = l.run[:end], l.starts[:at], l.best[:at], l.before[:at]
	return whole
}

// Pieces calls yield with the pieces of the run in order. They are valid until the run
// changes.
func (l *Lattice) Pieces(yield func(piece []byte)) {
	l.cut = l.cut[:0]
	for end := l.Letters(); end > 0; end -= int(l.before[end]) {
		l.cut = append(l.cut, end)
	}
	from := 0
	for i := len(l.cut) - 1; i >= 0; i-- {
		to := l.starts[l.cut[i]]
		yield(l.run[from:to])
		from = to
	}
}
