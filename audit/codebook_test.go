package audit

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// stripes is a codebook whose set of a vector is the k texts from its first
// component on, around the end.
type stripes struct{ texts, dim int }

func (s stripes) Name() string   { return "stripes" }
func (s stripes) Len() int       { return s.texts }
func (s stripes) Dim() int       { return s.dim }
func (s stripes) Digest() string { return "00" }

// Vector is that of a text whose set begins with it.
func (s stripes) Vector(dst []int8, i int) []int8 {
	v := make([]int8, s.dim)
	v[0] = int8(i - 128)
	return append(dst, v...)
}

func (s stripes) Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	for ; len(vectors) > 0; vectors = vectors[s.dim:] {
		from := (int(vectors[0]) + 128) % s.texts
		for y := range s.texts {
			if (y-from+s.texts)%s.texts < k {
				dst = append(dst, uint32(y))
			}
		}
	}
	return dst, nil
}

func TestWholeTextsAreCertifiedByTwoWeights(t *testing.T) {
	entry, _ := catalog.Find("retrieval")
	for _, epsilon := range []float64{0.1, 1, 4, 9} {
		f, err := RunTexts(t.Context(), entry, stripes{40, 3}, Options{Spec: mechanism.Spec{Epsilon: epsilon}})
		if err != nil {
			t.Fatal(err)
		}
		if f.Verdict != Certified || float64(f.EpsilonHigh) > epsilon || float64(f.EpsilonLow) < epsilon-1e-6 || f.Witness == nil {
			t.Errorf("epsilon %g: %+v", epsilon, f)
			continue
		}
		if loss := math.Log(f.Witness.ProbabilityInput / f.Witness.ProbabilityNeighbour); math.Abs(loss-epsilon) > 1e-6 {
			t.Errorf("epsilon %g: the witness loses %g", epsilon, loss)
		}
	}
}

// larger claims a smaller loss than its weights have.
type larger struct{ mechanism.Retriever }

func (l larger) Weights(dst []uint64, v []int8) ([]uint64, error) {
	row, err := l.Retriever.Weights(dst, v)
	low := row[0]
	for _, w := range row {
		low = min(low, w)
	}
	for i, w := range row {
		if w > low {
			row[i] += w / 100
		}
	}
	return row, err
}

// uneven has one more text in the set of one vector.
type uneven struct{ mechanism.Retriever }

func (u uneven) Weights(dst []uint64, v []int8) ([]uint64, error) {
	row, err := u.Retriever.Weights(dst, v)
	if v[0] == 127 {
		high := row[0]
		for _, w := range row {
			high = max(high, w)
		}
		for i, w := range row {
			if w < high {
				row[i] = high
				break
			}
		}
	}
	return row, err
}

func TestWholeTextsThatLoseMoreAreRefutedAndUnevenSetsRefused(t *testing.T) {
	sound, _ := catalog.Find("retrieval")
	with := func(wrap func(mechanism.Retriever) mechanism.Retriever) (*Finding, error) {
		entry := sound
		entry.NewRetriever = func(ctx context.Context, c mechanism.Codebook, s mechanism.Spec) (mechanism.Retriever, error) {
			r, err := sound.NewRetriever(ctx, c, s)
			return wrap(r), err
		}
		return RunTexts(t.Context(), entry, stripes{40, 3}, Options{Spec: mechanism.Spec{Epsilon: 1}})
	}
	if f, err := with(func(r mechanism.Retriever) mechanism.Retriever { return larger{r} }); err != nil || f.Verdict != Refuted {
		t.Errorf("weights a hundredth too large: %+v, %v", f, err)
	}
	if _, err := with(func(r mechanism.Retriever) mechanism.Retriever { return uneven{r} }); err == nil || !strings.Contains(err.Error(), "two weights") {
		t.Errorf("an uneven set: %v", err)
	}
}

// A certificate for whole texts is read back, holds, and holds for nothing else.
func TestCertificateOfWholeTextsHoldsForItsCodebookAlone(t *testing.T) {
	entry, _ := catalog.Find("retrieval")
	spec := mechanism.Spec{Epsilon: 2, Parameters: map[string]string{"neighbours": "7"}}
	f, err := RunTexts(t.Context(), entry, stripes{40, 3}, Options{Spec: spec, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := WriteCertificate(&file, f.Certificate); err != nil {
		t.Fatal(err)
	}
	read := func() *Certificate {
		c, err := ReadCertificate(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	verify := func(c *Certificate, book mechanism.Codebook) error {
		r, err := entry.NewRetriever(t.Context(), book, c.Request.Spec())
		if err != nil {
			t.Fatal(err)
		}
		return c.VerifyTexts(t.Context(), r, book, nil)
	}
	if c := read(); c.Codebook.Witness == nil || !(c.PureEpsilon.Low > 1.9999 && c.PureEpsilon.High <= 2) || verify(c, stripes{40, 3}) != nil {
		t.Errorf("the certificate %+v does not hold: %v", c.Codebook, verify(c, stripes{40, 3}))
	}
	recomputed := map[string]bool{"pure epsilon": true, "codebook.witness is": true, "codebook.witness.output": true, "codebook.witness.input": true}
	for says, forge := range map[string]func(c *Certificate){
		"another corpus":            func(c *Certificate) { c.Codebook.SHA256 = "01" },
		"states the weights":        func(c *Certificate) { c.Codebook.High-- },
		"sets of 6":                 func(c *Certificate) { c.Codebook.Neighbours = 6 },
		"channel format":            func(c *Certificate) { c.ChannelFormat++ },
		"another epsilon":           func(c *Certificate) { c.Parameters["epsilon"] = 1.5 },
		"figures of a table":        func(c *Certificate) { c.MetricEpsilon = Interval{Low: 0.1, High: 0.1} },
		"pure epsilon":              func(c *Certificate) { c.PureEpsilon.High = 1.9 },
		"codebook.witness is":       func(c *Certificate) { c.Codebook.Witness = nil },
		"codebook.witness.output":   func(c *Certificate) { c.Codebook.Witness.Output = c.Codebook.Witness.Neighbour + 30 },
		"codebook.witness.input":    func(c *Certificate) { c.Codebook.Witness.Input = 40 },
		"not for whole texts":       func(c *Certificate) { c.Codebook = nil },
		"for mechanism neighbours,": func(c *Certificate) { c.Mechanism = "neighbours" },
	} {
		forged := read()
		forge(forged)
		r, err := entry.NewRetriever(t.Context(), stripes{40, 3}, spec)
		if err != nil {
			t.Fatal(err)
		}
		err = forged.FitsTexts("retrieval", r, stripes{40, 3})
		if err == nil && !recomputed[says] {
			t.Errorf("%q is found only where rows are recomputed: a run that requires a certificate recomputes none", says)
		}
		if err == nil {
			err = forged.VerifyTexts(t.Context(), r, stripes{40, 3}, nil)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got %v", says, err)
		}
	}
	if err := verify(read(), stripes{41, 3}); err == nil {
		t.Error("it holds for a codebook of 41 texts")
	}
}

func TestPageOfWholeTextsShowsARowAndItsLimits(t *testing.T) {
	entry, _ := catalog.Find("retrieval")
	f, err := RunTexts(t.Context(), entry, stripes{40, 3}, Options{Spec: mechanism.Spec{Epsilon: 2, Parameters: map[string]string{"neighbours": "5"}}})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := plots(t.Context(), f, nil)
	if err != nil || len(drawn) != 2 {
		t.Fatalf("%d plots, %v, want two", len(drawn), err)
	}
	row := drawn[0].curves[0].xy
	z := 5*math.Exp(2) + 35
	if first, last := row[0], row[len(row)-1]; math.Abs(first[1]-40*math.Exp(2)/z) > 1e-6 || math.Abs(last[1]-40/z) > 1e-6 || row[1][0] != 5 || last[0] != 40 {
		t.Errorf("the row is drawn as %v", row)
	}
	var out bytes.Buffer
	if err := f.RenderHTML(t.Context(), &out, nil); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"certified", "stripes, 40 texts", "5 of 40 outputs are likelier", "200 candidates", "epsilon 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, not := range []string{"<script", "src=", "href=", "NaN", "0 words"} {
		if strings.Contains(text, not) {
			t.Errorf("the page holds %q", not)
		}
	}
}
