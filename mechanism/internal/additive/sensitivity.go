package additive

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
)

// Sensitivity bounds the difference of two clipped vectors in three norms.
type Sensitivity struct{ L1, L2, LInf float64 }

// BallSensitivity returns the sensitivity over any two vectors of dim components within an
// l2 ball. The largest l1 difference, 2 clip sqrt(dim), is attained along (1, ..., 1).
func BallSensitivity(dim int, clip float64) Sensitivity {
	return Sensitivity{2 * clip * math.Sqrt(float64(dim)), 2 * clip, 2 * clip}
}

// SensitivityParameter chooses the inputs whose largest difference scales the noise.
var SensitivityParameter = mechanism.Parameter{Name: "sensitivity", Kind: mechanism.Choice, Default: "ball", Accepts: mechanism.OneOf("ball", "table"), Pairs: "table",
	Help: "what the noise on words covers: the whole ball, or the exact largest differences over the clipped table"}

// ReadSensitivity reads the parameter sensitivity. Only members for words have it, because
// a vector that is not from the table may be anywhere in the ball.
func ReadSensitivity(ctx context.Context, p *parameters.Reader, table *embedding.Table, c Clip, spec mechanism.Spec, on Use) Sensitivity {
	ball := BallSensitivity(table.Dim(), c.Radius)
	if on != OnWords {
		return ball
	}
	if value, _ := p.Choice(SensitivityParameter); value != "table" {
		p.Set(SensitivityParameter, "ball")
		return ball
	}
	s, err := TableSensitivity(ctx, table, c, spec)
	if err != nil {
		p.Fail(err)
		return ball
	}
	if s.L2 == 0 { // one distinct vector: nothing to hide, any noise does
		return ball
	}
	p.Set(SensitivityParameter, "table")
	p.Note("sensitivity-l1", s.L1)
	p.Note("sensitivity-l2", s.L2)
	p.Note("sensitivity-linf", s.LInf)
	return s
}

// TableSensitivity finds the exact largest differences over all pairs of a
// table's clipped vectors, rounded up. It takes O(V^2 d); the result is cached.
func TableSensitivity(ctx context.Context, table *embedding.Table, c Clip, spec mechanism.Spec) (Sensitivity, error) {
	key := fmt.Sprintf("%s-sensitivity2-%s", table.Digest(), parameters.Key(c.Radius))
	n, dim := table.Len(), table.Dim()
	vectors := make([]float32, 0, n*dim)
	for x := range n {
		vectors = table.Vector(vectors, embedding.ID(x))
		c.Apply(vectors[x*dim:])
	}
	var s Sensitivity
	if mechanism.Recall(spec.Cache, key, &s) && s.plausible(vectors, dim) {
		return s, nil
	}
	s = Sensitivity{}
	report := spec.Progress.Stage("largest differences of the table")
	count := report.Counter(n)
	var mu sync.Mutex
	err := parallel.IDs(ctx, 0, n, 32, func(xs []embedding.ID) {
		var most Sensitivity
		for _, x := range xs {
			most.over(vectors[int(x)*dim:][:dim], vectors[(int(x)+1)*dim:])
		}
		mu.Lock()
		s = Sensitivity{max(s.L1, most.L1), max(s.L2, most.L2), max(s.LInf, most.LInf)}
		mu.Unlock()
		count.Add(len(xs))
	})
	if err != nil {
		return s, err
	}
	const out = 1 + 0x1p-40 // of sums of at most 2^12 rounded terms
	s = Sensitivity{s.L1 * out, math.Sqrt(s.L2) * out, s.LInf * out}
	mechanism.Remember(spec.Cache, key, s)
	return s, nil
}

// plausible checks figures from the cache by the distances from the first vector
// alone: the largest of those is at most the largest difference, and at least half
// of it by the triangle inequality. So no figures that pass are below half the truth.
func (s Sensitivity) plausible(vectors []float32, dim int) bool {
	var first Sensitivity
	first.over(vectors[:dim], vectors[dim:])
	return s.L1 >= s.L2 && s.L2 >= s.LInf && s.LInf > 0 && !math.IsInf(s.L1, 0) &&
		s.L1 >= first.L1 && s.L2 >= math.Sqrt(first.L2) && s.LInf >= first.LInf
}

// over raises s to the largest differences of v from the vectors of rest; L2 is squared.
func (s *Sensitivity) over(v, rest []float32) {
	for ; len(rest) > 0; rest = rest[len(v):] {
		var l1, l2, most [2]float64 // two chains of additions, so that they overlap
		for k, w := range rest[:len(v)] {
			e := math.Abs(float64(v[k]) - float64(w))
			l1[k&1] += e
			l2[k&1] += float64(e * e)
			most[k&1] = max(most[k&1], e)
		}
		s.L1 = max(s.L1, l1[0]+l1[1])
		s.L2 = max(s.L2, l2[0]+l2[1])
		s.LInf = max(s.LInf, most[0], most[1])
	}
}
