package packing

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
	"pgregory.net/rapid"
)

// compiledFor compiles and opens a packing channel.
func compiledFor(t testing.TB, table *embedding.Table, epsilon float64) (*packedChannel, []byte) {
	t.Helper()
	data, err := compilePacking(context.Background(), table, epsilon, Effort{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return newPacked(table, c, nil), data
}

// All triples of inputs and outputs stay within the certificate.
func TestPackingAndBalancedKeepTheirPromiseOverAllTriples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := oracle.DrawTable(t)
		epsilon := rapid.Float64Range(0.2, 4).Draw(t, "epsilon")
		for _, entry := range []mechanism.Entry{packingEntry, balancedEntry} {
			m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: epsilon})
			if err != nil {
				continue // few dimensions: rows that cannot be filled, or one vector only
			}
			metric, pure := oracle.AllTriples(m.(mechanism.Channel), table)
			loss, err := m.(mechanism.Certifier).Certify(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			d := newDistances(table)
			if err := d.plain(context.Background()); err != nil {
				t.Fatal(err)
			}
			// The enumeration itself rounds each logarithm, and divides by a distance.
			rounding := 1e-9 + 1e-13/d.smallest
			if loss.MetricHigh > epsilon*(1+1e-6) {
				t.Fatalf("%s at %g certifies %+v", entry.Name, epsilon, loss)
			}
			if metric > loss.MetricHigh*(1+rounding)+rounding || pure > loss.PureHigh*(1+rounding)+rounding {
				t.Fatalf("%s: all triples give (%g, %g), above the certificate %+v", entry.Name, metric, pure, loss)
			}
			if loss.MetricLow > metric*(1+rounding)+rounding || loss.PureLow > pure*(1+rounding)+rounding {
				t.Fatalf("%s: all triples give (%g, %g), below what is said to be attained, %+v", entry.Name, metric, pure, loss)
			}
		}
	})
}

// The same in enough dimensions for every row to be filled: no case is left out.
func TestPackingOverGaussianTablesKeepsItsPromise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dim := rapid.IntRange(2, 20).Draw(t, "words"), rapid.IntRange(12, 24).Draw(t, "dimensions")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		s := embedding.Source{Dim: dim}
		for i := range n {
			s.Words = append(s.Words, "w"+strconv.Itoa(i))
			for range dim {
				s.Vectors = append(s.Vectors, float32(rng.NormFloat64()))
			}
		}
		table, err := embedding.New(s)
		if err != nil {
			t.Fatal(err)
		}
		epsilon := rapid.Float64Range(0.3, 3).Draw(t, "epsilon")
		data, err := compilePacking(context.Background(), table, epsilon, Effort{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		m := newPacked(table, c, nil)
		metric, pure := oracle.AllTriples(m, table)
		if metric > epsilon*(1+1e-9) || math.Abs(pure-c.Loss().PureHigh) > 1e-9 {
			t.Fatalf("at %g all triples give (%g, %g), the file says %+v", epsilon, metric, pure, c.Loss())
		}
		if c.Value > c.Bound*(1+1e-9) && c.Bound > 0 {
			t.Fatalf("at %g it keeps %g, above the limit %g", epsilon, c.Value, c.Bound)
		}
	})
}

func TestPackingOverARealTableKeepsItsPromiseOverAllTriples(t *testing.T) {
	table := oracle.Glove(t, 150)
	for _, epsilon := range []float64{0.6, 1, 1.5} {
		m, _ := compiledFor(t, table, epsilon)
		metric, _ := oracle.AllTriples(m, table)
		if metric > epsilon*(1+1e-9) || metric < 0.999*epsilon {
			t.Errorf("at %g all triples give %g", epsilon, metric)
		}
	}
}

// remade returns a channel file with one thing changed and a right checksum.
func remade(data []byte, change func(body []byte)) []byte {
	body := append([]byte(nil), data[:len(data)-sha256.Size]...)
	change(body)
	sum := sha256.Sum256(body)
	return append(body, sum[:]...)
}

// The certificate detects a file whose lifts are above their caps, or whose
// rows do not sum to the total.
func TestCertificateCatchesWrongChannels(t *testing.T) {
	table := oracle.Glove(t, 150)
	m, data := compiledFor(t, table, 1)
	words, additions := int(m.compiled.Words), int(m.compiled.Additions)
	outputs := compiledHeaderSize + (4*words+7)&^7 + (4*(words+1)+7)&^7
	amounts := outputs + (4*additions+7)&^7
	check := func(change func(body []byte)) (mechanism.Loss, float64, error) {
		c, err := Read(remade(data, change))
		if err != nil {
			t.Fatal(err)
		}
		mutant := newPacked(table, c, nil)
		loss, err := mutant.Certify(context.Background(), nil)
		metric, _ := oracle.AllTriples(mutant, table)
		return loss, metric, err
	}
	if _, _, err := check(func(body []byte) { body[amounts]++ }); err == nil {
		t.Error("a row that sums to more than the total passes")
	}
	// The lifts of one row go to its first output alone.
	x := embedding.ID(0)
	for from, to := m.compiled.additionsOf(x); to-from < 2; from, to = m.compiled.additionsOf(x) {
		x++
	}
	loss, metric, err := check(func(body []byte) {
		from, to := m.compiled.additionsOf(x)
		sum := uint64(0)
		for i := from; i < to; i++ {
			at := body[amounts+8*int(i):]
			sum += binary.LittleEndian.Uint64(at)
			binary.LittleEndian.PutUint64(at, 0)
		}
		binary.LittleEndian.PutUint64(body[amounts+8*int(from):], sum)
	})
	if err != nil {
		t.Fatal(err)
	}
	if metric <= 1 || loss.MetricHigh < metric*(1-1e-9) {
		t.Errorf("lifts above the cap: all triples give %g, the certificate %g, want both above 1", metric, loss.MetricHigh)
	}
}

func TestDamagedOrForeignChannelFileIsRefused(t *testing.T) {
	table := oracle.RandomTable(t, 60, 10)
	_, data := compiledFor(t, table, 1)
	path := filepath.Join(t.TempDir(), "channel")
	open := func(data []byte, table *embedding.Table, epsilon float64) error {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := packingEntry.New(t.Context(), table, mechanism.Spec{Epsilon: epsilon, Parameters: map[string]string{"channel": path}, Open: oracle.OpenFile})
		return err
	}
	if err := open(data, table, 1); err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string][]byte{
		"flipped":   remade(data, func(b []byte) {})[:len(data)-1],
		"cut":       data[:len(data)/2],
		"empty":     {},
		"one bit":   append([]byte{data[0] ^ 1}, data[1:]...),
		"last byte": append(append([]byte(nil), data[:len(data)-1]...), data[len(data)-1]^1),
	} {
		if err := open(broken, table, 1); err == nil || !strings.Contains(err.Error(), "channel file") {
			t.Errorf("%s: a damaged file gives %v", name, err)
		}
	}
	other, err := table.First(59)
	if err != nil {
		t.Fatal(err)
	}
	if err := open(data, other, 1); err == nil || !strings.Contains(err.Error(), "another table") {
		t.Errorf("a foreign table gives %v", err)
	}
	if err := open(data, table, 0.5); err == nil {
		t.Error("a channel that certifies 1 opens at 0.5")
	}
}

// The packing program, solved by a library's simplex method, has the same value,
// and our bound is not below it.
func TestPackingProgramAgreesWithALinearProgram(t *testing.T) {
	for _, epsilon := range []float64{0.5, 0.8, 1.2} {
		const n = 50
		table := oracle.Glove(t, n)
		d := newDistances(table)
		if err := d.kernel(context.Background(), epsilon); err != nil {
			t.Fatal(err)
		}
		// Standard form: K a + slack = 1.
		a := mat.NewDense(n, 2*n, nil)
		c, b := make([]float64, 2*n), make([]float64, n)
		for x := range n {
			for y := range n {
				a.Set(x, y, float64(d.row(x)[y]))
			}
			a.Set(x, n+x, 1)
			b[x], c[x] = 1, -1
		}
		value, _, err := lp.Simplex(c, a, b, 1e-10, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := -value / n
		p := newProgram(t.Context(), n, d.m)
		got, err := p.solve(nil, effort{gap: 1e-4, sweeps: 2000})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.value-want) > 1e-3*want || got.bound < want*(1-1e-6) || got.bound > want*1.002 {
			t.Errorf("epsilon %g: value %g and bound %g, the simplex method finds %g", epsilon, got.value, got.bound, want)
		}
	}
}

// A linear program over all channels of a small table, every entry a variable
// and every ratio of two rows a constraint, finds no larger unchanged rate and,
// at that rate, no noticeably smaller expected distance.
func TestNoChannelOfASmallTableKeepsMore(t *testing.T) {
	stage.Unraced(t)
	const n, epsilon = 6, 0.5
	table := oracle.Glove(t, n)
	m, _ := compiledFor(t, table, epsilon)
	kept, moved := oracle.UseOf(m, table)
	at := func(x, y int) int { return x*n + y }
	// Standard form: P(y|x) - e^(epsilon d) P(y|z) + slack = 0, rows sum to 1.
	ratios := n * (n - 1) * n
	solve := func(objective []float64, extra int, more func(a *mat.Dense, b []float64, row, slack int)) float64 {
		vars := n*n + ratios + extra
		a, b, c := mat.NewDense(ratios+n+extra, vars, nil), make([]float64, ratios+n+extra), make([]float64, vars)
		copy(c, objective)
		row := 0
		for x := range n {
			for z := range n {
				if x == z {
					continue
				}
				ratio := math.Exp(-epsilon * table.Distance(embedding.ID(x), embedding.ID(z)))
				for y := range n {
					a.Set(row, at(x, y), ratio)
					a.Set(row, at(z, y), -1)
					a.Set(row, n*n+row, 1)
					row++
				}
			}
		}
		for x := range n {
			for y := range n {
				a.Set(row, at(x, y), 1)
			}
			b[row] = 1
			row++
		}
		if more != nil {
			more(a, b, row, n*n+ratios)
		}
		value, _, err := lp.Simplex(c, a, b, 1e-10, nil)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	stay, distance := make([]float64, n*n), make([]float64, n*n)
	for x := range n {
		stay[at(x, x)] = -1.0 / n
		for y := range n {
			distance[at(x, y)] = table.Distance(embedding.ID(x), embedding.ID(y)) / n
		}
	}
	best := -solve(stay, 0, nil)
	if kept < best*(1-4e-3) || kept > best*(1+1e-6) {
		t.Errorf("it keeps %g, the best channel %g", kept, best)
	}
	least := solve(distance, 1, func(a *mat.Dense, b []float64, row, slack int) {
		for x := range n { // at least what is kept
			a.Set(row, at(x, x), 1.0/n)
		}
		a.Set(row, slack, -1)
		b[row] = kept
	})
	if moved > 1.01*least {
		t.Errorf("it moves words by %g, the best channel that keeps as many by %g", moved, least)
	}
}
