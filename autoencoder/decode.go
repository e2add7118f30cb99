package autoencoder

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/gemm"
)

// Decode writes a sentence from each latent vector (one after the other), of at
// most [Model.Tokens] words. A beam of 1 takes the most probable word at every step. A
// wider beam keeps that many prefixes and returns the most probable sentence that it finds.
// Decoding is not random.
func (m *Model) Decode(latents []float32, beam int) [][]embedding.ID {
	n := networkOf(m)
	defer m.workers.Put(n)
	k := m.Dimensions()
	var out [][]embedding.ID
	if beam > 1 {
		for ; len(latents) >= k; latents = latents[k:] {
			out = append(out, n.search(latents[:k], beam))
		}
		return out
	}
	for ; len(latents) >= k; latents = latents[min(len(latents), readAtOnce*k):] {
		out = append(out, n.greedy(latents[:min(len(latents), readAtOnce*k)])...)
	}
	return out
}

// writer runs the decoder step by step on independent rows.
type writer[F gemm.Number] struct {
	n           *network[F]
	in, back    gemm.Packed[F]
	out         gemm.Packed[F]
	context     []F // rows x gates
	state, cell []F // rows x hidden
}

// begin makes the first states of latent vectors.
func (n *network[F]) begin(latents []F) *writer[F] {
	s, w := n.shape, n.weights
	rows, gates := len(latents)/s.Latent, s.gates()
	d := &writer[F]{n: n, context: make([]F, rows*gates), state: make([]F, rows*s.Hidden), cell: make([]F, rows*s.Hidden)}
	d.in.Pack(gemm.Of(w.decoder.in, s.Embed, gates))
	d.back.Pack(gemm.Of(w.decoder.back, s.Hidden, gates))
	d.out.Pack(gemm.Of(w.output.weight, s.Hidden, s.outputs()))
	start := make([]F, rows*2*s.Hidden)
	n.layer(start, latents, w.start, rows, s.Latent, 2*s.Hidden)
	tanh(start, start)
	for r := range rows {
		copy(d.state[r*s.Hidden:(r+1)*s.Hidden], start[r*2*s.Hidden:])
		copy(d.cell[r*s.Hidden:(r+1)*s.Hidden], start[(2*r+1)*s.Hidden:])
	}
	fillRows(d.context, w.decoder.bias)
	gemm.Multiply(gemm.Of(d.context, rows, gates), gemm.Of(latents, rows, s.Latent), gemm.Of(w.context, s.Latent, gates), true, n.threads)
	return d
}

// step reads one word per row and returns the scores of the next words, rows x
// outputs: log probabilities up to a constant per row.
func (d *writer[F]) step(words []int32) []F {
	n, s, w := d.n, d.n.shape, d.n.weights
	rows, h, gates := len(words), s.Hidden, s.gates()
	input := make([]F, rows*s.Embed)
	gather(input, w.embed, words, s.Embed)
	all := slices.Clone(d.context)
	d.in.Multiply(gemm.Of(all, rows, gates), gemm.Of(input, rows, s.Embed), true, n.threads)
	d.back.Multiply(gemm.Of(all, rows, gates), gemm.Of(d.state, rows, h), true, n.threads)
	for r := range rows {
		g := all[r*gates : (r+1)*gates]
		advance(g, d.cell[r*h:(r+1)*h], d.cell[r*h:(r+1)*h], d.state[r*h:(r+1)*h], make([]F, h))
	}
	scores := make([]F, rows*s.outputs())
	fillRows(scores, w.output.bias)
	d.out.Multiply(gemm.Of(scores, rows, s.outputs()), gemm.Of(d.state, rows, h), true, n.threads)
	return scores
}

// keep selects the rows listed in from.
func (d *writer[F]) keep(from []int) {
	pick := func(v []F, width int) []F {
		out := make([]F, 0, len(from)*width)
		for _, r := range from {
			out = append(out, v[r*width:(r+1)*width]...)
		}
		return out
	}
	d.context, d.state, d.cell = pick(d.context, d.n.shape.gates()), pick(d.state, d.n.shape.Hidden), pick(d.cell, d.n.shape.Hidden)
}

func (n *network[F]) greedy(latents []F) [][]embedding.ID {
	s := n.shape
	out := make([][]embedding.ID, len(latents)/s.Latent)
	d := n.begin(latents)
	at, words := make([]int, len(out)), make([]int32, len(out)) // the rows that go on
	for i := range at {
		at[i], words[i] = i, s.begin()
	}
	for range s.Tokens {
		scores := d.step(words)
		var rows []int
		var going []int
		words = words[:0]
		for r, i := range at {
			best := largest(scores[r*s.outputs() : (r+1)*s.outputs()])
			if int32(best) == s.end() {
				continue
			}
			out[i] = append(out[i], embedding.ID(best))
			rows, going, words = append(rows, r), append(going, i), append(words, int32(best))
		}
		if at = going; len(at) == 0 {
			break
		}
		d.keep(rows)
	}
	return out
}

func largest[F gemm.Number](v []F) int {
	best := 0
	for i, x := range v {
		if x > v[best] {
			best = i
		}
	}
	return best
}

// beginning is a sentence not yet ended, or ended.
type beginning struct {
	words []embedding.ID
	score float64 // logarithm of its probability
	row   int
}

// search keeps the width most probable prefixes. It ends when none of them can exceed the
// best complete sentence: a longer sentence is never more probable.
func (n *network[F]) search(latent []F, width int) []embedding.ID {
	s := n.shape
	d := n.begin(latent)
	open, words := []beginning{{}}, []int32{s.begin()}
	whole := beginning{score: math.Inf(-1)}
	for length := 0; len(open) > 0; length++ {
		scores := d.step(words)
		var next []beginning
		for r, o := range open {
			row := scores[r*s.outputs() : (r+1)*s.outputs()]
			top := most(row)
			sum := exponentials(slices.Clone(row), top)
			base := o.score - float64(top) - math.Log(sum)
			if score := base + float64(row[s.end()]); score > whole.score || length == s.Tokens && math.IsInf(whole.score, -1) {
				whole = beginning{words: o.words, score: score}
			}
			if length == s.Tokens {
				continue
			}
			for word := range s.Words {
				if score := base + float64(row[word]); len(next) < width || score > next[len(next)-1].score {
					b := beginning{words: append(slices.Clip(o.words), embedding.ID(word)), score: score, row: r}
					at, _ := slices.BinarySearchFunc(next, b, func(x, y beginning) int { return cmp.Compare(y.score, x.score) })
					next = slices.Insert(next, at, b)
					next = next[:min(len(next), width)]
				}
			}
		}
		next = slices.DeleteFunc(next, func(b beginning) bool { return b.score <= whole.score })
		open, words = next, words[:0]
		var rows []int
		for _, b := range open {
			rows, words = append(rows, b.row), append(words, int32(b.words[len(b.words)-1]))
		}
		d.keep(rows)
	}
	return whole.words
}
