package catalog

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/elementary"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var truncatedGumbelEntry = mechanism.Entry{
	Name:      "truncated-gumbel",
	Summary:   "the nearest of a random number of near words, by distance plus truncated Gumbel noise, as published",
	Paper:     "Xu, Feyisetan, Aggarwal, Xu, Teissier 2021, \"Density-aware differentially private textual perturbations using truncated Gumbel noise\", FLAIRS 34",
	Notion:    privacy.Metric,
	Published: &privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean"},
	Standing:  privacy.Refuted,
	Reviewed:  "8492f92add435f31",
	Analysis:  mechanism.RankedOutputs,
	Stops:     mechanism.Steps(45, 145, 20),
	Cost:      mechanism.Pairs,
	Above:     gumbelLimit,
	New:       newTruncatedGumbel,
}

// newTruncatedGumbel makes the published mechanism: of the K words nearest to the
// input, itself included, K from a Poisson distribution of mean ln V truncated to 1 to
// V, the one whose distance plus truncated Gumbel noise is least.
func newTruncatedGumbel(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	const who = "truncated-gumbel"
	p := parameters.Read(who, spec)
	if p.Err != nil {
		return nil, p.Err
	}
	least, most, err := extremeDistances(ctx, table)
	if err != nil {
		return nil, err
	}
	if most == 0 {
		return nil, privacy.Wrong(who, "words", "all have the same vector", "choose a table with at least two different vectors")
	}
	scale, err := gumbelScale(table.Len(), least, most, spec.Epsilon)
	if err != nil {
		return nil, err
	}
	mean := elementary.Log(float64(table.Len()))
	p.Note("least-distance", least)
	p.Note("largest-distance", most)
	p.Note("scale", scale)
	p.Note("mean", mean)
	settings, err := p.Close()
	if err != nil {
		return nil, err
	}
	return &truncatedGumbel{table: table, mean: mean, scale: scale, bound: most / scale, settings: settings}, nil
}

// gumbelLimit returns the largest epsilon for which the published scale does not exist
// over a table: (5 + 2 ln V)/Dmin.
func gumbelLimit(ctx context.Context, table *embedding.Table) (float64, error) {
	least, _, err := extremeDistances(ctx, table)
	return float64(5+2*elementary.Log(float64(table.Len()))) / least, err
}

// gumbelScale returns the published scale of the noise, 2 Dmax/min(W(2 alpha Dmax),
// ln(alpha Dmin)) with alpha = (epsilon - 2 (1 + ln V)/Dmin)/3 and W Lambert's function.
// It is positive for alpha Dmin > 1 alone.
func gumbelScale(words int, least, most, epsilon float64) (float64, error) {
	product := (float64(epsilon*least) - float64(2*(1+elementary.Log(float64(words))))) / 3 // alpha Dmin
	if math.IsInf(product, 1) {
		return 0, privacy.Bad("truncated-gumbel", "epsilon", epsilon, "smaller: alpha Dmin overflows")
	}
	if !(product > 1) {
		limit := float64(5+2*elementary.Log(float64(words))) / least
		return 0, privacy.Bad("truncated-gumbel", "epsilon", epsilon, fmt.Sprintf("above (5 + 2 ln V)/Dmin = %.6g over this table: the published scale exists for no other", limit))
	}
	log := elementary.Log(product)
	if !(log > 0x1p-40) {
		return 0, privacy.Bad("truncated-gumbel", "epsilon", epsilon, "further above (5 + 2 ln V)/Dmin: the published scale would be lost in rounding")
	}
	return 2 * most / min(log, lambert(math.Ln2+log+elementary.Log(most/least))), nil
}

// lambert returns W(e^logarithm), Lambert's function, for logarithms of at least ln 2: the
// w with w + ln w = logarithm. Newton's method rises to it, since the left side is concave.
func lambert(logarithm float64) float64 {
	w := 0.5
	for range 100 {
		next := w + float64((logarithm-w-elementary.Log(w))/(1+1/w))
		if !(next > w) {
			break
		}
		w = next
	}
	return w
}

// extremeDistances returns the least distance of two words with different vectors and
// the largest distance of two words; 0 where all vectors are equal.
func extremeDistances(ctx context.Context, table *embedding.Table) (least, most float64, err error) {
	var mu sync.Mutex
	low, high := math.Inf(1), 0.0
	err = parallel.IDs(ctx, 0, table.Len(), 32, func(xs []embedding.ID) {
		row := make([]float64, len(xs)*(table.Len()-int(xs[0])))
		table.SquaredDistances(row, xs, int(xs[0]), table.Len())
		near, far := math.Inf(1), 0.0
		for _, q := range row {
			if q > 0 {
				near = min(near, q)
			}
			far = max(far, q)
		}
		mu.Lock()
		low, high = min(low, near), max(high, far)
		mu.Unlock()
	})
	if high == 0 {
		return 0, 0, err
	}
	return table.Step() * math.Sqrt(low), table.Step() * math.Sqrt(high), err
}

// truncatedGumbel draws words. Nothing holds for it: see its note.
type truncatedGumbel struct {
	table    *embedding.Table
	mean     float64 // of K before its truncation
	scale    float64 // of the noise
	bound    float64 // of the noise, in scales
	settings []mechanism.Setting
	buffers  sync.Pool // *rankedBuffer
}

type rankedBuffer struct {
	squares []float64
	near    []rankedWord
}

// rankedWord is a word with its squared distance to the input, in steps squared.
type rankedWord struct {
	square float64
	id     embedding.ID
}

func (m *truncatedGumbel) Claim() privacy.Claim {
	return privacy.Claim{Unit: privacy.Token, Notion: privacy.None, Epsilon: math.Inf(1), Delta: 1, Assumes: additive.Assumed}
}

func (m *truncatedGumbel) Settings() []mechanism.Setting { return m.settings }

// Replace draws one output for each word of src.
func (m *truncatedGumbel) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	rng = noise.OrSecure(rng)
	b, ok := m.buffers.Get().(*rankedBuffer)
	if !ok {
		b = new(rankedBuffer)
	}
	defer m.buffers.Put(b)
	n := m.table.Len()
	b.squares = scratch.Resize(b.squares, n)
	for i := range src {
		m.table.SquaredDistances(b.squares, src[i:i+1], 0, n)
		b.near = nearestWords(b.near[:0], b.squares, truncatedPoisson(m.mean, n, rng))
		best, at := math.Inf(1), b.near[0].id
		for _, w := range b.near {
			if noisy := float64(m.table.Step()*math.Sqrt(w.square)) + float64(m.scale*gumbelWithin(m.bound, rng)); noisy < best {
				best, at = noisy, w.id
			}
		}
		dst = append(dst, at)
	}
	return dst, nil
}

// nearestWords appends the k words of the least squared distances to dst, nearest first,
// equal ones by index.
func nearestWords(dst []rankedWord, squares []float64, k int) []rankedWord {
	for i, q := range squares {
		if len(dst) == k {
			if q >= dst[k-1].square {
				continue
			}
			dst = dst[:k-1]
		}
		at := len(dst)
		dst = append(dst, rankedWord{})
		for ; at > 0 && dst[at-1].square > q; at-- {
			dst[at] = dst[at-1]
		}
		dst[at] = rankedWord{q, embedding.ID(i)}
	}
	return dst
}

// truncatedPoisson draws from the Poisson distribution of a mean, given that the result
// is 1 to most: the number of uniform numbers whose product stays above e^-mean.
func truncatedPoisson(mean float64, most int, src rand.Source) int {
	least := math.Exp(-mean)
	for {
		k := 0
		for product := noise.OpenUnit(src); product > least && k <= most; k++ {
			product *= noise.OpenUnit(src)
		}
		if k >= 1 && k <= most {
			return k
		}
	}
}

// gumbelWithin draws from the standard Gumbel distribution given that the result is
// within a bound of 0: minus the logarithm of an exponential number between e^-bound and
// e^bound.
func gumbelWithin(bound float64, src rand.Source) float64 {
	low := math.Exp(-bound)
	e := low - math.Log1p(float64(noise.OpenUnit(src)*math.Expm1(-2*math.Sinh(bound))))
	return max(-bound, min(bound, -math.Log(e)))
}
