// Noisetime measures whether the time of a draw of noise depends on the number drawn.
//
//	go run ./scripts/noisetime [-draws 200000]
//
// For each sampler it prints the mean time of a draw, the correlation of the time with the
// magnitude of the number, and how much longer the quarter of the largest magnitudes takes
// than the quarter of the smallest. Draws that took more than ten times the median are left
// out: the operating system took the processor. Of draws whose time does not depend on the
// number, the correlation is below 4/sqrt(draws) except for a chance of 1 in 16,000.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sotto-dp/sotto/noise"
)

// draw is one number and what it took.
type draw struct{ magnitude, ns float64 }

func main() {
	n := flag.Int("draws", 200_000, "draws of each sampler")
	flag.Parse()
	laplace, small, gaussian := noise.NewLaplace(1, 20), noise.NewLaplace(1, 1000), noise.NewGaussian(400)
	fmt.Printf("%-44s %8s %12s %10s\n", "noise", "ns", "correlation", "longer")
	for _, c := range []struct {
		name string
		draw func(rand.Source) int64
	}{
		{"counts: Laplace, rate 1/20", laplace.Draw},
		{"counts: Laplace, rate 1/1000", small.Draw},
		{"counts: Gaussian, sigma 20", gaussian.Draw},
		{"vectors: Laplace on a grid", func(src rand.Source) int64 { return noise.DiscreteLaplace(src, 40) }},
		{"vectors: Gaussian on a grid", func(src rand.Source) int64 { return noise.FloorNormal(src, 40) }},
	} {
		draws := measure(*n, c.draw)
		mean, r, longer := describe(draws)
		fmt.Printf("%-44s %8.0f %12.4f %9.1f%%\n", c.name, mean, r, 100*longer)
	}
	fmt.Printf("4/sqrt(draws) = %.4f\n", 4/math.Sqrt(float64(*n)))
}

func measure(n int, next func(rand.Source) int64) []draw {
	src, draws := noise.Secure(), make([]draw, n)
	for i := range draws {
		begin := time.Now()
		k := next(src)
		draws[i] = draw{math.Abs(float64(k)), float64(time.Since(begin).Nanoseconds())}
	}
	slices.SortFunc(draws, func(a, b draw) int { return cmp.Compare(a.ns, b.ns) })
	most := 10 * draws[n/2].ns
	at, _ := slices.BinarySearchFunc(draws, most, func(d draw, most float64) int { return cmp.Compare(d.ns, most) })
	return draws[:at]
}

// describe returns the mean time, the correlation, and by which share of the time the
// quarter of the largest magnitudes takes longer than that of the smallest.
func describe(draws []draw) (mean, correlation, longer float64) {
	slices.SortFunc(draws, func(a, b draw) int { return cmp.Compare(a.magnitude, b.magnitude) })
	var x, y, xx, yy, xy float64
	for _, d := range draws {
		x, y = x+d.magnitude, y+d.ns
	}
	n := float64(len(draws))
	x, y = x/n, y/n
	for _, d := range draws {
		xx, yy, xy = xx+(d.magnitude-x)*(d.magnitude-x), yy+(d.ns-y)*(d.ns-y), xy+(d.magnitude-x)*(d.ns-y)
	}
	quarter := len(draws) / 4
	part := func(draws []draw) (sum float64) {
		for _, d := range draws {
			sum += d.ns
		}
		return sum / float64(len(draws))
	}
	small, large := part(draws[:quarter]), part(draws[len(draws)-quarter:])
	return y, xy / math.Sqrt(xx*yy), large/small - 1
}
