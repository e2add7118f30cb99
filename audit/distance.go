package audit

import (
	"fmt"
	"math"
	"math/big"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"gonum.org/v1/gonum/mat"
)

// distance is the distance of two words in whose unit a claim counts epsilon.
type distance func(x, z embedding.ID) float64

// distanceOf returns the distance that a metric claim names, computed here from
// the public table alone: a mechanism that shapes its noise wrongly would measure
// wrongly too. It is nil, without an error, for a distance that sampling does not
// know. Other claims get the Euclidean distance, which they do not use.
func distanceOf(c privacy.Claim, table *embedding.Table) (distance, error) {
	if euclidean(c) {
		return table.Distance, nil
	}
	var bits int
	var seed uint64
	if n, err := fmt.Sscanf(c.Distance, "hamming(%d,%d)", &bits, &seed); n == 2 && err == nil {
		return hamming(table, bits, seed), nil
	}
	var lambda float64
	if n, err := fmt.Sscanf(c.Distance, "mahalanobis(%g)", &lambda); n != 1 || err != nil {
		return nil, nil
	}
	return mahalanobis(table, lambda)
}

// mahalanobis returns sqrt((x-z)' S^-1 (x-z)) with S = lambda Sigma + (1 - lambda) I,
// Sigma the covariance of the table's vectors scaled to trace d (Xu, Aggarwal,
// Feyisetan, Teissier 2020).
func mahalanobis(table *embedding.Table, lambda float64) (distance, error) {
	dim := table.Dim()
	s := covariance(table)
	trace := mat.Trace(s)
	if trace > 0 {
		s.ScaleSym(lambda*float64(dim)/trace, s)
	}
	for k := range dim {
		s.SetSym(k, k, s.At(k, k)+1-lambda)
	}
	var root mat.Cholesky
	if !root.Factorize(s) || root.Cond() > 1e12 {
		return nil, fmt.Errorf("audit: the mahalanobis(%g) distance of this table does not exist: its covariance is singular", lambda)
	}
	return func(x, z embedding.ID) float64 {
		a, b := widen(table.Vector(nil, x)), widen(table.Vector(nil, z))
		for k := range a {
			a[k] -= b[k]
		}
		difference, image := mat.NewVecDense(dim, a), mat.NewVecDense(dim, nil)
		if err := root.SolveVecTo(image, difference); err != nil {
			panic(err) // only of a condition beyond the one above
		}
		return math.Sqrt(mat.Dot(difference, image))
	}, nil
}

// covariance of the table's vectors, by words in blocks.
func covariance(table *embedding.Table) *mat.SymDense {
	const block = 256
	dim, n := table.Dim(), table.Len()
	mean := make([]float64, dim)
	for x := range n {
		for k, v := range table.Vector(nil, embedding.ID(x)) {
			mean[k] += float64(v) / float64(n)
		}
	}
	sum := mat.NewSymDense(dim, nil)
	for from := 0; from < n; from += block {
		rows := min(block, n-from)
		centred := mat.NewDense(rows, dim, nil)
		for i := range rows {
			for k, v := range table.Vector(nil, embedding.ID(from+i)) {
				centred.Set(i, k, float64(v)-mean[k])
			}
		}
		sum.SymRankK(sum, 1/float64(n), centred.T())
	}
	return sum
}

// hamming returns the distance of two words' binary codes. Bit j of a word is whether its
// vector minus the table's mean has a positive or zero inner product with direction j:
// normal numbers from a public seed, on the grid of package int8grid. Few words are asked
// for, so a code is computed then. It is for one goroutine.
func hamming(table *embedding.Table, bits int, seed uint64) distance {
	n, dim := table.Len(), table.Dim()
	sum, steps := make([]int64, dim), []int64(nil) // 2^32 words of at most 2^22 steps
	for x := range n {
		steps = table.Steps(steps[:0], embedding.ID(x))
		for k, v := range steps {
			sum[k] += v
		}
	}
	directions, middles := make([][]int8, bits), make([]*big.Int, bits)
	src := noise.Seeded(seed, 1<<63+1)
	normal := make([]float64, dim)
	for j := range directions {
		for k := range normal {
			normal[k] = noise.Normal(src)
		}
		directions[j], middles[j] = int8grid.Append(nil, normal), new(big.Int)
		for k, g := range directions[j] {
			middles[j].Add(middles[j], new(big.Int).Mul(big.NewInt(sum[k]), big.NewInt(int64(g))))
		}
	}
	codes := map[embedding.ID][]bool{}
	code := func(x embedding.ID) []bool {
		if known, ok := codes[x]; ok {
			return known
		}
		steps, code := table.Steps(nil, x), make([]bool, bits)
		for j, direction := range directions {
			along := int64(0)
			for k, g := range direction {
				along += steps[k] * int64(g)
			}
			code[j] = new(big.Int).Mul(big.NewInt(along), big.NewInt(int64(n))).Cmp(middles[j]) >= 0
		}
		codes[x] = code
		return code
	}
	return func(x, z embedding.ID) (d float64) {
		other := code(z)
		for j, bit := range code(x) {
			if bit != other[j] {
				d++
			}
		}
		return d
	}
}
