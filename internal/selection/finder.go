package selection

import (
	"math"
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/simd/within"
)

// Finder finds the smallest elements of rows without reordering them. Elements are
// whole numbers from 0 to 2^53. The zero value is ready for use; a Finder is for one
// goroutine.
type Finder[T uint32 | float64] struct {
	sample, between []T
	upper, lower    []uint64 // a bit for each element of the row
}

// Mark sets bit i%64 of dst[i/64] for the k smallest elements row[i], equal ones in
// order of i. It leaves other bits as they are. Rows have at least k elements.
func (f *Finder[T]) Mark(dst []uint64, row []T, k int) {
	if k == 0 {
		return
	}
	words := (len(row) + 63) / 64
	f.upper, f.lower = scratch.Resize(f.upper, words), scratch.Resize(f.lower, words)
	last := f.limit(row, k)
	if more := within.Mark(f.upper, row, last) - k; more > 0 {
		f.drop(row, last, more)
	}
	for i, word := range f.upper {
		dst[i] |= word
	}
}

// MarkAbout is Mark for about k elements, but at least one and at most most. It takes one pass
// over a long row: a sample says which value they do not exceed.
func (f *Finder[T]) MarkAbout(dst []uint64, row []T, k, most int) {
	if len(row) > few && k >= sampleEvery {
		f.take(row)
		words := (len(row) + 63) / 64
		f.upper = scratch.Resize(f.upper, words)
		last := f.bisect(f.sample, k/sampleEvery, 2, -1, int64(slices.Max(f.sample)))
		if marked := within.Mark(f.upper, row, last); marked <= most {
			for i, word := range f.upper {
				dst[i] |= word
			}
			return
		}
	}
	f.Mark(dst, row, k)
}

// take samples a row.
func (f *Finder[T]) take(row []T) {
	f.sample = f.sample[:0]
	for i := 0; i < len(row); i += sampleEvery {
		f.sample = append(f.sample, row[i])
	}
}

// drop clears the last n bits of upper among those of elements that equal last.
func (f *Finder[T]) drop(row []T, last T, n int) {
	clear(f.lower)
	if last > 0 {
		within.Mark(f.lower, row, last-1)
	}
	for i := len(f.upper) - 1; n > 0; i-- {
		for same := f.upper[i] &^ f.lower[i]; same != 0 && n > 0; n-- {
			bit := uint64(1) << (63 - bits.LeadingZeros64(same))
			f.upper[i] &^= bit
			same &^= bit
		}
	}
}

// few is the length of a row that is searched without a sample.
const few = 1024

// sampleEvery is the stride of the sample.
const sampleEvery = 16

// limit returns a value that exactly k elements do not exceed, or the k-th smallest
// element if there is no such value.
//
// A sample of a long row gives two values that probably enclose it, three standard
// deviations of a sample's rank to each side. If they do not, the next guess is wider.
func (f *Finder[T]) limit(row []T, k int) T {
	if len(row) <= few {
		return f.bisect(row, k, 0, -1, int64(slices.Max(row)))
	}
	f.take(row)
	at := float64(k) / sampleEvery
	deviation := math.Sqrt(float64(at * (1 - float64(k)/float64(len(row)))))
	for wide := 1.0; ; wide *= 2 {
		low, high := f.window(at, wide*(float64(3*deviation)+2))
		marked := within.Mark(f.upper, row, T(high))
		below := 0
		clear(f.lower)
		if low >= 0 {
			below = within.Mark(f.lower, row, T(low))
		}
		if below < k && k <= marked {
			f.gather(row)
			return f.bisect(f.between, k-below, 0, low, high)
		}
	}
}

// window returns two values that at most about at-far and at least at+far elements of
// the sample do not exceed: -1 and 2^53, or the largest of the type, if there are none.
func (f *Finder[T]) window(at, far float64) (low, high int64) {
	low, high = -1, 1<<53
	if _, narrow := any(T(0)).(uint32); narrow {
		high = math.MaxUint32
	}
	largest := int64(slices.Max(f.sample))
	tolerance := int(far / 4)
	if above := int(at+far) + 1; above <= len(f.sample) {
		high = int64(f.bisect(f.sample, above, tolerance, low, largest))
		largest = high
	}
	if under := int(at-far) - tolerance; under >= 1 {
		low = int64(f.bisect(f.sample, under, tolerance, low, largest))
	}
	return low, high
}

// gather copies the elements that are marked in upper and not in lower.
func (f *Finder[T]) gather(row []T) {
	f.between = f.between[:0]
	for i, word := range f.upper {
		for word &^= f.lower[i]; word != 0; word &= word - 1 {
			f.between = append(f.between, row[64*i+bits.TrailingZeros64(word)])
		}
	}
}

// bisect returns a value that at least k and at most k+tolerance elements do not exceed,
// or the k-th smallest element if it finds no such value. Fewer than k elements are at
// most low, and k or more are at most high.
func (f *Finder[T]) bisect(row []T, k, tolerance int, low, high int64) T {
	for high-low > 1 {
		middle := low + (high-low)/2
		switch count := within.Mark(f.upper, row, T(middle)); {
		case count < k:
			low = middle
		case count <= k+tolerance:
			return T(middle)
		default:
			high = middle
		}
	}
	return T(high)
}
