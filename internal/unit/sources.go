package unit

import (
	"iter"
	"math/rand/v2"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/release"
)

// draws is where the randomness of a rewriter or an embedder comes from: the secure source,
// the streams of a seed, or those of the key of a stream. Only this file tells them apart, so what
// is tested with one is what runs with the others.
type draws struct {
	seed   *uint64
	secure sync.Pool // of rand.Source, each in use by one batch at a time
}

// from returns the draws of a Config.InsecureSeed, secure ones if it is nil.
func from(seed *uint64) *draws { return &draws{seed: seed} }

// seeded reports whether somebody could repeat the draws.
func (d *draws) seeded() bool { return d.seed != nil }

// others returns draws that do not repeat these: with a seed, those of another one.
func (d *draws) others() *draws {
	if d.seed == nil {
		return from(nil)
	}
	other := *d.seed ^ 0x9e3779b97f4a7c15
	return from(&other)
}

// order returns the source for the order of many texts. No text has it.
func (d *draws) order() rand.Source {
	if d.seed == nil {
		return noise.Secure()
	}
	return noise.Seeded(*d.seed, ^uint64(0))
}

// sources are the sources of the texts of one batch. They are for one goroutine.
type sources struct {
	of     *draws
	at     release.Position
	secure rand.Source // of all texts; nil if the draws can be made again
}

// begin returns the sources of a batch. The caller must call end.
func (d *draws) begin(at release.Position) *sources {
	s := &sources{of: d, at: at}
	if d.seed == nil && at.Key() == nil {
		var ok bool
		if s.secure, ok = d.secure.Get().(rand.Source); !ok {
			s.secure = noise.Secure()
		}
	}
	return s
}

// end makes the source available to another batch.
func (s *sources) end() {
	if s.secure != nil {
		s.of.secure.Put(s.secure)
		s.secure = nil
	}
}

// repeat reports whether the draws can be made again: with a seed or a key.
func (s *sources) repeat() bool { return s.secure == nil }

// text returns the source of a text of the batch. If the draws can be made again, each call
// returns the same numbers.
func (s *sources) text(text int) rand.Source { return s.numbered(s.at.Stream(text)) }

// beyond returns the source of the tokens of a text beyond its cap. Its stream is far from
// those of the texts.
func (s *sources) beyond(text int) rand.Source { return s.numbered(^s.at.Stream(text)) }

func (s *sources) numbered(stream uint64) rand.Source {
	switch {
	case s.secure != nil:
		return s.secure
	case s.of.seed != nil:
		return noise.Seeded(*s.of.seed, stream)
	}
	return s.at.Key().Source(stream)
}

// words cuts the words of the batch's texts into runs of one source each; ends has the end of
// each text.
func (s *sources) words(words []embedding.ID, ends []int) iter.Seq2[[]embedding.ID, rand.Source] {
	return func(yield func([]embedding.ID, rand.Source) bool) {
		if !s.repeat() {
			yield(words, s.secure)
			return
		}
		from := 0
		for i, end := range ends {
			if !yield(words[from:end], s.text(i)) {
				return
			}
			from = end
		}
	}
}
