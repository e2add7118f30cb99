package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/packing"
)

// Rows of the members whose weights are the same numbers on every machine, over
// fixed tables: their digest for this channel format. A change of weights
// without a new format leaves certificates and cached figures valid for other
// rows: raise ChannelFormat and put the new digest here.
func TestChannelFormatIsRaisedWhenWeightsChange(t *testing.T) {
	want := map[int]string{1: "61d591a1f9b3135b1c8ad959deab9ab4fdc1053ff77f31349917720f419faa9e"}
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := english.First(packing.Words)
	if err != nil {
		t.Fatal(err)
	}
	// Components of few bits, so that the table is the same on every machine.
	small := embedding.Source{Dim: 3}
	for i := range 40 {
		small.Words = append(small.Words, "w"+string(rune('A'+i)))
		small.Vectors = append(small.Vectors, float32(i%7-3)/16, float32(i%5-2)/16, float32(i%3+1)/16)
	}
	table := oracle.MustTable(t, small)
	h := sha256.New()
	for _, c := range []struct {
		entry mechanism.Entry
		table *embedding.Table
		spec  mechanism.Spec
	}{
		{temEntry, table, mechanism.Spec{Epsilon: 3, Published: true}},
		{exponentialEntry, table, mechanism.Spec{Epsilon: 5, Published: true}},
		{exponentialEntry, table, mechanism.Spec{Epsilon: 2, Published: true, Parameters: map[string]string{"metric": "angular"}}},
		{exponentialEntry, table, mechanism.Spec{Epsilon: 2, Published: true, Parameters: map[string]string{"metric": "hyperbolic"}}},
		{neighboursEntry, table, mechanism.Spec{Epsilon: 2, Parameters: map[string]string{"neighbours": "5"}}},
		{responseEntry, table, mechanism.Spec{Epsilon: 2}},
		{temEntry, english, mechanism.Spec{Epsilon: 4}},
		{packingEntry, shipped, mechanism.Spec{Epsilon: 1.25}},
		{classesEntry, english, mechanism.Spec{Epsilon: 5}},
		{classesEntry, table, mechanism.Spec{Epsilon: 2, Parameters: map[string]string{"outputs": "9"}}},
	} {
		m, err := c.entry.New(t.Context(), c.table, c.spec)
		if err != nil {
			t.Fatal(err)
		}
		for x := range embedding.ID(40) {
			if err := binary.Write(h, binary.LittleEndian, m.(mechanism.Channel).Weights(nil, x)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want[mechanism.ChannelFormat] {
		t.Errorf("channel format %d: the rows have the digest %s, want %q", mechanism.ChannelFormat, got, want[mechanism.ChannelFormat])
	}
}

// Noise is not scaled by a cached figure that a check of a few words refutes.
func TestSensitivityAndAStretchFromTheCacheAreChecked(t *testing.T) {
	table := oracle.RandomTable(t, 60, 6)
	for part, c := range map[string]struct {
		entry   mechanism.Entry
		spec    mechanism.Spec
		setting string
		change  func(t *testing.T, cache oracle.MapCache)
	}{
		"sensitivity": {laplaceEntry, mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"sensitivity": "table"}}, "sensitivity-l1", func(t *testing.T, cache oracle.MapCache) {
			oracle.Reseal(t, cache, "sensitivity", func(s *additive.Sensitivity) { s.L1, s.L2, s.LInf = s.L1/10, s.L2/10, s.LInf/10 })
		}},
		"lipschitz": {privembEntry, mechanism.Spec{Epsilon: 1}, "lipschitz-constant", func(t *testing.T, cache oracle.MapCache) {
			oracle.Reseal(t, cache, "lipschitz", func(l *float64) { *l /= 2 })
		}},
	} {
		cache := oracle.MapCache{}
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

// What is cached for words is not taken for vectors, nor the other way round, and a figure
// that leaves out what rounding hides is not taken for vectors.
func TestTablesConstantForVectorsFromTheCacheCountsRounding(t *testing.T) {
	table := withNeighbours(t, rand.New(rand.NewPCG(64, 0)), 15, 6, 40)
	words := func(cache mechanism.Cache) float64 {
		m, err := privembEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 0.01, Cache: cache, Parameters: mechanism.Values{"dimensions": "4", "phi": "6"}})
		if err != nil {
			t.Fatal(err)
		}
		return setting(t, m, "lipschitz-constant")
	}
	want := words(nil)
	_, wantVectors := tableConstant(t, table, 4, 6, nil)
	if wantVectors < want*(1+1e-3) {
		t.Fatalf("rounding hides too little for this test: %g for words, %g for vectors", want, wantVectors)
	}
	cache := oracle.MapCache{}
	for range 2 {
		if _, got := tableConstant(t, table, 4, 6, cache); got != wantVectors {
			t.Errorf("vectors: %.17g with the cache, %.17g without", got, wantVectors)
		}
		if got := words(cache); got != want {
			t.Errorf("words: %.17g with the cache, %.17g without", got, want)
		}
	}
	if len(cache) != 2 {
		t.Errorf("%d figures cached", len(cache))
	}
	for key := range cache {
		alone := oracle.MapCache{key: cache[key]}
		oracle.Reseal(t, alone, "lipschitz", func(l *float64) { *l = want })
		if _, got := tableConstant(t, table, 4, 6, alone); got != wantVectors {
			t.Errorf("vectors: %.17g from an edited cache, %.17g computed", got, wantVectors)
		}
	}
}
