package corpus

import (
	"context"
	"slices"

	"github.com/sotto-dp/sotto/corpus/internal/similar"
	"github.com/sotto-dp/sotto/text/terms"
)

// dropSimilar leaves out texts that are nearly equal to an earlier one.
func (b *Builder) dropSimilar(ctx context.Context) error {
	found, err := similar.Find(ctx, len(b.ends), func(dst []uint64, i int) []uint64 { return shingles(dst, b.text(i)) },
		b.options.Similar, b.options.Progress.Stage("comparing texts"))
	if err != nil {
		return err
	}
	kept, from, size := 0, 0, 0
	for i, other := range found {
		end := b.ends[i]
		if other >= 0 {
			b.source.Similar++
		} else {
			size += copy(b.texts[size:], b.texts[from:end])
			b.ends[kept], b.record[kept] = size, b.record[i]
			kept++
		}
		from = end
	}
	b.texts, b.ends, b.record = b.texts[:size], b.ends[:kept], b.record[:kept]
	return nil
}

// shingles appends the hashes of all runs of three terms of a text, ascending and without
// repeats; for a shorter text, the hash of all its terms.
func shingles(dst []uint64, text []byte) []uint64 {
	const width = 3
	var recent [width]uint64
	n, from := 0, len(dst)
	terms.Each(nil, text, func(term []byte) {
		h := uint64(14695981039346656037) // FNV-1a
		for _, c := range term {
			h = (h ^ uint64(c)) * 1099511628211
		}
		recent[n%width] = h
		if n++; n >= width {
			dst = append(dst, combine(recent[n%width], recent[(n+1)%width], recent[(n+2)%width]))
		}
	})
	if n > 0 && n < width {
		dst = append(dst, combine(recent[:n]...))
	}
	slices.Sort(dst[from:])
	return dst[:from+len(slices.Compact(dst[from:]))]
}

func combine(hashes ...uint64) uint64 {
	sum := uint64(len(hashes))
	for _, h := range hashes {
		sum = (sum ^ h) * 0x9e3779b97f4a7c15
		sum ^= sum >> 29
	}
	return sum
}
