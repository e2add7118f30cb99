package corpus

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"
)

// checkClusters checks the sizes of the clusterings, and that each text is in a cluster.
func (c *Corpus) checkClusters() error {
	sizes, all, last := c.card.clusterings(), 0, 0
	if c.card.Clusters < 0 || c.card.Clusters == 0 && len(c.card.Clusterings) > 0 {
		return damaged("the clusters do not have the size of %d clusters", c.card.Clusters)
	}
	for i, n := range sizes {
		if n < 1 || n > min(c.Len(), MaxClusters) || i > 0 && (n <= last || n == sizes[0]) {
			return damaged("the clusters do not have the size of %d clusters", n)
		}
		if all += n; i > 0 {
			last = n
		}
	}
	if len(c.content[sectionCentres]) != all*c.Dim() || len(c.content[sectionClusters]) != 4*c.Len()*len(sizes) {
		return damaged("the clusters do not have the size of %d clusters", c.card.Clusters)
	}
	rest := c.content[sectionClusters]
	for _, n := range sizes {
		for i := range c.Len() {
			if binary.LittleEndian.Uint32(rest[4*i:]) >= uint32(n) {
				return damaged("text %d is in a cluster that does not exist", i)
			}
		}
		rest = rest[4*c.Len():]
	}
	return nil
}

// checkTexts checks that the texts match their offsets, are UTF-8, and are one line each,
// as a Builder leaves them. A line break in a text would shift the lines of a release.
func (c *Corpus) checkTexts() error {
	offsets, all := c.content[sectionOffsets], c.content[sectionTexts]
	if binary.LittleEndian.Uint64(offsets) != 0 || binary.LittleEndian.Uint64(offsets[8*c.Len():]) != uint64(len(all)) {
		return damaged("the texts do not match the offsets")
	}
	for i := range c.Len() {
		at, end := binary.LittleEndian.Uint64(offsets[8*i:]), binary.LittleEndian.Uint64(offsets[8*i+8:])
		if at > end || end > uint64(len(all)) {
			return damaged("text %d does not match its offsets", i)
		}
		if !utf8.Valid(all[at:end]) {
			return damaged("text %d is not UTF-8", i)
		}
		if !isLine(all[at:end]) {
			return damaged("text %d has a line break or a control character", i)
		}
	}
	return nil
}

// isLine reports whether a text is one line without control characters.
func isLine(text []byte) bool {
	for i, c := range text {
		if c < ' ' || c >= 0x7f { // the rest needs decoding
			return !bytes.ContainsFunc(text[i:], func(r rune) bool { return r != ' ' && separates(r) })
		}
	}
	return true
}

// checkEncoder checks the encoder's sections against its card.
func (c *Corpus) checkEncoder() error {
	e := c.card.Encoder
	if e.Version != encoderVersion && (e.Version != segmentedVersion || e.Kind != Joined) {
		return damaged("version %d of the encoder, want %d, or %d of %s: build the corpus again", e.Version, encoderVersion, segmentedVersion, Joined)
	}
	words, semantic := e.Kind == SIF || e.Kind == Joined, e.Kind == LSA || e.Kind == Joined
	if !words && !semantic && e.Kind != Brought {
		return damaged("the encoder is not one of %v", append(Kinds(), Brought))
	}
	dims, weights := 0, 0
	if words != (e.Table != nil) {
		return damaged("the encoder has no table, or one that it does not use")
	}
	if words {
		dims, weights = e.Table.Dimensions, e.Table.Words
		if dims < 1 || dims > MaxDim || weights < 1 || weights > 1<<30 {
			return damaged("the encoder's table has an invalid size: %d words of %d dimensions", weights, dims)
		}
	}
	if err := c.checkSizes(weights); err != nil {
		return err
	}
	about, err := e.aboutWords()
	if err != nil {
		return err
	}
	if dims += e.Semantic + aboutDim(about); e.Kind == Brought {
		if dims = 0; about != nil {
			return damaged("the encoder reads words for labels, but its vectors were given")
		}
	} else if dims != c.Dim() {
		return damaged("the encoder's vectors do not have %d dimensions", c.Dim())
	}
	mean := floats(c.content[sectionMean])
	if len(c.content[sectionMean]) != 8*dims {
		return damaged("the encoder's mean does not have %d dimensions", dims)
	}
	for _, x := range mean {
		if math.IsNaN(x) || math.Abs(x) > 1 {
			return damaged("the encoder's mean has a component outside [-1, 1]")
		}
	}
	return nil
}

// checkSizes checks the vocabulary and the sizes of the encoder's sections.
func (c *Corpus) checkSizes(weights int) error {
	e := c.card.Encoder
	terms := splitTerms(c.content[sectionTerms])
	switch {
	case e.Kind != LSA && e.Kind != Joined && (e.Terms != 0 || e.Semantic != 0), e.Terms != len(terms), e.Semantic < 0 || e.Semantic > semanticDim:
		return damaged("the encoder's vocabulary does not have %d terms", e.Terms)
	case len(c.content[sectionRows]) != 2*e.Terms*e.Semantic, len(c.content[sectionWeights]) != 2*weights:
		return damaged("the encoder is incomplete")
	case !slices.IsSorted(terms) || len(slices.Compact(terms)) != e.Terms:
		return damaged("the encoder's vocabulary is not sorted")
	}
	return nil
}
