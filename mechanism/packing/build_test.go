package packing

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/privacy"
)

// packingReference is one line of the reference file packing_reference.json.
type packingReference struct {
	Limit    float64 `json:"limit"`
	Eps      float64 `json:"eps"`
	Kept     float64 `json:"unchanged"`
	Distance float64 `json:"expected_distance"`
	Pure     float64 `json:"pure_eps"`
}

func TestPackingReachesTheLimit(t *testing.T) {
	stage.Unraced(t)
	data, err := os.ReadFile(refdata.Path(t, "oracles/packing_reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var known map[string][]packingReference
	if err := json.Unmarshal(data, &known); err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{"glove100_first_300": 300}
	if stage.Runs(stage.Large) {
		sizes["glove100_first_1000"], sizes["glove100_first_2000"] = 1000, 2000
	}
	for name, n := range sizes {
		if len(known[name]) == 0 {
			t.Fatalf("the reference holds no %s", name)
		}
		table := oracle.Glove(t, n)
		for _, want := range known[name] {
			start := time.Now()
			data, err := compilePacking(context.Background(), table, want.Eps, Effort{})
			if err != nil {
				t.Fatal(err)
			}
			c, err := Read(data)
			if err != nil {
				t.Fatal(err)
			}
			m := newPacked(table, c, nil)
			kept, moved := oracle.UseOf(m, table)
			t.Logf("%s eps %g: kept %.4f of %.4f, moved %.4f (%.4f), loss %+v, %d lifts, %s", name, want.Eps, kept, want.Limit, moved, want.Distance, m.Loss(), c.Additions, time.Since(start))
			if kept < 0.985*want.Limit || kept > want.Limit*1.001 {
				t.Errorf("%s at %g keeps %g, the limit is %g", name, want.Eps, kept, want.Limit)
			}
			if moved > 1.02*want.Distance {
				t.Errorf("%s at %g moves words by %g, want %g", name, want.Eps, moved, want.Distance)
			}
			if h := m.Loss().MetricHigh; h > want.Eps*(1+1e-6) {
				t.Errorf("%s at %g certifies %g", name, want.Eps, h)
			}
		}
	}
}

// Packing's certificate compares distances that are rounded to float32. It holds
// for tables of every scale: with subnormal distances, all triples once lost 1.3 %
// more than the certificate.
func TestPackingsCertificateHoldsAtEveryScaleOfATable(t *testing.T) {
	stage.Unraced(t)
	by := 30
	if stage.Runs(stage.Large) {
		by = 10
	}
	for bits := -300; bits <= 300; bits += by {
		rng := rand.New(rand.NewPCG(3, 3))
		var words []string
		var grid []int8
		for i := range 40 {
			words = append(words, "w"+strconv.Itoa(i))
			for range 6 {
				grid = append(grid, int8(rng.IntN(255)-127))
			}
		}
		table, err := embedding.NewNarrow(embedding.Narrow{Name: "scaled", Words: words, Dim: 6, Step: math.Ldexp(1, bits), Grid: grid})
		if err != nil {
			t.Fatal(err)
		}
		if n := newDistances(table).n(); n != len(words) {
			t.Errorf("a step of 2^%d: %d different vectors, must be %d", bits, n, len(words))
		}
		m, err := packingEntry.New(t.Context(), table, mechanism.Spec{Epsilon: max(privacy.MinEpsilon, 4/table.Diameter())})
		if err != nil {
			var bad *privacy.ParameterError
			if !errors.As(err, &bad) {
				t.Errorf("a step of 2^%d: %v", bits, err)
			}
			if bits > -100 && bits < 10 {
				t.Errorf("a step of 2^%d, of which all distances are float32: %v", bits, err)
			}
			continue
		}
		loss, err := m.(*packedChannel).Certify(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if metric, _ := oracle.AllTriples(m.(*packedChannel), table); metric > loss.MetricHigh || loss.MetricHigh > m.Claim().Epsilon {
			t.Errorf("a step of 2^%d: all triples lose %g, the certificate says %g and the claim %g", bits, metric, loss.MetricHigh, m.Claim().Epsilon)
		}
	}
}
