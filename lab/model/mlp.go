package model

import (
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/internal/simd/gemm"
)

// MLPConfig configures the training of an MLP.
type MLPConfig struct {
	Hidden        []int // widths: 64 and 64 for the attack of the TEM paper's section 5.3
	Epochs, Batch int
	Rate          float64
	Seed          uint64 // of the first weights and of the order of rows
}

// MLP is a multilayer perceptron with rectified hidden layers and one logistic
// output.
type MLP struct{ layers []layer }

// layer is outputs x inputs weights and a constant for each output.
type layer struct {
	in, out           int
	weights, constant []float32
}

func newLayer(in, out int) layer {
	return layer{in, out, make([]float32, in*out), make([]float32, out)}
}

// NewMLP draws first weights of variance 2/inputs (He, Zhang, Ren, Sun 2015).
func NewMLP(inputs int, cfg MLPConfig) *MLP {
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x3e9))
	m := &MLP{}
	in := inputs
	for _, out := range append(append([]int{}, cfg.Hidden...), 1) {
		l := newLayer(in, out)
		for k := range l.weights {
			l.weights[k] = float32(rng.NormFloat64() * math.Sqrt(2/float64(in)))
		}
		m.layers = append(m.layers, l)
		in = out
	}
	return m
}

// Fit trains with Adam on the mean log loss of batches.
func (m *MLP) Fit(rows [][]float32, yes []bool, cfg MLPConfig) {
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x3ea))
	var weights, constants []*moments
	for _, l := range m.layers {
		weights, constants = append(weights, newMoments(len(l.weights))), append(constants, newMoments(len(l.constant)))
	}
	pass := m.newPass(cfg.Batch)
	for range cfg.Epochs {
		order := rng.Perm(len(rows))
		for len(order) > 0 {
			batch := order[:min(cfg.Batch, len(order))]
			order = order[len(batch):]
			m.add(pass, rows, yes, batch)
			for k, l := range m.layers {
				weights[k].step(l.weights, pass.gradients[k].weights, cfg.Rate)
				constants[k].step(l.constant, pass.gradients[k].constant, cfg.Rate)
			}
		}
	}
}

// Score returns the log odds of yes for one row.
func (m *MLP) Score(row []float32) float64 {
	p := m.newPass(1)
	m.forward(p, [][]float32{row}, []int{0})
	return float64(p.values[len(m.layers)][0])
}

// pass is the working memory of a batch: its rows and their values after each layer,
// the slopes of the loss by those values, and the gradients of the weights, which are
// clear between batches.
type pass struct {
	values, slopes [][]float32 // the first is of the rows
	gradients      []layer
}

func (m *MLP) newPass(batch int) *pass {
	p := &pass{}
	widths := []int{m.layers[0].in}
	for _, l := range m.layers {
		widths = append(widths, l.out)
		p.gradients = append(p.gradients, newLayer(l.in, l.out))
	}
	for _, w := range widths {
		p.values, p.slopes = append(p.values, make([]float32, batch*w)), append(p.slopes, make([]float32, batch*w))
	}
	return p
}

func (m *MLP) forward(p *pass, rows [][]float32, batch []int) {
	for k, i := range batch {
		copy(p.values[0][k*len(rows[i]):], rows[i])
	}
	n := len(batch)
	for k, l := range m.layers {
		out := p.values[k+1][:n*l.out]
		gemm.Multiply(gemm.Of(out, n, l.out), gemm.Of(p.values[k], n, l.in), gemm.Of(l.weights, l.out, l.in).T(), false, 1)
		for i := range out {
			out[i] += l.constant[i%l.out]
			if k < len(m.layers)-1 {
				out[i] = max(out[i], 0)
			}
		}
	}
}

// add adds the gradient of the mean log loss of a batch of rows.
func (m *MLP) add(p *pass, rows [][]float32, yes []bool, batch []int) {
	m.forward(p, rows, batch)
	n, last := len(batch), len(m.layers)
	for k, i := range batch {
		d := 1 / (1 + math.Exp(-float64(p.values[last][k])))
		if yes[i] {
			d--
		}
		p.slopes[last][k] = float32(d) / float32(n)
	}
	for k := last - 1; k >= 0; k-- {
		l, g := m.layers[k], p.gradients[k]
		out := p.slopes[k+1][:n*l.out]
		for i := range out {
			if k < last-1 && p.values[k+1][i] == 0 {
				out[i] = 0
			}
			g.constant[i%l.out] += out[i]
		}
		slopes := gemm.Of(out, n, l.out)
		gemm.Multiply(gemm.Of(g.weights, l.out, l.in), slopes.T(), gemm.Of(p.values[k], n, l.in), true, 1)
		if k > 0 {
			gemm.Multiply(gemm.Of(p.slopes[k], n, l.in), slopes, gemm.Of(l.weights, l.out, l.in), false, 1)
		}
	}
}
