package program

import (
	"context"
	"slices"

	"github.com/sotto-dp/sotto/corpus"
)

// asked is the number of texts that are asked again.
const asked = 8

// others are public texts that stand beside the asked ones.
var others = [][]byte{[]byte("The train leaves in the morning."), []byte("no"), []byte("A much longer sentence, with many words about nothing in particular, fills the line beside the others.")}

// check asks for some texts again: alone, and beside other texts in another order. All
// answers must be the same on the grid, from which everything is computed.
func (p *Program) check(texts [][]byte) error {
	var some [][]byte
	for i := range min(asked, len(texts)) {
		some = append(some, texts[i*len(texts)/min(asked, len(texts))])
	}
	together, err := p.all(append(slices.Clone(some), others...))
	if err != nil {
		return err
	}
	backwards := append(slices.Clone(others), some...)
	slices.Reverse(backwards)
	again, err := p.all(backwards)
	if err != nil {
		return err
	}
	for i, t := range some {
		alone, err := p.all([][]byte{t})
		if err != nil {
			return err
		}
		first := corpus.Quantize(nil, together[i])
		if !slices.Equal(first, corpus.Quantize(nil, alone[0])) || !slices.Equal(first, corpus.Quantize(nil, again[len(some)-1-i])) {
			return ErrOthers
		}
	}
	p.probe = corpus.Quantize(nil, together[len(some)])
	return p.again()
}

// probeLines is how often the probe is asked again, in lines.
const probeLines = 64

// again asks for the vector of a public text again. A program that answers a line twice, or
// remembers texts, would give later texts the vectors of others.
func (p *Program) again() error {
	v, err := p.ask(others[:1])
	if err == nil && !slices.Equal(p.probe, corpus.Quantize(nil, v[0])) {
		err = ErrOthers
	}
	return err
}

// leastCosine is how like a text's vector in a corpus that of its encoder must be: other
// hardware may round otherwise.
const leastCosine = 0.99

// Fits refuses a corpus with vectors of another encoder: it asks for some of its texts.
func (p *Program) Fits(ctx context.Context, c *corpus.Corpus) error {
	if p.Dim() != c.Dim() {
		return failed("it states %d dimensions, the corpus %s has %d", p.Dim(), c.Name(), c.Dim())
	}
	n := min(asked, c.Len())
	var texts [][]byte
	for i := range n {
		texts = append(texts, []byte(c.Text(i*c.Len()/n)))
	}
	vectors, err := p.Vectors(ctx, texts)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		if cosine(corpus.Quantize(nil, v), c.Vector(nil, i*c.Len()/n)) < leastCosine {
			return failed("it gives other vectors than the corpus %s has: it must be the encoder that the corpus was built with", c.Name())
		}
	}
	return nil
}

// Probes returns the digest of what the program answers for fixed public texts, which it is asked
// once: see [corpus.Probes].
func (p *Program) Probes(ctx context.Context) (string, error) {
	if known := p.probed.Load(); known != nil {
		return *known, nil
	}
	digest, err := corpus.Probe(ctx, p)
	if err == nil {
		p.probed.Store(&digest)
	}
	return digest, err
}

// cosine returns that of two grid vectors; 1 if both are zero.
func cosine(a, b []int8) float64 {
	var product, left, right int
	for k, x := range a {
		product, left, right = product+int(x)*int(b[k]), left+int(x)*int(x), right+int(b[k])*int(b[k])
	}
	if left == 0 && right == 0 {
		return 1
	}
	if product <= 0 {
		return 0
	}
	return float64(product) / float64(max(left, right))
}

// ErrOthers reports a program that does not read one text at a time.
var ErrOthers = &Error{"a text has another vector beside other texts, or when it is asked again; it must read one text at a time, and state \"batch\": 1 if a batch changes its rounding"}
