// Package lanes holds the loops in which solving with a sparse matrix spends its
// time, for eight right-hand sides at once. The Go loops here are the
// specification; where the processor has AVX2 and FMA, assembly takes their place
// and may differ in the last places. Nothing that a guarantee rests on is computed
// here.
//
// In all of them at holds indices below the length of the wide slice.
package lanes

// Width is the number of right-hand sides.
const Width = 8

// Wide is one entry of that many vectors.
type Wide [Width]float64

func gather(sum *Wide, at []uint32, more []float32, src []Wide) {
	a := *sum
	more = more[:len(at)]
	for i, y := range at {
		f, s := float64(more[i]), &src[y]
		for j := range a {
			a[j] += f * s[j]
		}
	}
	*sum = a
}

func gatherAll(sum *Wide, at []uint32, src []Wide) {
	a := *sum
	for _, y := range at {
		s := &src[y]
		for j := range a {
			a[j] += s[j]
		}
	}
	*sum = a
}

func scatter(dst []Wide, at []uint32, more []float32, s *Wide) {
	more = more[:len(at)]
	for i, y := range at {
		f, d := float64(more[i]), &dst[y]
		for j := range d {
			d[j] += f * s[j]
		}
	}
}

func scatterAll(dst []Wide, at []uint32, s *Wide) {
	for _, y := range at {
		d := &dst[y]
		for j := range d {
			d[j] += s[j]
		}
	}
}
