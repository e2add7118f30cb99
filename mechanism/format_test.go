package mechanism

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

// Rows of the members whose weights are the same numbers on every machine, over
// fixed tables: their digest for this channel format. A change of weights that
// keeps the format leaves certificates and cached figures in force for rows they
// were not made for: raise ChannelFormat and put the new digest here.
func TestTheChannelFormatIsRaisedWhenWeightsChange(t *testing.T) {
	want := map[int]string{1: "dfaaca778d697721a24488d29e89c63d21f2529ce3dfd21945e5a1e7b72dbf05"}
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := english.First(PackingWords)
	if err != nil {
		t.Fatal(err)
	}
	// Components of few bits: the same table wherever random numbers and its making are.
	small := embedding.Source{Dim: 3}
	for i := range 40 {
		small.Words = append(small.Words, "w"+string(rune('A'+i)))
		small.Vectors = append(small.Vectors, float32(i%7-3)/16, float32(i%5-2)/16, float32(i%3+1)/16)
	}
	table := mustTable(t, small)
	h := sha256.New()
	for _, c := range []struct {
		entry Entry
		table *embedding.Table
		spec  Spec
	}{
		{temEntry, table, Spec{Epsilon: 3, Published: true}},
		{exponentialEntry, table, Spec{Epsilon: 5, Published: true}},
		{exponentialEntry, table, Spec{Epsilon: 2, Published: true, Parameters: map[string]string{"metric": "angular"}}},
		{exponentialEntry, table, Spec{Epsilon: 2, Published: true, Parameters: map[string]string{"metric": "hyperbolic"}}},
		{neighboursEntry, table, Spec{Epsilon: 2, Parameters: map[string]string{"neighbours": "5"}}},
		{responseEntry, table, Spec{Epsilon: 2}},
		{temEntry, english, Spec{Epsilon: 4}},
		{packingEntry, shipped, Spec{Epsilon: 1.25}},
	} {
		m, err := c.entry.New(t.Context(), c.table, c.spec)
		if err != nil {
			t.Fatal(err)
		}
		for x := range embedding.ID(40) {
			if err := binary.Write(h, binary.LittleEndian, m.(Channel).Weights(nil, x)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want[ChannelFormat] {
		t.Errorf("channel format %d: the rows have the digest %s, want %q", ChannelFormat, got, want[ChannelFormat])
	}
}

func TestACachedFigureIsBoundToItsKeyAndFormat(t *testing.T) {
	cache := mapCache{}
	Remember(cache, "a", 1.5)
	Remember(nil, "a", 1.5)
	Remember(cache, "infinite", math.Inf(1))
	var v float64
	if !Recall(cache, "a", &v) || v != 1.5 || Recall(cache, "b", &v) || Recall(nil, "a", &v) || Recall(cache, "infinite", &v) {
		t.Fatalf("recalls %g", v)
	}
	good := cache[formatKey("a")]
	cache[formatKey("b")] = good
	if Recall(cache, "b", &v) {
		t.Error("a figure is recalled under another key")
	}
	for at := range good {
		cache[formatKey("a")] = append(append(bytes.Clone(good[:at]), good[at]^1), good[at+1:]...)
		if Recall(cache, "a", &v) && v != 1.5 {
			t.Errorf("with byte %d changed it recalls %g", at, v)
		}
	}
	k := keptFigure{Format: ChannelFormat + 1, Key: "a", Value: []byte("2")}
	k.SHA256 = k.checksum()
	cache[formatKey("a")] = []byte(`{"channel_format":2,"key":"a","value":2,"sha256":"` + k.SHA256 + `"}`)
	if Recall(cache, "a", &v) {
		t.Error("a figure of another channel format is recalled")
	}
}

// reseal changes what a cache keeps under the one key that contains part, with a
// right checksum, as whoever knows this program can.
func reseal[T any](t *testing.T, cache mapCache, part string, change func(*T)) {
	t.Helper()
	for key := range cache {
		key = strings.TrimSuffix(key, formatKey(""))
		var v T
		if !strings.Contains(key, part) {
			continue
		}
		if !Recall(cache, key, &v) {
			t.Fatalf("%s cannot be recalled", key)
		}
		change(&v)
		Remember(cache, key, v)
		return
	}
	t.Fatalf("the cache keeps nothing for %s", part)
}

// Over a table that is certified again, no cache changes what is drawn or said.
func TestACalibrationFromTheCacheIsCertifiedAgain(t *testing.T) {
	table := randomTable(t, 80, 5)
	for _, parameters := range []map[string]string{nil, {"metric": "angular"}, {"nominal": "1.1"}} {
		cache := mapCache{}
		open := func() *calibrated {
			m, err := exponentialEntry.New(t.Context(), table, Spec{Epsilon: 1, Parameters: parameters, Cache: cache})
			if err != nil {
				t.Fatal(err)
			}
			return m.(*calibrated)
		}
		first := open()
		if len(cache) != 1 || first.Source() != Computed {
			t.Fatalf("%d figures are kept, from %s", len(cache), first.Source())
		}
		for what, change := range map[string]func(c *calibration){
			"nothing":             func(*calibration) {},
			"a large nominal":     func(c *calibration) { c.Nominal *= 10 },
			"a small nominal":     func(c *calibration) { c.Nominal /= 2 },
			"another certificate": func(c *calibration) { c.MetricHigh *= 0.9 },
			"another pure loss":   func(c *calibration) { c.PureHigh *= 0.9 },
			"another witness":     func(c *calibration) { c.MetricWhere.Input++ },
			"no table's witness":  func(c *calibration) { c.MetricWhere.Input = 1 << 30 },
		} {
			reseal(t, cache, "exponential", change)
			if again := open(); again.law.T != first.law.T || again.Known() != first.Known() || again.Source() != Computed {
				t.Errorf("%v: a cache with %s gives t = %g and %+v from %s, without it is %g and %+v", parameters, what, again.law.T, again.Known(), again.Source(), first.law.T, first.Known())
			}
		}
	}
}

// Over a larger table the figures are believed only if they are those of the rows
// of their witnesses, and never for less than half of the true loss.
func TestACalibrationOfALargeTableIsCheckedAtItsWitnesses(t *testing.T) {
	table := randomTable(t, mostRecertified+1, 2)
	cache := mapCache{}
	spec := Spec{Epsilon: 4, Parameters: map[string]string{"nominal": "2"}, Cache: cache}
	open := func() *calibrated {
		m, err := exponentialEntry.New(t.Context(), table, spec)
		if err != nil {
			t.Fatal(err)
		}
		return m.(*calibrated)
	}
	first := open()
	if again := open(); again.Source() != Cached || again.Known() != first.Known() {
		t.Errorf("the second time it is from %s: %+v, was %+v", again.Source(), again.Known(), first.Known())
	}
	f := exponentialFamilyOf(euclidean(table))
	var good calibration
	reseal(t, cache, "exponential", func(c *calibration) { good = *c })
	if !f.plausible(good) {
		t.Fatal("a true calibration is not plausible")
	}
	for what, change := range map[string]func(c *calibration){
		"a larger nominal":             func(c *calibration) { c.Nominal *= 1.001 },
		"a smaller certificate":        func(c *calibration) { c.MetricHigh *= 0.999 },
		"a certificate no number":      func(c *calibration) { c.MetricHigh = math.NaN() },
		"a smaller pure loss":          func(c *calibration) { c.PureHigh *= 0.999 },
		"more attained than bounded":   func(c *calibration) { c.PureLow = 2 * c.PureHigh },
		"an equal pair as its witness": func(c *calibration) { c.MetricWhere.Neighbour = c.MetricWhere.Input },
		"a witness beyond the table":   func(c *calibration) { c.PureWhere.Output = mostRecertified + 1 },
		// Consistent at its witness, two words beyond gamma, where a loss per unit is small.
		"figures of a far pair": func(c *calibration) {
			c.Nominal = 40
			channel, err := f.channel(c.Nominal)
			if err != nil {
				t.Fatal(err)
			}
			w := Witness{0, 1, 0}
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
	reseal(t, cache, "exponential", func(c *calibration) { c.MetricHigh *= 0.9 })
	if again := open(); again.Source() != Computed || again.Known() != first.Known() {
		t.Errorf("a cache with another certificate gives %+v from %s", again.Known(), again.Source())
	}
}

// Noise is not scaled by a figure of the cache that a look at a few words refutes.
func TestASensitivityAndAStretchFromTheCacheAreChecked(t *testing.T) {
	table := randomTable(t, 60, 6)
	for part, c := range map[string]struct {
		entry   Entry
		spec    Spec
		setting string
		change  func(t *testing.T, cache mapCache)
	}{
		"sensitivity": {laplaceEntry, Spec{Epsilon: 1, Parameters: map[string]string{"sensitivity": "table"}}, "sensitivity-l1", func(t *testing.T, cache mapCache) {
			reseal(t, cache, "sensitivity", func(s *sensitivity) { s.L1, s.L2, s.LInf = s.L1/10, s.L2/10, s.LInf/10 })
		}},
		"lipschitz": {privembEntry, Spec{Epsilon: 1}, "lipschitz-constant", func(t *testing.T, cache mapCache) {
			reseal(t, cache, "lipschitz", func(l *float64) { *l /= 2 })
		}},
	} {
		cache := mapCache{}
		c.spec.Cache = cache
		read := func() any {
			m, err := c.entry.New(t.Context(), table, c.spec)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range m.Settings() {
				if s.Name == c.setting {
					return s.Value
				}
			}
			t.Fatalf("%s: no setting %s among %v", part, c.setting, m.Settings())
			return nil
		}
		want := read()
		if got := read(); got != want {
			t.Errorf("%s: from the cache %v, was %v", part, got, want)
		}
		c.change(t, cache)
		if got := read(); got != want {
			t.Errorf("%s: from an edited cache %v, was %v", part, got, want)
		}
	}
}
