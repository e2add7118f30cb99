package packing

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/rowops"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/channel"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/mechanism/internal/weight"
	"github.com/sotto-dp/sotto/privacy"
)

// openBalanced returns the channel of a file: an exponential channel with a base
// measure, whose losses are known.
func openBalanced(table *embedding.Table, c *File, settings []mechanism.Setting) *channel.Calibrated {
	base := make([]float64, table.Len())
	for y := range base {
		base[y] = c.baseOf(uint32(y))
	}
	settings = append(settings, mechanism.Setting{Name: "t", Value: c.T}, mechanism.Setting{Name: "unchanged", Value: c.Value}, mechanism.Setting{Name: "channel-sha256", Value: c.digest})
	m := channel.New(metrics.Euclidean(table), c.law(table), base, c.claim(), settings)
	return channel.NewCalibrated(m, c.Loss(), c.source)
}

// compileBalanced bisects t and solves c for each t; the first try is
// t = epsilon, which is optimal wherever K^-1 1 is not negative.
func compileBalanced(ctx context.Context, table *embedding.Table, epsilon float64, e Effort) ([]byte, error) {
	if err := privacy.CheckEpsilon("balanced", epsilon); err != nil {
		return nil, err
	}
	ctx, cancel, l := newLimit(ctx, e.Time)
	defer cancel()
	d := newDistances(table)
	if d.n() > mostPacked {
		return nil, fmt.Errorf("balanced: the table has %d words, want at most %d: take its first words", d.n(), mostPacked)
	}
	if err := d.plain(ctx); err != nil {
		return nil, l.explain(ctx, "balanced", err)
	}
	b := &balancing{table: table, d: d, epsilon: epsilon, effort: e}
	data, err := b.search(ctx, l.set())
	if err != nil && (data == nil || !over(ctx, err)) {
		return nil, l.explain(ctx, "balanced", err)
	}
	return data, nil
}

// search returns the file of the largest t that is certified. If timed, it makes
// the file of each t on the way, and returns the last one with the error of ctx.
func (b *balancing) search(ctx context.Context, timed bool) (data []byte, err error) {
	const steps = 11
	epsilon := b.epsilon
	var best *balancedAt
	low, high := epsilon/2, epsilon
	for step := range steps {
		t := (low + high) / 2
		if step == 0 && b.atMost() > low {
			t = b.atMost()
		}
		at, err := b.at(ctx, t, step+1)
		if err != nil {
			return data, err
		}
		if at.loss.MetricHigh <= epsilon {
			if best == nil || t > best.t {
				best = at
				if timed {
					file, err := best.encode(ctx, b)
					if err != nil {
						return data, err
					}
					data = file
				}
			}
			if step == 0 {
				break // c levels all rows: no larger t can be certified
			}
			low = t
		} else {
			high = t
		}
	}
	for t := low; best == nil; t /= 2 { // e^(-t d) alone needs at most twice t, and its slack
		if t < epsilon/64 {
			return nil, privacy.Bad("balanced", "epsilon", epsilon, "larger: rounding alone costs more over this table's nearest words")
		}
		at, err := b.at(ctx, t, steps+1)
		if err != nil {
			return nil, err
		}
		if at.loss.MetricHigh <= epsilon {
			best = at
		}
	}
	if data != nil {
		return data, nil // of the best
	}
	return best.encode(ctx, b)
}

// balancing is the search for one epsilon. It overwrites the matrix of d.
type balancing struct {
	table   *embedding.Table
	d       *distances
	epsilon float64
	effort  Effort
	from    []float32 // the last c found
}

// balancedAt is the member at one t, with its certificate.
type balancedAt struct {
	t       float64
	base    []float64
	channel *channel.Distance
	loss    mechanism.Loss
}

// atMost returns the largest t worth trying: epsilon less what rounding adds, and a
// base measure that levels rows to about 1e-5.
func (b *balancing) atMost() float64 { return b.epsilon - 5e-5/b.d.smallest }

// floorBits keeps what the floor adds to a row below 2^-14 of an entry 1.
func (b *balancing) floorBits() int {
	return max(weight.LeastFloorBits, b.scaleBits()-14-bits.Len(uint(b.table.Len())))
}

// scaleBits keeps row sums below 2^62.
func (b *balancing) scaleBits() int {
	return 62 - bits.Len(uint(b.table.Len()))
}

func (b *balancing) at(ctx context.Context, t float64, step int) (*balancedAt, error) {
	if err := b.d.kernel(ctx, t); err != nil {
		return nil, err
	}
	c, err := level(ctx, b.d.m, b.d.n(), b.from)
	if err != nil {
		return nil, err
	}
	b.from = c
	largest := c[largestAt(c)]
	base := make([]float64, b.table.Len())
	for i, v := range c {
		if v > leastBase*largest {
			base[b.d.words[i]] = float64(v / largest)
		}
	}
	h := File{compiledHeader: compiledHeader{T: t, ScaleBits: uint32(b.scaleBits()), FloorBits: uint32(b.floorBits())}}
	m := channel.New(metrics.Euclidean(b.table), h.law(b.table), base, h.claim(), nil)
	loss, err := m.Certify(ctx, b.effort.Progress.Stage(fmt.Sprintf("balanced: certificate %d", step)))
	return &balancedAt{t, base, m, loss}, err
}

// encode returns the file of the channel, or the error of ctx.
func (a *balancedAt) encode(ctx context.Context, b *balancing) ([]byte, error) {
	h := compiledHeader{Mechanism: mechanismName("balanced"), Table: tableDigest(b.table), Epsilon: b.epsilon, T: a.t,
		ScaleBits: uint32(b.scaleBits()), FloorBits: uint32(b.floorBits())}
	h.know(a.loss)
	n := b.table.Len()
	parts := compiledParts{base: make([]float32, n), starts: make([]uint32, n+1)}
	var row []uint64
	for x := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parts.base[x] = float32(a.base[x])
		row = a.channel.Weights(row[:0], embedding.ID(x))
		total := 0.0
		for _, w := range row {
			total += float64(w)
		}
		h.Value += float64(row[x]) / total / float64(n)
	}
	return encodeCompiled(h, parts), nil
}

// level solves min 1/2 c'Kc - 1'c over c >= 0 by coordinate descent, until Kc
// is 1 on the support, and at least 1 elsewhere, up to 1e-4. Every result is
// safe: the certificate is computed for exactly this c.
func level(ctx context.Context, k []float32, n int, from []float32) ([]float32, error) {
	p := newProgram(ctx, n, k)
	c := make([]float32, n)
	copy(c, from)
	z := p.apply(c) // K c
	for sweep := range 400 {
		worst := float32(0)
		for y := range n {
			if y%eachRows == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			short := 1 - z[y]
			if c[y] == 0 && short <= 0 {
				continue
			}
			step := max(short, -c[y])
			worst = max(worst, max(step, -step))
			c[y] += step
			rowops.Axpy(z, step, p.row(y))
		}
		if worst < 1e-5 {
			break
		}
		if sweep%20 == 19 {
			z = p.apply(c)
		}
	}
	return c, ctx.Err()
}
