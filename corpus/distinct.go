package corpus

// Distinct finds texts that nearly equal an earlier one, by the rule of a Builder, one text
// after another. It is for one goroutine.
type Distinct struct {
	similar float64
	sizes   []int32            // number of runs of three words, of each text
	texts   map[uint64][]int32 // that have a run
	shared  map[int32]int32
	runs    []uint64
}

// NewDistinct returns a Distinct that knows no text. similar is that of Options.
func NewDistinct(similar float64) *Distinct {
	return &Distinct{similar: similar, texts: map[uint64][]int32{}, shared: map[int32]int32{}}
}

// Add reports whether a text is unlike all that were added, and adds it if so. A text
// without words is like any other.
func (d *Distinct) Add(text []byte) bool {
	d.runs = shingles(d.runs[:0], text)
	if len(d.runs) == 0 {
		return false
	}
	clear(d.shared)
	for _, r := range d.runs {
		for _, i := range d.texts[r] {
			d.shared[i]++
		}
	}
	for i, n := range d.shared {
		if all := int32(len(d.runs)) + d.sizes[i] - n; float64(n) >= d.similar*float64(all) {
			return false
		}
	}
	for _, r := range d.runs {
		d.texts[r] = append(d.texts[r], int32(len(d.sizes)))
	}
	d.sizes = append(d.sizes, int32(len(d.runs)))
	return true
}
