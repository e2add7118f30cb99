// Package similar finds sets that are nearly equal to an earlier one, by MinHash and
// banding (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets,
// chapter 3). Every reported pair is compared exactly. A similar pair is missed with a
// small probability over the fixed hash functions.
package similar

import (
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/progress"
)

// Bands of rows hashes: sets of similarity 0.8 share a band with probability 1 -
// (1-0.8^4)^16 = 0.9998.
const (
	bands = 16
	rows  = 4
	// most bounds the sets of a bucket that a set is compared with, latest first.
	// Boilerplate fills buckets.
	most = 64
)

// Sets appends the hashed elements of set i to dst, ascending and without repeats. It is
// called by several goroutines.
type Sets func(dst []uint64, i int) []uint64

// Find returns, for each of n sets, the index of an earlier set with a Jaccard similarity
// of at least threshold, or -1. The earlier set is not itself similar to one before it.
// Empty sets are similar to nothing. The result does not depend on the number of
// processors.
func Find(ctx context.Context, n int, sets Sets, threshold float64, report progress.Func) ([]int32, error) {
	hashes := make([]uint64, n*bands)
	counter := report.Counter(n)
	err := parallel.Blocked(ctx, n, 256, func(_ context.Context, from, to int) error {
		var elements []uint64
		for i := from; i < to; i++ {
			elements = sets(elements[:0], i)
			sign(hashes[i*bands:(i+1)*bands], elements)
		}
		counter.Add(to - from)
		return nil
	})
	if err != nil {
		return nil, err
	}
	before := make([][]int32, bands)
	err = parallel.Blocked(ctx, bands, 1, func(_ context.Context, band, _ int) error {
		before[band] = chain(hashes, band, n)
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := make([]int32, n)
	var mine, other []uint64
	for i := range found {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found[i] = -1
		var compared []int32
		for band := range bands {
			for j, seen := before[band][i], 0; j >= 0 && seen < most && found[i] < 0; j = before[band][j] {
				seen++
				if found[j] >= 0 || slices.Contains(compared, j) {
					continue
				}
				if len(compared) == 0 {
					mine = sets(mine[:0], i)
				}
				compared = append(compared, j)
				other = sets(other[:0], int(j))
				if len(mine) > 0 && jaccard(mine, other) >= threshold {
					found[i] = j
				}
			}
		}
	}
	return found, nil
}

// sign computes the hash of each band from its rows' least hashes.
func sign(dst []uint64, elements []uint64) {
	for band := range dst {
		dst[band] = 0
		if len(elements) == 0 {
			continue
		}
		sum := uint64(band)
		for row := range rows {
			least, salt := uint64(math.MaxUint64), mix(uint64(band*rows+row+1))
			for _, e := range elements {
				least = min(least, mix(e^salt))
			}
			sum = mix(sum ^ least)
		}
		dst[band] = sum | 1 // 0 means an empty set
	}
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// chain returns, for each set, the last one before it in the same bucket of a band,
// or -1.
func chain(hashes []uint64, band, n int) []int32 {
	last, before := make(map[uint64]int32, n), make([]int32, n)
	for i := range before {
		before[i] = -1
		if h := hashes[i*bands+band]; h != 0 {
			if j, ok := last[h]; ok {
				before[i] = j
			}
			last[h] = int32(i)
		}
	}
	return before
}

// jaccard returns the size of the intersection divided by that of the union.
func jaccard(a, b []uint64) float64 {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
