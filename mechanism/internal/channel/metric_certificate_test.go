package channel

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
)

// hostile returns tables inside the unit ball that provoke a metric's rounding.
// Those called close allow no calibration: flooring alone costs more between
// their nearest words.
func hostile(t *testing.T) map[string]*embedding.Table {
	tables := map[string]*embedding.Table{}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, dim := range []int{2, 3, 20, 100} {
		var vectors [][]float64
		for range 60 {
			v := make([]float64, dim)
			for k := range v {
				v[k] = rng.NormFloat64()
			}
			vectors = append(vectors, v)
		}
		turned := func(v []float64, by, off float64) []float64 {
			w := make([]float64, dim)
			for k, c := range v {
				w[k] = by * c
			}
			w[0] += off * norm64(v)
			return w
		}
		close := slices.Clone(vectors)
		for i, v := range vectors[:12] {
			vectors = append(vectors, turned(v, 1, 0), turned(v, -1, []float64{0, 1e-6, 1e-5, 1e-4}[i%4]))
			close = append(close, turned(v, 1, 0), turned(v, 1, 1e-6), turned(v, -1, 0), turned(v, -1, 1e-6), turned(v, -1, 1e-4))
		}
		tables["opposite "+strconv.Itoa(dim)] = inBall(t, vectors)
		tables["close, opposite "+strconv.Itoa(dim)] = inBall(t, close)
	}
	// One direction and its opposite, with steps of the grid beside them.
	var line [][]float64
	for i := range 60 {
		line = append(line, []float64{float64(1-2*(i%2)) * (1 + float64(i%3)), float64(i/6) * 1e-6, 0})
	}
	tables["close, on a line"] = inBall(t, line)
	var multiples [][]float64
	for i := range 60 {
		v := []float64{float64(i%5 - 2), float64(i/5%4 - 1), 1}
		for k := range v {
			v[k] *= []float64{1, 3, -1}[i/20] / 16
		}
		multiples = append(multiples, v)
	}
	tables["multiples"] = tableOf(t, multiples, 1)
	tables["close, boundary"] = oracle.BallOf(t, 3, 90, 7)
	tables["close, boundary of the disc"] = oracle.BallOf(t, 2, 90, 8)
	tables["random"] = oracle.Poincare(t, 60, 4)
	// A few opposites among many words, which a check of random triples misses.
	var many [][]float64
	for range 500 {
		v := make([]float64, 20)
		for k := range v {
			v[k] = rng.NormFloat64()
		}
		many = append(many, v)
	}
	for _, v := range many[:8] {
		near, opposite := slices.Clone(v), slices.Clone(v)
		near[0] += 1e-4 * norm64(v)
		for k := range opposite {
			opposite[k] = -v[k]
		}
		many = append(many, near, opposite)
	}
	tables[manyWords] = inBall(t, many)
	return tables
}

const manyWords = "few opposites among many words"

func norm64(v []float64) float64 {
	square := 0.0
	for _, c := range v {
		square += c * c
	}
	return math.Sqrt(square)
}

// inBall returns a table of vectors scaled into the unit ball.
func inBall(t *testing.T, vectors [][]float64) *embedding.Table {
	most := 0.0
	for _, v := range vectors {
		most = max(most, norm64(v))
	}
	return tableOf(t, vectors, 0.99/most)
}

func tableOf(t *testing.T, vectors [][]float64, scale float64) *embedding.Table {
	s := embedding.Source{Dim: len(vectors[0])}
	for i, v := range vectors {
		s.Words = append(s.Words, "w"+strconv.Itoa(i))
		for _, c := range v {
			s.Vectors = append(s.Vectors, float32(c*scale))
		}
	}
	return oracle.MustTable(t, s)
}

// Every metric's certificate is at least the loss of all triples, over tables
// with words that are equal, nearly equal, opposite, nearly opposite and on the
// boundary of the ball; words at distance 0 have one row. The list of metrics
// includes new ones.
func TestNoMetricsCertificateIsBelowTheLossOfAllTriples(t *testing.T) {
	stage.Unraced(t)
	all := stage.Runs(stage.Large)
	for _, known := range metrics.Names() {
		for what, table := range hostile(t) {
			for _, c := range []struct {
				epsilon   float64
				published bool
			}{{2, false}, {8, false}, {8, true}, {300, true}} {
				if what == manyWords && (c.epsilon != 2 || known != "angular" && !all) {
					continue // the others add nothing but time
				}
				name := fmt.Sprintf("%s, %s, epsilon %g", known, what, c.epsilon)
				m, err := exponentialEntry.New(t.Context(), table, mechanism.Spec{Epsilon: c.epsilon, Published: c.published, Parameters: map[string]string{"metric": known}})
				if err != nil && strings.HasPrefix(what, "close") && !c.published {
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				channel, ok := m.(*Distance)
				if k, calibrated := m.(*Calibrated); calibrated {
					channel, ok = k.Distance, true
				}
				if !ok || !strings.HasPrefix(m.Claim().Distance, known) {
					t.Fatalf("%s: opens a %T with the claim %v", name, m, m.Claim())
				}
				loss, err := channel.Certify(context.Background(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if !c.published && (loss.MetricHigh > c.epsilon || what == "random" && loss.MetricHigh < 0.99*c.epsilon) {
					t.Errorf("%s: certified %g", name, loss.MetricHigh)
				}
				enumerated(t, name, channel, loss)
			}
		}
	}
}

// enumerated compares a certificate with the loss of all triples.
func enumerated(t *testing.T, name string, c *Distance, loss mechanism.Loss) {
	t.Helper()
	const rounding = 1e-13 // of four logarithms and their differences
	n := c.metric.Table.Len()
	rows, weights := make([][]float64, n), make([][]uint64, n)
	for x := range rows {
		weights[x] = c.Weights(nil, embedding.ID(x))
		sum := uint64(0)
		for _, w := range weights[x] {
			sum += w
		}
		for _, w := range weights[x] {
			rows[x] = append(rows[x], math.Log(float64(w))-math.Log(float64(sum)))
		}
	}
	metric, pure := 0.0, 0.0
	for x := range n {
		for z := range n {
			l := 0.0
			for y := range n {
				l = max(l, rows[x][y]-rows[z][y])
			}
			pure = max(pure, l-rounding)
			if d := c.metric.Distance(embedding.ID(x), embedding.ID(z)); d > 0 {
				metric = max(metric, (l-rounding)/d)
			} else if !slices.Equal(weights[x], weights[z]) {
				t.Fatalf("%s: words %d and %d are at distance 0 and have two rows", name, x, z)
			}
		}
	}
	if metric > loss.MetricHigh || pure > loss.PureHigh {
		t.Errorf("%s: all triples lose %.9g per unit and %.9g in all, the certificate says %.9g and %.9g", name, metric, pure, loss.MetricHigh, loss.PureHigh)
	}
	if most := metric * (1 + 1e-9); loss.MetricLow > most+1e-9 && loss.MetricLow > most+2*rounding*loss.MetricLow {
		t.Errorf("%s: %.9g is said to be attained, all triples lose %.9g", name, loss.MetricLow, metric)
	}
}

// The triangle inequality of computed distances breaks by at most the defect, and
// the certificate of a warped metric allows for it.
func TestDefectBoundsTheTriangleInequality(t *testing.T) {
	stage.Unraced(t)
	for _, known := range metrics.Names() {
		for what, table := range hostile(t) {
			m := named(t, table, known)
			n := min(table.Len(), 130)
			for _, gamma := range []float64{math.Inf(1), m.Most / 3} {
				d := make([]float64, n*n)
				for i := range d {
					d[i] = min(m.Distance(embedding.ID(i/n), embedding.ID(i%n)), gamma)
				}
				worst := 0.0
				for x := range n {
					for y := range n {
						for z := range n {
							worst = max(worst, d[x*n+z]-d[x*n+y]-d[y*n+z])
						}
					}
				}
				if worst > m.Defect(gamma)+0x1p-52*min(m.Most, gamma) { // of the two subtractions
					t.Errorf("%s, %s: the inequality breaks by %g, the defect is %g", known, what, worst, m.Defect(gamma))
				}
			}
			opened, err := exponentialEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 3, Published: true, Parameters: map[string]string{"metric": known}})
			if err != nil {
				t.Fatal(err)
			}
			c := opened.(*Distance)
			if added := c.slack() - c.law.Slack(); m.Warp != nil && !(added >= 0.99*c.law.T*m.Defect(c.law.Gamma)) {
				t.Errorf("%s, %s: the slack allows %g beyond the law's, the defect costs %g", known, what, added, c.law.T*m.Defect(c.law.Gamma))
			}
		}
	}
}

func named(t testing.TB, table *embedding.Table, name string) metrics.Metric {
	t.Helper()
	p := parameters.Read("exponential", mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"metric": name}})
	m := metrics.Read(t.Context(), p, table)
	if _, err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}
