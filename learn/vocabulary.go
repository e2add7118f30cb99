package learn

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/terms"
)

// words reads the terms of a text and the pairs of neighbouring ones, each as a hash. It is
// for one goroutine.
type words struct {
	read   terms.Reader
	hashes []uint32
}

func newWords(table *embedding.Table) *words { return &words{read: terms.Of(table)()} }

// The pair of a text's beginning and its first term counts too: it tells questions apart.
const textBegins = 2166136261

// mostRead bounds the prefix of a text whose terms count, in bytes.
const mostRead = 1 << 20

// of returns the hashes of a text's terms and pairs, ascending. The next call reuses them.
func (w *words) of(text []byte) []uint32 {
	w.hashes = w.hashes[:0]
	before := uint32(textBegins)
	w.read(text[:min(len(text), mostRead)], func(term []byte) {
		own := hashTerm(term)
		w.hashes = append(w.hashes, own, hashPair(before, own))
		before = own
	})
	slices.Sort(w.hashes)
	return w.hashes
}

// hashTerm is FNV-1a with a finaliser.
func hashTerm(term []byte) uint32 {
	h := uint64(14695981039346656037)
	for _, c := range term {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return mixed(h)
}

func hashPair(a, b uint32) uint32 { return mixed(uint64(a)<<32 | uint64(b) | 1<<63) }

// mixed is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
func mixed(x uint64) uint32 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return uint32((x ^ x>>31) >> 32)
}

// Vocabulary has the terms, and pairs of neighbouring terms, that are features of texts,
// each with its inverse document frequency. It contains hashes in place of words.
type Vocabulary struct {
	hashes  []uint32 // ascending
	inverse []float32
	places  map[uint32]uint32
}

// Size returns the number of terms and pairs.
func (v *Vocabulary) Size() int {
	if v == nil {
		return 0
	}
	return len(v.hashes)
}

func newVocabulary(hashes []uint32, inverse []float32) *Vocabulary {
	v := &Vocabulary{hashes: hashes, inverse: inverse, places: make(map[uint32]uint32, len(hashes))}
	for i, h := range hashes {
		v.places[h] = uint32(i)
	}
	return v
}

const (
	leastTexts = 2      // in which a term occurs
	mostTerms  = 60_000 // of a vocabulary: those of the most texts
)

// mostFitted bounds the texts of a codebook that a vocabulary is fitted to, evenly spaced.
const mostFitted = 20_000

// FitVocabulary returns the terms and pairs that occur in several of n texts, with the table
// whose rules of segmentation cut terms, which may be nil.
func FitVocabulary(table *embedding.Table, n int, text func(i int) []byte) *Vocabulary {
	texts := map[uint32]uint32{}
	w := newWords(table)
	for i := range n {
		for _, h := range slices.Compact(w.of(text(i))) {
			texts[h]++
		}
	}
	var hashes []uint32
	for h, count := range texts {
		if count >= leastTexts {
			hashes = append(hashes, h)
		}
	}
	slices.SortFunc(hashes, func(a, b uint32) int { return cmp.Or(cmp.Compare(texts[b], texts[a]), cmp.Compare(a, b)) })
	hashes = slices.Clone(hashes[:min(len(hashes), mostTerms)])
	slices.Sort(hashes)
	inverse := make([]float32, len(hashes))
	for i, h := range hashes {
		inverse[i] = float32(1 + math.Log(float64(1+n)/float64(1+texts[h])))
	}
	return newVocabulary(hashes, inverse)
}

// row appends the terms of a text to r.
func (v *Vocabulary) row(r *Row, w *words, text []byte) {
	from, square := len(r.Value), 0.0
	hashes := w.of(text)
	for i := 0; i < len(hashes); {
		j := i + 1
		for j < len(hashes) && hashes[j] == hashes[i] {
			j++
		}
		if at, ok := v.places[hashes[i]]; ok {
			x := (1 + math.Log(float64(j-i))) * float64(v.inverse[at])
			square += float64(x * x)
			r.Terms, r.Value = append(r.Terms, at), append(r.Value, float32(x))
		}
		i = j
	}
	for i := from; i < len(r.Value); i++ {
		r.Value[i] = float32(float64(r.Value[i]) / math.Sqrt(square))
	}
}
