package audit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/packing"
)

func certificate(t *testing.T, table *embedding.Table, name string, spec mechanism.Spec) (*Certificate, mechanism.Channel) {
	t.Helper()
	entry, m := open(t, table, name, spec)
	f, err := certify(context.Background(), entry, m.(mechanism.Channel), table, Trial{})
	if err != nil {
		t.Fatal(err)
	}
	f.Certificate.Request = RequestOf(spec)
	return f.Certificate, m.(mechanism.Channel)
}

func TestCertificateSurvivesItsFileAndHolds(t *testing.T) {
	table := randomTable(t, 60, 3)
	for _, name := range []string{"tem", "exponential", "neighbours", "response", "classes"} {
		c, _ := certificate(t, table, name, mechanism.Spec{Epsilon: 2})
		var file bytes.Buffer
		if err := WriteCertificate(&file, c); err != nil {
			t.Fatal(err)
		}
		read, err := ReadCertificate(&file)
		if err != nil {
			t.Fatal(err)
		}
		_, again := open(t, table, read.Mechanism, read.Request.Spec())
		if err := read.Verify(context.Background(), again.(mechanism.Channel), table, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A text that is given in place of a certificate is not quoted.
func TestRefusedCertificateIsNotQuoted(t *testing.T) {
	for _, data := range []string{
		"ZQXMARK went to the doctor\n", `{"ZQXMARK": "went to the doctor"}`, `{"format": ZQXMARK}`, `{"format": {"ZQXMARK": 1}}`,
		`{"certificate": {"ZQXMARK": 1}}`, `{"certificate": {"pure_epsilon": "ZQXMARK"}}`, `{"certificate": {"standing": "ZQXMARK"}}`, `"ZQXMARK"`,
	} {
		_, err := ReadCertificate(strings.NewReader(data))
		if err == nil || strings.ContainsAny(err.Error(), "ZQ") || strings.Contains(err.Error(), "invalid character") {
			t.Errorf("%s: %v", data, err)
		}
	}
}

func TestDamagedFileIsRefused(t *testing.T) {
	c, _ := certificate(t, randomTable(t, 20, 2), "tem", mechanism.Spec{Epsilon: 2})
	var file bytes.Buffer
	if err := WriteCertificate(&file, c); err != nil {
		t.Fatal(err)
	}
	good := file.String()
	for what, bad := range map[string]string{
		"a changed figure": strings.Replace(good, `"high": `, `"high": 1`, 1),
		"a changed word":   strings.Replace(good, `"input": "w`, `"input": "v`, 1),
		"a new field":      strings.Replace(good, `"words"`, `"more": 1, "words"`, 1),
		"a missing end":    good[:len(good)/2],
		"a second one":     good + good,
		"a field twice":    strings.Replace(good, `"words"`, `"table_sha256": "", "words"`, 1),
		"another case":     strings.Replace(good, `"pure_epsilon"`, `"Pure_Epsilon"`, 1),
		"another form":     strings.Replace(good, "certificate 1", "certificate 2", 1),
		"nothing":          "",
		"null":             "null",
	} {
		if bad == good {
			t.Fatalf("%s: the test changes nothing", what)
		}
		if _, err := ReadCertificate(strings.NewReader(bad)); err == nil || !strings.HasPrefix(err.Error(), "certificate: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A field twice, or in two cases, means one figure to this reader and another to the next,
// and leaves the checksum of what is decoded as it is.
func TestCertificateWithAFieldTwiceIsRefused(t *testing.T) {
	c, _ := certificate(t, randomTable(t, 20, 2), "tem", mechanism.Spec{Epsilon: 2})
	var file bytes.Buffer
	if err := WriteCertificate(&file, c); err != nil {
		t.Fatal(err)
	}
	good := file.String()
	for what, bad := range map[string]string{
		"a figure twice":        strings.Replace(good, `"pure_epsilon": {`, `"pure_epsilon": {"high": 0.1, "low": 0.1}, "pure_epsilon": {`, 1),
		"a figure in two cases": strings.Replace(good, `"pure_epsilon": {`, `"Pure_Epsilon": {"high": 0.1, "low": 0.1}, "pure_epsilon": {`, 1),
		"a bound twice":         strings.Replace(good, `"pure_epsilon": {`, `"pure_epsilon": {"high": 0.1,`, 1),
		"a bound in two cases":  strings.Replace(good, `"pure_epsilon": {`, `"pure_epsilon": {"High": 0.1,`, 1),
		"only in another case":  strings.Replace(good, `"pure_epsilon": {`, `"Pure_epsilon": {`, 1),
		"an unknown bound":      strings.Replace(good, `"pure_epsilon": {`, `"pure_epsilon": {"middle": 0.1,`, 1),
	} {
		if bad == good {
			t.Fatalf("%s: the test changes nothing", what)
		}
		if _, err := ReadCertificate(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "in the form of this version: a field is repeated") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := ReadCertificate(strings.NewReader(good)); err != nil {
		t.Error(err)
	}
}

// The metric loss is per unit of the claim's distance, which is not always that of the table.
func TestCertificateOfEveryDistanceHolds(t *testing.T) {
	stage.Unraced(t)
	rng := rand.New(rand.NewPCG(7, 7))
	source := embedding.Source{Dim: 3}
	for i := range 40 { // in the unit ball, for the hyperbolic distance
		source.Words = append(source.Words, fmt.Sprint("w", i))
		for range source.Dim {
			source.Vectors = append(source.Vectors, rng.Float32()-0.5)
		}
	}
	table, err := embedding.New(source)
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, metric := range []string{"euclidean", "angular", "mahalanobis", "hyperbolic"} {
		spec := mechanism.Spec{Epsilon: 2, Parameters: mechanism.Values{"metric": metric}}
		for _, published := range []bool{false, true} {
			spec.Published = published
			c, m := certificate(t, table, "exponential", spec)
			if err := c.Verify(context.Background(), m, table, nil); err != nil {
				t.Errorf("%s: %v", metric, err)
			}
			if c.MetricWitness == nil {
				t.Fatalf("%s: no witness", metric)
			}
			forged := *c
			forged.MetricWitness = &WitnessOfWord{Input: c.MetricWitness.Neighbour, Neighbour: c.MetricWitness.Input, Output: c.MetricWitness.Output}
			if err := forged.Verify(context.Background(), m, table, nil); err == nil || !strings.Contains(err.Error(), "metric witness") {
				t.Errorf("%s: another witness: %v", metric, err)
			}
			if metric == "euclidean" {
				continue
			}
			// A witness that attains the stated loss by the table's distance need not attain it
			// by the mechanism's.
			other := attaining(m, table, c.MetricEpsilon.Low, *c.MetricWitness)
			if other == nil {
				continue
			}
			tried[metric] = true
			forged.MetricWitness = other
			if err := forged.Verify(context.Background(), m, table, nil); err == nil || !strings.Contains(err.Error(), "metric witness") {
				t.Errorf("%s: a witness by the table's distance: %v", metric, err)
			}
		}
	}
	if !tried["hyperbolic"] {
		t.Errorf("a witness by the table's distance was found for %v only", tried)
	}
}

// attaining returns a witness other than one whose loss per unit of the table's distance is
// at least low, nil if there is none.
func attaining(m mechanism.Channel, table *embedding.Table, low float64, but WitnessOfWord) *WitnessOfWord {
	for x := range table.Len() {
		for y := range table.Len() {
			for z := range table.Len() {
				from, to, out := embedding.ID(x), embedding.ID(y), embedding.ID(z)
				w := WitnessOfWord{Input: table.Word(from), Neighbour: table.Word(to), Output: table.Word(out)}
				if x != y && w != but && math.Log(probability(m, from, out)/probability(m, to, out))/table.Distance(from, to) >= low {
					return &w
				}
			}
		}
	}
	return nil
}

// With a forged checksum, recomputation finds the wrong figures.
func TestForgedCertificateDoesNotHold(t *testing.T) {
	table, other := randomTable(t, 60, 3), randomTable(t, 61, 3)
	c, m := certificate(t, table, "tem", mechanism.Spec{Epsilon: 2})
	for what, forge := range map[string]func(*Certificate){
		"it states a metric epsilon":   func(c *Certificate) { c.MetricEpsilon.High *= 0.99 },
		"it states a pure epsilon":     func(c *Certificate) { c.PureEpsilon.High *= 0.99; c.PureEpsilon.Low = 0 },
		"it states a metric epsilon ":  func(c *Certificate) { c.MetricEpsilon.Low *= 1.1; c.MetricEpsilon.High *= 1.1 },
		"its metric witness loses":     func(c *Certificate) { c.MetricWitness.Output = c.MetricWitness.Neighbour },
		"a word of its pure witness":   func(c *Certificate) { c.PureWitness.Input = "absent" },
		"it is for another table":      func(c *Certificate) { c.Table = other.Digest() },
		"it states 61 words":           func(c *Certificate) { c.Words = 61 },
		"it is for channel format 0":   func(c *Certificate) { c.ChannelFormat = 0 },
		"it is for mechanism response": func(c *Certificate) { c.Mechanism = "response" },
		"it is for another epsilon":    func(c *Certificate) { c.Parameters["epsilon"] = 3.0 },
		"it names clip":                func(c *Certificate) { c.Parameters["clip"] = 1.0 },
	} {
		forged := *c
		forged.Parameters = maps.Clone(c.Parameters)
		metric, pure := *c.MetricWitness, *c.PureWitness
		forged.MetricWitness, forged.PureWitness = &metric, &pure
		forge(&forged)
		err := forged.Fits("tem", m, table)
		if err == nil {
			err = forged.Verify(context.Background(), m, table, nil)
		}
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(what)) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
	// The same words with another table's vectors: the digest differs.
	_, moved := open(t, other, "tem", mechanism.Spec{Epsilon: 2})
	if err := c.Verify(context.Background(), moved.(mechanism.Channel), other, nil); err == nil {
		t.Error("a certificate for another table holds")
	}
}

// Logarithms of processors differ in their last places. That does not excuse a loss that is
// stated as less than the exact one of the weights, by a twelfth digit or later ones.
func TestLossBelowTheExactOneDoesNotHold(t *testing.T) {
	table := randomTable(t, 60, 3)
	for _, name := range []string{"neighbours", "response", "classes"} {
		c, m := certificate(t, table, name, mechanism.Spec{Epsilon: 2})
		for what, forge := range map[string]func(*Certificate){
			"its pure epsilon":   func(c *Certificate) { c.PureEpsilon.High *= 1 - 9e-13 },
			"its metric epsilon": func(c *Certificate) { c.MetricEpsilon.High *= 1 - 9e-12 },
		} {
			forged := *c
			forge(&forged)
			if math.IsInf(forged.MetricEpsilon.High, 1) && what == "its metric epsilon" {
				continue // two words with equal vectors
			}
			if err := forged.Verify(t.Context(), m, table, nil); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%s: want %q, got %v", name, what, err)
			}
		}
	}
	entry, _ := catalog.Find("retrieval")
	spec := mechanism.Spec{Epsilon: 2}
	r, err := entry.NewRetriever(t.Context(), stripes{40, 3}, spec)
	if err != nil {
		t.Fatal(err)
	}
	c := KnownTextsCertificate("retrieval", r, stripes{40, 3})
	if err := c.VerifyTexts(t.Context(), r, stripes{40, 3}, nil); err != nil {
		t.Fatal(err)
	}
	c.PureEpsilon.High *= 1 - 9e-13
	if err := c.VerifyTexts(t.Context(), r, stripes{40, 3}, nil); err == nil || !strings.Contains(err.Error(), "its pure epsilon") {
		t.Errorf("retrieval: %v", err)
	}
}

// A certificate speaks for one channel file: another file of the same mechanism,
// table and epsilon is another channel.
func TestCertificateIsBoundToItsChannelFile(t *testing.T) {
	table := randomTable(t, 60, 10)
	spec := func(gap float64) mechanism.Spec {
		data, err := packing.Compile(context.Background(), "packing", table, 1, packing.Effort{Gap: gap})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "packing.channel")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"channel": file},
			Open: func(name string) (io.ReadCloser, error) { return os.Open(name) }}
	}
	c, own := certificate(t, table, "packing", spec(0.004))
	_, other := certificate(t, table, "packing", spec(0.2))
	if err := c.Fits("packing", own, table); err != nil {
		t.Error(err)
	}
	// Were the other figures the same, the digest alone would tell.
	for key, v := range ParametersOf(other.Settings()) {
		if key != "channel-sha256" {
			c.Parameters[key] = v
		}
	}
	if err := c.Fits("packing", other, table); err == nil || !strings.Contains(err.Error(), "it is for another channel-sha256") {
		t.Errorf("another file gives %v", err)
	}
}

// A certificate speaks for one partition into classes: not for another number of them, and
// not for a table of the same digest with another unknown entry.
func TestCertificateIsBoundToItsClasses(t *testing.T) {
	src := embedding.Source{Name: "line", Dim: 1}
	for i := range 60 {
		src.Words, src.Vectors = append(src.Words, fmt.Sprint("w", i)), append(src.Vectors, float32(i*i%97))
	}
	table := func(unknown string) *embedding.Table {
		src.Unknown = unknown
		made, err := embedding.New(src)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	first, last := table("w0"), table("w59")
	spec := func(outputs string) mechanism.Spec {
		return mechanism.Spec{Epsilon: 3, Parameters: mechanism.Values{"outputs": outputs}}
	}
	c, own := certificate(t, first, "classes", spec("9"))
	if err := c.Fits("classes", own, first); err != nil {
		t.Error(err)
	}
	_, fewer := certificate(t, first, "classes", spec("8"))
	_, moved := certificate(t, last, "classes", spec("9"))
	if first.Digest() != last.Digest() {
		t.Fatal("the digests of the tables tell them apart: the test has no power")
	}
	for what, other := range map[string]struct {
		channel mechanism.Channel
		table   *embedding.Table
	}{"it is for another outputs": {fewer, first}, "it is for another classes-sha256": {moved, last}} {
		forged := *c
		forged.Parameters = maps.Clone(c.Parameters)
		for key, v := range ParametersOf(other.channel.Settings()) {
			if !strings.HasSuffix(what, key) {
				forged.Parameters[key] = v
			}
		}
		if err := forged.Fits("classes", other.channel, other.table); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
}

func FuzzReadCertificate(f *testing.F) {
	f.Add([]byte(`{"format":"sotto certificate 1","certificate":{"mechanism":"tem","parameters":{},"metric_epsilon":{"low":1,"high":"infinite"}},"sha256":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadCertificate(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := WriteCertificate(&again, c); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadCertificate(&again); err != nil {
			t.Fatal(fmt.Errorf("what was read cannot be read again: %w", err))
		}
	})
}
