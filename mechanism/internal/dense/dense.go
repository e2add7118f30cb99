// Package dense holds the three loops over long float32 rows in which solving
// and filling a packing channel spend their time. The Go loops here are the
// specification; where the processor has AVX2 and FMA, assembly takes their
// place and may differ in the last places, since it sums in another order.
// Nothing that a guarantee rests on is computed here.
package dense

func dotPositive(k, v []float32) float32 {
	v = v[:len(k)]
	var s0, s1 float32
	i := 0
	for ; i+1 < len(k); i += 2 {
		if v[i] > 0 {
			s0 += k[i] * v[i]
		}
		if v[i+1] > 0 {
			s1 += k[i+1] * v[i+1]
		}
	}
	if i < len(k) && v[i] > 0 {
		s0 += k[i] * v[i]
	}
	return s0 + s1
}

func axpy(v []float32, alpha float32, k []float32) {
	k = k[:len(v)]
	for i := range v {
		v[i] += alpha * k[i]
	}
}

func maxDifference(a, b []float32, r float32) float32 {
	b = b[:len(a)]
	m := r*a[0] - b[0]
	for i, v := range a {
		if d := r*v - b[i]; d > m {
			m = d
		}
	}
	return m
}

func minRatio(v, k []float32) float32 {
	k = k[:len(v)]
	m := v[0] / k[0]
	for i, x := range v {
		if q := x / k[i]; q < m {
			m = q
		}
	}
	return m
}
