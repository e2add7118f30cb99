package program

import (
	"context"

	"github.com/sotto-dp/sotto/corpus"
)

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
