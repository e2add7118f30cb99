package embedding

import "math"

// SquaredDistance is the squared distance of two words in steps squared: an
// exact integer.
func (t *Table) SquaredDistance(x, y ID) float64 {
	i, j := int(x)*t.dim, int(y)*t.dim
	if t.narrow != nil {
		a, b := t.narrow[i:i+t.dim], t.narrow[j:j+t.dim]
		q := int32(0)
		for k, v := range a {
			e := int32(v) - int32(b[k])
			q += e * e
		}
		return float64(q)
	}
	a, b := t.wide[i:i+t.dim], t.wide[j:j+t.dim]
	q := 0.0
	for k, v := range a {
		e := float64(v) - float64(b[k])
		q += e * e
	}
	return q
}

// Diameter bounds the distance of any two words, in the unit of the vectors:
// twice the largest distance to the table's mean, a little outward.
func (t *Table) Diameter() float64 {
	mean := make([]float64, t.dim)
	for i := range t.words {
		for k := range mean {
			mean[k] += t.component(i, k) / float64(len(t.words))
		}
	}
	radius := 0.0
	for i := range t.words {
		q := 0.0
		for k, m := range mean {
			e := t.component(i, k) - m
			q += e * e
		}
		radius = max(radius, q)
	}
	return 2 * t.step * math.Sqrt(radius) * (1 + 1e-9)
}
