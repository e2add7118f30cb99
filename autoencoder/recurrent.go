package autoencoder

import (
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/gemm"
)

// recurrent evaluates one LSTM on one batch (Hochreiter and Schmidhuber 1997,
// with the forget gate of Gers et al. 2000) and stores what the backward pass
// needs. All fields except gates are rows x hidden.
type recurrent[F gemm.Number] struct {
	hidden         int
	backwards      bool // reads the sentences from their ends
	threads        int
	gates          []F // rows x 4 hidden; on the way back their gradients
	state, cell    []F // after each step
	squashed       []F // tanh of the cell
	statesB, cellB []F // before each step
	weight         gemm.Packed[F]
}

func (l *recurrent[F]) allot(a *arena[F], b *batch) {
	n := b.rows * l.hidden
	l.gates = a.take(4 * n)
	l.state, l.cell, l.squashed, l.statesB, l.cellB = a.take(n), a.take(n), a.take(n), a.take(n), a.take(n)
}

// step returns the i-th step in processing order and the one before it, -1 for none;
// the first shared rows have a step before.
func (l *recurrent[F]) step(b *batch, i int) (t, before, shared int) {
	if !l.backwards {
		return i, i - 1, b.active[i]
	}
	t = len(b.active) - 1 - i
	if i == 0 {
		return t, -1, 0
	}
	return t, t + 1, b.active[t+1]
}

// forward runs over the batch. gates holds what the input adds to each gate.
// state and cell are the first (sentences x hidden), nil for zeros.
func (l *recurrent[F]) forward(b *batch, c cell[F], state, cell []F) {
	h := l.hidden
	l.weight.Pack(gemm.Of(c.back, h, 4*h))
	for i := range b.active {
		t, before, shared := l.step(b, i)
		row, n := b.offset[t], b.active[t]
		if before >= 0 {
			from := b.offset[before]
			copy(l.statesB[row*h:], l.state[from*h:(from+shared)*h])
			copy(l.cellB[row*h:], l.cell[from*h:(from+shared)*h])
		} else if state != nil {
			copy(l.statesB[row*h:], state[:n*h])
			copy(l.cellB[row*h:], cell[:n*h])
			shared = n
		}
		if shared > 0 && (before >= 0 || state != nil) {
			l.weight.Multiply(gemm.Of(l.gates[row*4*h:], shared, 4*h), gemm.Of(l.statesB[row*h:], shared, h), true, l.threads)
		}
		for r := row; r < row+n; r++ {
			g := l.gates[r*4*h : (r+1)*4*h]
			advance(g, l.cellB[r*h:(r+1)*h], l.cell[r*h:(r+1)*h], l.state[r*h:(r+1)*h], l.squashed[r*h:(r+1)*h])
		}
	}
}

// advance computes one step of one row: the gates from their sums, the cell from was to
// now, and squashed as its tanh.
func advance[F gemm.Number](g, was, now, state, squashed []F) {
	h := len(now)
	sigmoid(g[:3*h])
	tanh(g[3*h:], g[3*h:])
	in, forget, out, candidate := g[:h], g[h:2*h], g[2*h:3*h], g[3*h:]
	for k := range now {
		now[k] = forget[k]*was[k] + in[k]*candidate[k]
	}
	tanh(squashed, now)
	for k := range state {
		state[k] = out[k] * squashed[k]
	}
}

// backward takes the gradient of every state (rows x hidden, which it changes)
// and writes that of the gates to gates; cells is rows x hidden of zeros. dState
// and dCell receive the gradients of the first state and cell, where there was
// one.
func (l *recurrent[F]) backward(b *batch, c cell[F], states, cells, dState, dCell []F) {
	h := l.hidden
	l.weight.Pack(gemm.Of(c.back, h, 4*h).T())
	for i := len(b.active) - 1; i >= 0; i-- {
		t, before, shared := l.step(b, i)
		row, n := b.offset[t], b.active[t]
		for r := row; r < row+n; r++ {
			g := l.gates[r*4*h : (r+1)*4*h]
			in, forget, out, candidate := g[:h], g[h:2*h], g[2*h:3*h], g[3*h:]
			up, was := states[r*h:(r+1)*h], l.cellB[r*h:(r+1)*h]
			squashed, dc := l.squashed[r*h:(r+1)*h], cells[r*h:(r+1)*h]
			for k := range up {
				i, f, o, j, s := in[k], forget[k], out[k], candidate[k], squashed[k]
				d := dc[k] + up[k]*o*(1-s*s)
				out[k] = up[k] * s * o * (1 - o)
				in[k] = d * j * i * (1 - i)
				forget[k] = d * was[k] * f * (1 - f)
				candidate[k] = d * i * (1 - j*j)
				dc[k] = d * f
			}
		}
		switch {
		case before >= 0 && shared > 0:
			from := b.offset[before]
			l.weight.Multiply(gemm.Of(states[from*h:], shared, h), gemm.Of(l.gates[row*4*h:], shared, 4*h), true, l.threads)
			// A cell's gradient goes one step back; where sentences end there is none yet.
			for k, d := range cells[row*h : (row+shared)*h] {
				cells[from*h+k] += d
			}
		case before < 0 && dState != nil:
			l.weight.Multiply(gemm.Of(dState, n, h), gemm.Of(l.gates[row*4*h:], n, 4*h), false, l.threads)
			copy(dCell, cells[row*h:(row+n)*h])
		}
	}
}

// learn adds the gradients of the weights, and those of the inputs where dInput is
// not nil, from the gradients of the gates.
func (l *recurrent[F]) learn(b *batch, c cell[F], grad cell[F], input, dInput []F) {
	h, width := l.hidden, len(c.in)/(4*l.hidden)
	gates := gemm.Of(l.gates, b.rows, 4*h)
	gemm.Multiply(gemm.Of(grad.in, width, 4*h), gemm.Of(input, b.rows, width).T(), gates, true, l.threads)
	gemm.Multiply(gemm.Of(grad.back, h, 4*h), gemm.Of(l.statesB, b.rows, h).T(), gates, true, l.threads)
	addRows(grad.bias, l.gates)
	if dInput != nil {
		gemm.Multiply(gemm.Of(dInput, b.rows, width), gates, gemm.Of(c.in, width, 4*h).T(), true, l.threads)
	}
}

// addRows adds every row of m to v.
func addRows[F gemm.Number](v, m []F) {
	for ; len(m) > 0; m = m[len(v):] {
		for k, x := range m[:len(v)] {
			v[k] += x
		}
	}
}

// fillRows sets every row of m to v.
func fillRows[F gemm.Number](m, v []F) {
	for ; len(m) > 0; m = m[len(v):] {
		copy(m, v)
	}
}

// arena allocates zeroed slices that are all freed together.
type arena[F gemm.Number] struct {
	data []F
	used int
	need int
}

func (a *arena[F]) reset() {
	if a.need > len(a.data) {
		a.data = make([]F, a.need+a.need/8)
	}
	a.used, a.need = 0, 0
}

func (a *arena[F]) take(n int) []F {
	a.need += n
	if a.used+n > len(a.data) {
		return make([]F, n)
	}
	v := a.data[a.used : a.used+n : a.used+n]
	a.used += n
	clear(v)
	return v
}

// inParallel calls f for 0 to n-1, in threads equal parts.
func inParallel(n, threads int, f func(i int)) {
	parallel.Split(n, threads, func(_, from, to int) {
		for i := from; i < to; i++ {
			f(i)
		}
	})
}
