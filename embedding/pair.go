package embedding

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
