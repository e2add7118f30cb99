package channel

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/internal/shipped"
)

// Over a table that is certified again, no cache changes what is drawn or said.
func TestCalibrationFromTheCacheIsCertifiedAgain(t *testing.T) {
	table := oracle.RandomTable(t, 80, 5)
	for _, parameters := range []map[string]string{nil, {"metric": "angular"}, {"nominal": "1.1"}} {
		cache := oracle.MapCache{}
		open := func() *Calibrated {
			m, err := exponentialEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 1, Parameters: parameters, Cache: cache})
			if err != nil {
				t.Fatal(err)
			}
			return m.(*Calibrated)
		}
		first := open()
		if len(cache) != 1 || first.Source() != mechanism.Computed {
			t.Fatalf("%d figures are kept, from %s", len(cache), first.Source())
		}
		for what, change := range map[string]func(c *shipped.Calibration){
			"nothing":             func(*shipped.Calibration) {},
			"a large nominal":     func(c *shipped.Calibration) { c.Nominal *= 10 },
			"a small nominal":     func(c *shipped.Calibration) { c.Nominal /= 2 },
			"another certificate": func(c *shipped.Calibration) { c.MetricHigh *= 0.9 },
			"another pure loss":   func(c *shipped.Calibration) { c.PureHigh *= 0.9 },
			"another witness":     func(c *shipped.Calibration) { c.MetricWhere.Input++ },
			"no table's witness":  func(c *shipped.Calibration) { c.MetricWhere.Input = 1 << 30 },
		} {
			oracle.Reseal(t, cache, "exponential", change)
			if again := open(); again.law.T != first.law.T || again.Loss() != first.Loss() || again.Source() != mechanism.Computed {
				t.Errorf("%v: a cache with %s gives t = %g and %+v from %s, without it is %g and %+v", parameters, what, again.law.T, again.Loss(), again.Source(), first.law.T, first.Loss())
			}
		}
	}
}

// Over a larger table the figures are trusted only if they are those of the rows
// of their witnesses, and never for less than half of the true loss.
func TestCalibrationOfALargeTableIsCheckedAtItsWitnesses(t *testing.T) {
	stage.Unraced(t)
	table := oracle.RandomTable(t, MostRecertified+1, 2)
	cache := oracle.MapCache{}
	spec := mechanism.Spec{Epsilon: 4, Parameters: map[string]string{"nominal": "2"}, Cache: cache}
	open := func() *Calibrated {
		m, err := exponentialEntry.New(t.Context(), table, spec)
		if err != nil {
			t.Fatal(err)
		}
		return m.(*Calibrated)
	}
	first := open()
	if again := open(); again.Source() != mechanism.Cached || again.Loss() != first.Loss() {
		t.Errorf("the second time it is from %s: %+v, was %+v", again.Source(), again.Loss(), first.Loss())
	}
	f := Family{Who: "exponential", Metric: metrics.Euclidean(table), At: func(nominal float64) (t, gamma float64) { return nominal / 2, math.Inf(1) }}
	var good shipped.Calibration
	oracle.Reseal(t, cache, "exponential", func(c *shipped.Calibration) { good = *c })
	if !f.plausible(good) {
		t.Fatal("a true calibration is not plausible")
	}
	for what, change := range map[string]func(c *shipped.Calibration){
		"a larger nominal":             func(c *shipped.Calibration) { c.Nominal *= 1.001 },
		"a smaller certificate":        func(c *shipped.Calibration) { c.MetricHigh *= 0.999 },
		"a certificate no number":      func(c *shipped.Calibration) { c.MetricHigh = math.NaN() },
		"a smaller pure loss":          func(c *shipped.Calibration) { c.PureHigh *= 0.999 },
		"more attained than bounded":   func(c *shipped.Calibration) { c.PureLow = 2 * c.PureHigh },
		"an equal pair as its witness": func(c *shipped.Calibration) { c.MetricWhere.Neighbour = c.MetricWhere.Input },
		"a witness beyond the table":   func(c *shipped.Calibration) { c.PureWhere.Output = MostRecertified + 1 },
		// Consistent at its witness, two words beyond gamma, where a loss per unit is small.
		"figures of a far pair": func(c *shipped.Calibration) {
			c.Nominal = 40
			channel, err := f.channel(c.Nominal)
			if err != nil {
				t.Fatal(err)
			}
			w := mechanism.Witness{Input: 0, Neighbour: 1, Output: 0}
			for y := range embedding.ID(table.Len()) {
				if table.Distance(0, y) > table.Distance(0, w.Neighbour) {
					w.Neighbour = y
				}
			}
			c.MetricWhere, c.PureWhere = w, w
			c.MetricHigh, c.PureHigh = channel.lossAt(w)
			c.MetricLow, c.PureLow = 0, 0
			if c.MetricHigh >= channel.law.T {
				t.Fatalf("the far pair loses %g per unit, t is %g", c.MetricHigh, channel.law.T)
			}
		},
	} {
		c := good
		change(&c)
		if f.plausible(c) {
			t.Errorf("%s is plausible", what)
		}
	}
	oracle.Reseal(t, cache, "exponential", func(c *shipped.Calibration) { c.MetricHigh *= 0.9 })
	if again := open(); again.Source() != mechanism.Computed || again.Loss() != first.Loss() {
		t.Errorf("a cache with another certificate gives %+v from %s", again.Loss(), again.Source())
	}
}
