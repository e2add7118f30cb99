package mechanism

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shared"
	"pgregory.net/rapid"
)

// reference is the form of the oracle tem_channels.json.
type reference struct {
	Eps      float64   `json:"eps"`
	Beta     float64   `json:"beta"`
	Gamma    float64   `json:"gamma"`
	Metric   float64   `json:"metric_eps_exact"`
	Witness  []string  `json:"witness"`
	Pure     float64   `json:"pure_eps_exact"`
	Kept     float64   `json:"unchanged_mean"`
	Distance float64   `json:"expected_distance_mean"`
	FirstRow []float64 `json:"first_row"`
}

func TestTEMAgreesWithTheIndependentReference(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "oracles/tem_channels.json"))
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Toy struct {
			Words    []string    `json:"words"`
			Vectors  [][]float32 `json:"vectors"`
			Channels []reference `json:"channels"`
		} `json:"toy"`
		Glove struct {
			Channels []reference `json:"channels"`
		} `json:"glove100_first400"`
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	toy := embedding.Source{Words: oracle.Toy.Words, Dim: len(oracle.Toy.Vectors[0])}
	for _, v := range oracle.Toy.Vectors {
		toy.Vectors = append(toy.Vectors, v...)
	}
	t.Run("toy", func(t *testing.T) { checkReference(t, mustTable(t, toy), oracle.Toy.Channels) })
	t.Run("glove", func(t *testing.T) { checkReference(t, glove(t, 400), oracle.Glove.Channels) })
}

func checkReference(t *testing.T, table *embedding.Table, channels []reference) {
	if len(channels) == 0 {
		t.Fatal("the reference holds no channels")
	}
	for _, want := range channels {
		m, err := newTEM(t.Context(), table, Spec{Epsilon: want.Eps, Published: true,
			Parameters: map[string]string{"beta": strconv.FormatFloat(want.Beta, 'g', -1, 64)}})
		if err != nil {
			t.Fatal(err)
		}
		c := m.(*distanceChannel)
		near(t, "gamma", c.law.Gamma, want.Gamma)
		loss, err := c.Certify(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "metric epsilon, from above", loss.MetricHigh, want.Metric)
		near(t, "metric epsilon, from below", loss.MetricLow, want.Metric)
		near(t, "pure epsilon, from above", loss.PureHigh, want.Pure)
		near(t, "pure epsilon, from below", loss.PureLow, want.Pure)
		if loss.MetricLow > loss.MetricHigh || loss.PureLow > loss.PureHigh {
			t.Errorf("eps %g: a lower figure exceeds its upper one: %+v", want.Eps, loss)
		}
		w := loss.MetricWitness
		if got := []string{table.Word(w.Input), table.Word(w.Neighbour), table.Word(w.Output)}; strings.Join(got, " ") != strings.Join(want.Witness, " ") {
			t.Errorf("eps %g: witness %v, want %v", want.Eps, got, want.Witness)
		}
		kept, moved := 0.0, 0.0
		var row []uint64
		for x := range table.Len() {
			row = c.Weights(row[:0], embedding.ID(x))
			total := 0.0
			for _, v := range row {
				total += float64(v)
			}
			kept += float64(row[x]) / total / float64(table.Len())
			for y, v := range row {
				moved += float64(v) / total * table.Distance(embedding.ID(x), embedding.ID(y)) / float64(table.Len())
			}
			if x == 0 {
				for y := range want.FirstRow {
					near(t, "first row", float64(row[y])/total, want.FirstRow[y])
				}
			}
		}
		near(t, "unchanged rate", kept, want.Kept)
		near(t, "expected distance", moved, want.Distance)
	}
}

// near holds a figure to 1e-5 relative, what the reference is given for.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-5*math.Abs(want)) {
		t.Errorf("%s is %.9g, want %.9g", what, got, want)
	}
}

func mustTable(t testing.TB, s embedding.Source) *embedding.Table {
	t.Helper()
	table, err := embedding.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// glove is the table of the first n words of GloVe 6B, 100 dimensions.
func glove(t testing.TB, n int) *embedding.Table {
	t.Helper()
	f, err := os.Open(shared.Path(t, "data/embeddings/glove.6B.100d.50k.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s := embedding.Source{Dim: 100}
	lines := bufio.NewScanner(z)
	for len(s.Words) < n && lines.Scan() {
		fields := strings.Fields(lines.Text())
		s.Words = append(s.Words, fields[0])
		for _, field := range fields[1:] {
			v, err := strconv.ParseFloat(field, 32)
			if err != nil {
				t.Fatal(err)
			}
			s.Vectors = append(s.Vectors, float32(v))
		}
	}
	return mustTable(t, s)
}

// bruteForce is the largest log ratio over all triples of a channel's weights,
// with and without division by the distance.
func bruteForce(c Channel, table *embedding.Table) (metric, pure float64) {
	n := table.Len()
	rows := make([][]float64, n)
	for x := range n {
		total := 0.0
		weights := c.Weights(nil, embedding.ID(x))
		for _, w := range weights {
			total += float64(w)
		}
		for _, w := range weights {
			rows[x] = append(rows[x], math.Log(float64(w)/total))
		}
	}
	for x := range n {
		for z := range n {
			worst := 0.0
			for y := range n {
				if loss := rows[x][y] - rows[z][y]; !math.IsNaN(loss) { // that neither word gives y is no loss
					worst = max(worst, loss)
				}
			}
			pure = max(pure, worst)
			if d := table.Distance(embedding.ID(x), embedding.ID(z)); d > 0 {
				metric = max(metric, worst/d)
			} else if worst > 1e-12 {
				metric = math.Inf(1)
			}
		}
	}
	return metric, pure
}

// drawTable is a random small table in which some words share a vector; narrow
// tables are on an int8 grid.
func drawTable(t *rapid.T) *embedding.Table {
	n, dim := rapid.IntRange(1, 24).Draw(t, "words"), rapid.IntRange(1, 5).Draw(t, "dimensions")
	words := make([]string, n)
	for i := range words {
		words[i] = "w" + strconv.Itoa(i)
	}
	var table *embedding.Table
	var err error
	if rapid.Bool().Draw(t, "narrow") {
		grid := rapid.SliceOfN(rapid.Int8Range(-9, 9), n*dim, n*dim).Draw(t, "grid")
		table, err = embedding.NewNarrow("random", words, dim, 0.25, grid, "")
	} else {
		vectors := rapid.SliceOfN(rapid.Float32Range(-4, 4), n*dim, n*dim).Draw(t, "vectors")
		for i := range n {
			if j := rapid.IntRange(0, n-1).Draw(t, "like"); rapid.IntRange(0, 4).Draw(t, "share") == 0 {
				copy(vectors[i*dim:(i+1)*dim], vectors[j*dim:(j+1)*dim])
			}
		}
		table, err = embedding.New(embedding.Source{Words: words, Dim: dim, Vectors: vectors})
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTheFastCertificateAgreesWithAllTriples(t *testing.T) {
	for _, entry := range []Entry{temEntry, exponentialEntry, neighboursEntry, responseEntry} {
		t.Run(entry.Name, rapid.MakeCheck(func(t *rapid.T) {
			table := drawTable(t)
			m, err := entry.New(t.Context(), table, Spec{Epsilon: rapid.Float64Range(0.05, 8).Draw(t, "epsilon"), Published: true})
			if err != nil {
				t.Fatal(err)
			}
			loss, err := m.(Certifier).Certify(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			metric, pure := bruteForce(m.(Channel), table)
			const rounding = 1e-9
			if metric > loss.MetricHigh*(1+rounding)+rounding || pure > loss.PureHigh*(1+rounding)+rounding {
				t.Fatalf("all triples give (%g, %g), above the certificate %+v", metric, pure, loss)
			}
			if loss.MetricLow > metric*(1+rounding)+rounding || loss.PureLow > pure*(1+rounding)+rounding {
				t.Fatalf("all triples give (%g, %g), below what is said to be attained, %+v", metric, pure, loss)
			}
			if pure > 0 && loss.PureHigh > pure+1e-3 {
				t.Fatalf("all triples give pure %g, the certificate is loose: %+v", pure, loss)
			}
		}))
	}
}

func TestACertifiedEpsilonIsReachedAndNotPassed(t *testing.T) {
	table := glove(t, 1000)
	for _, entry := range []Entry{temEntry, exponentialEntry} {
		for _, epsilon := range []float64{0.5, 2, 6} {
			m, err := entry.New(t.Context(), table, Spec{Epsilon: epsilon})
			if err != nil {
				t.Fatal(err)
			}
			loss, err := m.(Certifier).Certify(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if loss.MetricHigh > epsilon || loss.MetricHigh < 0.99*epsilon {
				t.Errorf("%s at %g certifies %g, want at most that and within a hundredth", entry.Name, epsilon, loss.MetricHigh)
			}
		}
	}
}
