package catalog

import (
	"context"
	"encoding/json"
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/channel"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"pgregory.net/rapid"
)

// reference is the format of the reference file tem_channels.json.
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
	stage.Unraced(t)
	data, err := os.ReadFile(refdata.Path(t, "oracles/tem_channels.json"))
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		Toy struct {
			Words    []string    `json:"words"`
			Vectors  [][]float32 `json:"vectors"`
			Channels []reference `json:"channels"`
		} `json:"toy"`
		Glove struct {
			Channels []reference `json:"channels"`
		} `json:"glove100_first400"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		t.Fatal(err)
	}
	toy := embedding.Source{Words: known.Toy.Words, Dim: len(known.Toy.Vectors[0])}
	for _, v := range known.Toy.Vectors {
		toy.Vectors = append(toy.Vectors, v...)
	}
	t.Run("toy", func(t *testing.T) { checkReference(t, oracle.MustTable(t, toy), known.Toy.Channels) })
	t.Run("glove", func(t *testing.T) { checkReference(t, oracle.Glove(t, 400), known.Glove.Channels) })
}

func checkReference(t *testing.T, table *embedding.Table, channels []reference) {
	if len(channels) == 0 {
		t.Fatal("the reference holds no channels")
	}
	for _, want := range channels {
		m, err := newTEM(t.Context(), table, mechanism.Spec{Epsilon: want.Eps, Published: true,
			Parameters: map[string]string{"beta": strconv.FormatFloat(want.Beta, 'g', -1, 64)}})
		if err != nil {
			t.Fatal(err)
		}
		c := m.(*channel.Distance)
		near(t, "gamma", setting(t, c, "gamma"), want.Gamma)
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

// near compares a figure to 1e-5 relative, the precision of the reference.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-5*math.Abs(want)) {
		t.Errorf("%s is %.9g, want %.9g", what, got, want)
	}
}

func TestFastCertificateAgreesWithAllTriples(t *testing.T) {
	for _, entry := range []mechanism.Entry{temEntry, exponentialEntry, neighboursEntry, responseEntry, classesEntry} {
		t.Run(entry.Name, rapid.MakeCheck(func(t *rapid.T) {
			table := oracle.DrawTable(t)
			m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: rapid.Float64Range(0.05, 8).Draw(t, "epsilon"), Published: true})
			if err != nil {
				t.Fatal(err)
			}
			loss, err := m.(mechanism.Certifier).Certify(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			metric, pure := oracle.AllTriples(m.(mechanism.Channel), table)
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

func TestCertifiedEpsilonIsReachedAndNotPassed(t *testing.T) {
	stage.Unraced(t)
	table := oracle.Glove(t, 1000)
	for _, entry := range []mechanism.Entry{temEntry, exponentialEntry} {
		for _, epsilon := range []float64{0.5, 2, 6} {
			m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: epsilon})
			if err != nil {
				t.Fatal(err)
			}
			loss, err := m.(mechanism.Certifier).Certify(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if loss.MetricHigh > epsilon || loss.MetricHigh < 0.99*epsilon {
				t.Errorf("%s at %g certifies %g, want at most that and within a hundredth", entry.Name, epsilon, loss.MetricHigh)
			}
		}
	}
}
