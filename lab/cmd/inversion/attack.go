package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/noise"
)

// among are the numbers of candidates of which one is the text.
var among = []int{100, 1000, 10_000}

// scores are what a reader reaches, a value for each seed.
type scores struct {
	named   [][]float64 // by number of candidates
	decoded []*decoded
}

type decoded struct {
	decoder                  string
	f1, rougeL, bleu, cosine []float64
}

func (d *decoded) add(w *world, s *space, answers [][]embedding.ID) {
	var f1, rougeL, bleu, cosine float64
	n := float64(len(answers))
	for i, a := range answers {
		f1 += metric.Rouge1(w.targets[i], a) / n
		rougeL += metric.RougeL(w.targets[i], a) / n
		bleu += metric.BLEU(w.targets[i], a) / n
		cosine += inner(s.unit(w.targets[i]), s.unit(a)) / n
	}
	d.f1, d.rougeL, d.bleu, d.cosine = append(d.f1, f1), append(d.rougeL, rougeL), append(d.bleu, bleu), append(d.cosine, cosine)
}

// measure attacks every target in one way.
func (w *world) measure(ctx context.Context, r row, seeds uint64) (scores, error) {
	epsilon, clear, none := r.epsilon, math.IsInf(r.epsilon, 1), r.releases == 0
	if clear || none {
		epsilon, seeds = 1, 1 // nothing is drawn, and the map to unit vectors is that of every epsilon
	}
	p, err := w.open(ctx, epsilon, r.dimensions)
	if err != nil {
		return scores{}, err
	}
	s := newSpace(w.table, p)
	out := scores{named: make([][]float64, len(among)), decoded: []*decoded{{decoder: "retrieval"}, {decoder: "n-grams"}}}
	var rank ranker = nothing{}
	if clear {
		rank = newCosines(s, w)
	} else if !none {
		if rank, err = newSets(p, s, w); err != nil {
			return out, err
		}
	}
	for seed := range seeds {
		named, retrieved, written := make([]float64, len(among)), make([][]embedding.ID, len(w.targets)), make([][]embedding.ID, len(w.targets))
		for i, target := range w.targets {
			seen := observation{}
			switch {
			case clear:
				seen.vector = s.unit(target)
			case !none:
				if seen, err = s.release(ctx, p, target, r.releases, seed*1_000_000+uint64(i)); err != nil {
					return out, err
				}
			}
			own, others := rank.scores(i, seen)
			for j, n := range among {
				named[j] += chance(own, others[:n-1]) / float64(len(w.targets))
			}
			retrieved[i] = w.blind
			if !none {
				retrieved[i] = w.public[slices.Index(others, slices.Max(others))]
			}
			written[i] = w.write(s, seen.vector)
		}
		for j := range among {
			out.named[j] = append(out.named[j], named[j])
		}
		out.decoded[0].add(w, s, retrieved)
		out.decoded[1].add(w, s, written)
	}
	return out, nil
}

// chance returns that of naming the candidate of one score among others: the best are
// equally likely.
func chance(own float64, others []float64) float64 {
	ties := 1
	for _, o := range others {
		if o > own {
			return 0
		}
		if o == own {
			ties++
		}
	}
	return 1 / float64(ties)
}

// observation is what the reader has of a text: a vector, and the directions that were drawn.
type observation struct {
	vector []float64
	drawn  []uint32
}

// ranker scores the target of a number and all public texts; a larger score is likelier.
type ranker interface {
	scores(target int, seen observation) (own float64, others []float64)
}

type nothing struct{}

func (nothing) scores(int, observation) (float64, []float64) { return 0, make([]float64, public) }

// cosines compares clear vectors.
type cosines struct{ targets, public [][]float64 }

func newCosines(s *space, w *world) *cosines {
	c := &cosines{}
	for _, t := range w.targets {
		c.targets = append(c.targets, s.unit(t))
	}
	for _, t := range w.public {
		c.public = append(c.public, s.unit(t))
	}
	return c
}

func (c *cosines) scores(target int, seen observation) (float64, []float64) {
	others := make([]float64, len(c.public))
	for i, v := range c.public {
		others[i] = inner(v, seen.vector)
	}
	return inner(c.targets[target], seen.vector), others
}

// sets has the set of directions of each text. A text is e^epsilon times likelier for each
// release in its set: the number of those is all that a reader learns.
type sets struct {
	words           int // of 64 directions
	targets, public []uint64
}

func newSets(p coded, s *space, w *world) (*sets, error) {
	channel, codebook := p.Channel()
	k := channel.Levels().Size
	b := &sets{words: (codebook.Len() + 63) / 64}
	of := func(texts [][]embedding.ID) ([]uint64, error) {
		bits := make([]uint64, 0, len(texts)*b.words)
		for some := range slices.Chunk(texts, 500) {
			var grid []int8
			for _, t := range some {
				grid = p.Grid(grid, s.mean(t))
			}
			all, err := codebook.Nearest(nil, grid, k)
			if err != nil {
				return nil, err
			}
			for set := range slices.Chunk(all, k) {
				row := make([]uint64, b.words)
				for _, y := range set {
					row[y/64] |= 1 << (y % 64)
				}
				bits = append(bits, row...)
			}
		}
		return bits, nil
	}
	var err error
	if b.targets, err = of(w.targets); err == nil {
		b.public, err = of(w.public)
	}
	return b, err
}

func (b *sets) scores(target int, seen observation) (float64, []float64) {
	hits := func(bits []uint64, i int) (n float64) {
		for _, y := range seen.drawn {
			n += float64(bits[i*b.words+int(y/64)] >> (y % 64) & 1)
		}
		return n
	}
	others := make([]float64, len(b.public)/b.words)
	for i := range others {
		others[i] = hits(b.public, i)
	}
	return hits(b.targets, target), others
}

// space maps texts to vectors.
type space struct {
	p        coded
	words    [][]float32
	frequent [][]float64 // of the frequent words, when first needed
}

func newSpace(table *embedding.Table, p coded) *space {
	s := &space{p: p}
	for id := range table.Len() {
		s.words = append(s.words, table.Vector(nil, embedding.ID(id)))
	}
	return s
}

// mean is the average of a text's words.
func (s *space) mean(text []embedding.ID) []float32 {
	in, _ := s.p.Dimensions()
	sum := make([]float32, in)
	for _, w := range text {
		for i, x := range s.words[w] {
			sum[i] += x / float32(len(text))
		}
	}
	return sum
}

func (s *space) unit(text []embedding.ID) []float64 { return s.unitOf(s.mean(text)) }

func (s *space) unitOf(mean []float32) []float64 {
	_, out := s.p.Dimensions()
	u := make([]float64, out)
	s.p.Unit(u, mean)
	return u
}

// release draws for a text several times. The vector is the mean of the directions drawn.
func (s *space) release(ctx context.Context, p coded, text []embedding.ID, releases int, seed uint64) (o observation, err error) {
	mean, src := s.mean(text), noise.Seeded(seed, 7)
	for range releases {
		if o.drawn, err = p.PerturbAll(ctx, o.drawn, mean, func(int) rand.Source { return src }); err != nil {
			return o, err
		}
	}
	_, out := p.Dimensions()
	o.vector = make([]float64, out)
	direction := make([]float32, out)
	for _, y := range o.drawn {
		p.Decode(direction, y, false)
		for i, x := range direction {
			o.vector[i] += float64(x)
		}
	}
	length := math.Sqrt(inner(o.vector, o.vector))
	for i := range o.vector {
		o.vector[i] /= max(length, 1e-12)
	}
	return o, nil
}

func inner(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
