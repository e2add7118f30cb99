package autoencoder

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/gemm"
)

// network is weights at work on batches.
type network[F gemm.Number] struct {
	shape   Shape
	weights *weights[F]
	threads int

	batch   batch
	arena   arena[F]
	encoder [2]recurrent[F]
	decoder recurrent[F]

	input  []F // rows x embed, as the encoder reads them
	finals []F // sentences x 4 hidden: the last states, and the sums of all over sqrt(steps)
	raw    []F // sentences x latent, before the ball
	latent []F // sentences x latent
	kept   [3][]F
}

func newNetwork[F gemm.Number](s Shape, w *weights[F], threads int) *network[F] {
	n := &network[F]{shape: s, weights: w, threads: threads}
	n.encoder[1].backwards = true
	for _, l := range []*recurrent[F]{&n.encoder[0], &n.encoder[1]} {
		l.hidden, l.threads = s.Hidden, max(1, threads/2)
	}
	n.decoder.hidden, n.decoder.threads = s.Hidden, threads
	return n
}

// regular is what training adds against learning by heart; the zero value adds
// nothing.
type regular struct {
	Dropout     float64 // share of the numbers of words' vectors and final states set to 0
	WordDropout float64 // share of the words that the decoder reads as unknown
}

// encode reads sentences into latent vectors, in the order of the batch. rng nil
// drops nothing.
func (n *network[F]) encode(sentences [][]embedding.ID, reg regular, rng *rand.Rand) {
	n.layOut(sentences)
	n.read(reg, rng)
}

// layOut begins a batch: its input is the words' vectors.
func (n *network[F]) layOut(sentences [][]embedding.ID) {
	n.arena.reset()
	n.batch.set(n.shape, sentences)
	n.input = n.arena.take(n.batch.rows * n.shape.Embed)
	gather(n.input, n.weights.embed, n.batch.read, n.shape.Embed)
}

// read makes the latent vectors of the input.
func (n *network[F]) read(reg regular, rng *rand.Rand) {
	s, w, a, b := n.shape, n.weights, &n.arena, &n.batch
	count := len(b.order)
	n.kept[0] = n.drop(n.input, reg.Dropout, rng)
	for i := range n.encoder {
		n.encoder[i].allot(a, b)
	}
	n.both(func(i int) {
		l, c := &n.encoder[i], w.encoder[i]
		fillRows(l.gates, c.bias)
		gemm.Multiply(gemm.Of(l.gates, b.rows, s.gates()), gemm.Of(n.input, b.rows, s.Embed), gemm.Of(c.in, s.Embed, s.gates()), true, l.threads)
		l.forward(b, c, nil, nil)
	})
	n.finals = a.take(count * s.read())
	for r := range count {
		for i := range n.encoder {
			copy(n.final(n.finals, r, i), n.encoder[i].state[n.last(r, i)*s.Hidden:])
		}
	}
	n.eachStep(func(row, r, i int, share F) {
		sum, state := n.final(n.finals, r, 2+i), n.encoder[i].state[row*s.Hidden:(row+1)*s.Hidden]
		for k, x := range state {
			sum[k] += share * x
		}
	})
	n.kept[1] = n.drop(n.finals, reg.Dropout, rng)
	n.raw = a.take(count * s.Latent)
	n.layer(n.raw, n.finals, w.latent, count, s.read(), s.Latent)
	n.latent = a.take(count * s.Latent)
	for r := range count {
		raw := n.raw[r*s.Latent : (r+1)*s.Latent]
		factor := F(min(1, s.radius()/length(raw)))
		for k, x := range raw {
			n.latent[r*s.Latent+k] = x * factor
		}
	}
}

// last is the row of the step of a sentence that a direction does last.
func (n *network[F]) last(r, direction int) int {
	if direction == 1 {
		return r
	}
	return n.batch.offset[n.batch.length[r]-1] + r
}

// final is part i of what is known of a sentence: the last state forwards and
// backwards, the sum of states forwards and backwards.
func (n *network[F]) final(of []F, r, i int) []F {
	h := n.shape.Hidden
	return of[(4*r+i)*h : (4*r+i+1)*h]
}

// eachStep visits the row of every step of every sentence, for both directions.
func (n *network[F]) eachStep(f func(row, r, direction int, share F)) {
	b := &n.batch
	for t, active := range b.active {
		for r := range active {
			share := F(1 / math.Sqrt(float64(b.length[r])))
			f(b.offset[t]+r, r, 0, share)
			f(b.offset[t]+r, r, 1, share)
		}
	}
}

// both runs f for the two directions, at once where there are threads for it.
func (n *network[F]) both(f func(i int)) {
	if n.threads < 2 {
		f(0)
		f(1)
		return
	}
	var group sync.WaitGroup
	group.Go(func() { f(0) })
	f(1)
	group.Wait()
}

// layer is out = in weight + bias for so many rows.
func (n *network[F]) layer(out, in []F, l layer[F], rows, from, to int) {
	fillRows(out, l.bias)
	gemm.Multiply(gemm.Of(out, rows, to), gemm.Of(in, rows, from), gemm.Of(l.weight, from, to), true, n.threads)
}

// loss reads sentences, writes them again from their latent vectors, and returns
// the cross-entropy of a step, in nats. Where grad is not nil the gradient of the
// mean over the batch's steps is added to it.
func (n *network[F]) loss(sentences [][]embedding.ID, reg regular, rng *rand.Rand, grad *weights[F]) float64 {
	n.encode(sentences, reg, rng)
	return n.write(reg, rng, grad)
}

// write is loss for the latent vectors at hand.
func (n *network[F]) write(reg regular, rng *rand.Rand, grad *weights[F]) float64 {
	s, w, a, b := n.shape, n.weights, &n.arena, &n.batch
	count, gates := len(b.order), s.gates()
	start := a.take(count * 2 * s.Hidden)
	n.layer(start, n.latent, w.start, count, s.Latent, 2*s.Hidden)
	tanh(start, start)
	context := a.take(count * gates)
	fillRows(context, w.decoder.bias)
	gemm.Multiply(gemm.Of(context, count, gates), gemm.Of(n.latent, count, s.Latent), gemm.Of(w.context, s.Latent, gates), true, n.threads)

	before := b.before
	if reg.WordDropout > 0 && rng != nil {
		before = make([]int32, len(b.before))
		for i, x := range b.before {
			if before[i] = x; x != s.begin() && rng.Float64() < reg.WordDropout {
				before[i] = int32(s.Words) + 2 // the row of zeros beyond the last
			}
		}
	}
	written := a.take(b.rows * s.Embed)
	gather(written, w.embed, before, s.Embed)
	n.kept[2] = n.drop(written, reg.Dropout, rng)

	d := &n.decoder
	d.allot(a, b)
	for t, active := range b.active {
		copy(d.gates[b.offset[t]*gates:], context[:active*gates])
	}
	gemm.Multiply(gemm.Of(d.gates, b.rows, gates), gemm.Of(written, b.rows, s.Embed), gemm.Of(w.decoder.in, s.Embed, gates), true, n.threads)
	firstState, firstCell := a.take(count*s.Hidden), a.take(count*s.Hidden)
	for r := range count {
		copy(firstState[r*s.Hidden:(r+1)*s.Hidden], start[r*2*s.Hidden:])
		copy(firstCell[r*s.Hidden:(r+1)*s.Hidden], start[(2*r+1)*s.Hidden:])
	}
	d.forward(b, w.decoder, firstState, firstCell)

	states := a.take(b.rows * s.Hidden) // gradients
	loss := n.softmax(d.state, states, grad)
	if grad != nil {
		n.backward(grad, states, start, written, before)
	}
	return loss
}

// backward adds the gradients of all before the softmax, from those of the
// decoder's states.
func (n *network[F]) backward(grad *weights[F], states, start, written []F, before []int32) {
	s, w, a, b := n.shape, n.weights, &n.arena, &n.batch
	count, gates, d := len(b.order), s.gates(), &n.decoder
	cells := a.take(b.rows * s.Hidden)
	dState, dCell := a.take(count*s.Hidden), a.take(count*s.Hidden)
	d.backward(b, w.decoder, states, cells, dState, dCell)
	dWritten := a.take(b.rows * s.Embed)
	d.learn(b, w.decoder, grad.decoder, written, dWritten)
	times(dWritten, n.kept[2])
	scatter(grad.embed, dWritten, before, s.Embed)

	dContext := a.take(count * gates)
	for t, active := range b.active {
		for k, x := range d.gates[b.offset[t]*gates : (b.offset[t]+active)*gates] {
			dContext[k] += x
		}
	}
	dStart := a.take(count * 2 * s.Hidden)
	for r := range count {
		copy(dStart[r*2*s.Hidden:], dState[r*s.Hidden:(r+1)*s.Hidden])
		copy(dStart[(2*r+1)*s.Hidden:], dCell[r*s.Hidden:(r+1)*s.Hidden])
	}
	for k, y := range start {
		dStart[k] *= 1 - y*y
	}
	latent := gemm.Of(n.latent, count, s.Latent)
	dLatent := gemm.Of(a.take(count*s.Latent), count, s.Latent)
	gemm.Multiply(gemm.Of(grad.context, s.Latent, gates), latent.T(), gemm.Of(dContext, count, gates), true, n.threads)
	gemm.Multiply(dLatent, gemm.Of(dContext, count, gates), gemm.Of(w.context, s.Latent, gates).T(), true, n.threads)
	gemm.Multiply(gemm.Of(grad.start.weight, s.Latent, 2*s.Hidden), latent.T(), gemm.Of(dStart, count, 2*s.Hidden), true, n.threads)
	addRows(grad.start.bias, dStart)
	gemm.Multiply(dLatent, gemm.Of(dStart, count, 2*s.Hidden), gemm.Of(w.start.weight, s.Latent, 2*s.Hidden).T(), true, n.threads)
	for r := range count {
		outOfBall(dLatent.Data[r*s.Latent:(r+1)*s.Latent], n.raw[r*s.Latent:(r+1)*s.Latent], s.radius())
	}

	finals := gemm.Of(n.finals, count, s.read())
	gemm.Multiply(gemm.Of(grad.latent.weight, s.read(), s.Latent), finals.T(), dLatent, true, n.threads)
	addRows(grad.latent.bias, dLatent.Data)
	dFinals := a.take(count * s.read())
	gemm.Multiply(gemm.Of(dFinals, count, s.read()), dLatent, gemm.Of(w.latent.weight, s.read(), s.Latent).T(), true, n.threads)
	times(dFinals, n.kept[1])

	var gradients, noCells, dInputs [2][]F
	for i := range n.encoder {
		gradients[i], noCells[i], dInputs[i] = a.take(b.rows*s.Hidden), a.take(b.rows*s.Hidden), a.take(b.rows*s.Embed)
	}
	n.eachStep(func(row, r, i int, share F) {
		out := gradients[i][row*s.Hidden : (row+1)*s.Hidden]
		for k, d := range n.final(dFinals, r, 2+i) {
			out[k] = share * d
		}
	})
	for r := range count {
		for i := range n.encoder {
			row := n.last(r, i)
			for k, d := range n.final(dFinals, r, i) {
				gradients[i][row*s.Hidden+k] += d
			}
		}
	}
	n.both(func(i int) {
		l, c := &n.encoder[i], w.encoder[i]
		l.backward(b, c, gradients[i], noCells[i], nil, nil)
		l.learn(b, c, grad.encoder[i], n.input, dInputs[i])
	})
	for k, x := range dInputs[1] {
		dInputs[0][k] += x
	}
	times(dInputs[0], n.kept[0])
	scatter(grad.embed, dInputs[0], b.read, s.Embed)
}

// outOfBall turns the gradient of x min(1, radius/|x|) into that of x.
func outOfBall[F gemm.Number](d, x []F, radius float64) {
	norm := length(x)
	if norm <= radius {
		return
	}
	along := 0.0
	for k, v := range x {
		along += float64(v) * float64(d[k])
	}
	along /= norm * norm
	for k, v := range x {
		d[k] = F(radius / norm * (float64(d[k]) - along*float64(v)))
	}
}

func length[F gemm.Number](v []F) float64 {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	return math.Sqrt(square)
}

// drop sets a share of v to 0 and scales the rest so that the mean stays; it
// returns the factors, nil where nothing is dropped.
func (n *network[F]) drop(v []F, share float64, rng *rand.Rand) []F {
	if share == 0 || rng == nil {
		return nil
	}
	factors, stay := n.arena.take(len(v)), F(1/(1-share))
	least := uint32(share * (1 << 32))
	for i := 0; i < len(v); i += 2 {
		bits := rng.Uint64()
		if uint32(bits) >= least {
			factors[i] = stay
		}
		if i+1 < len(v) && uint32(bits>>32) >= least {
			factors[i+1] = stay
		}
	}
	times(v, factors)
	return factors
}

// times multiplies v by factors; nil is all ones.
func times[F gemm.Number](v, factors []F) {
	for i, f := range factors {
		v[i] *= f
	}
}

// gather copies the rows of a table that ids name; a row beyond it is zeros.
func gather[F gemm.Number](dst, table []F, ids []int32, width int) {
	for i, id := range ids {
		if at := int(id) * width; at < len(table) {
			copy(dst[i*width:(i+1)*width], table[at:])
		}
	}
}

// scatter adds rows to those of a table that ids name.
func scatter[F gemm.Number](table, rows []F, ids []int32, width int) {
	for i, id := range ids {
		if at := int(id) * width; at < len(table) {
			out := table[at : at+width]
			for k, x := range rows[i*width : (i+1)*width] {
				out[k] += x
			}
		}
	}
}
