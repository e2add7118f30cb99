package sotto_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
)

// Whatever a text is, one vector comes out of the public codebook, the claim is for
// the whole text, and the statement says nothing about it.
func TestEveryTextHasAPrivateUnitVector(t *testing.T) {
	stage.Unraced(t)
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	var statements []string
	for _, text := range []string{"", " ", "My order 12345 has not arrived.", strings.Repeat("word ", 100_000), "我的订单还没到", "\xff\x00\xfe", "zzxqj"} {
		out, counts, err := e.EmbedAll(t.Context(), [][]byte{[]byte(text)}, sotto.Position{})
		if err != nil || len(out) != 1 || out[0].Rows != 1 || len(out[0].Components) != e.Dimensions() || len(out[0].Indices) != 1 {
			t.Fatalf("%.20q: %v (%v)", text, out, err)
		}
		s := e.Statement(counts)
		if s.Claim.Unit != privacy.Text || s.Claim.Notion != privacy.Pure || s.Certificate == nil || s.Certificate.Request == nil || s.Certificate.Request.Epsilon != 1 || s.Certificate.Covers(s.Claim) != nil {
			t.Fatalf("%.20q: the claim is %v, the certificate %+v", text, s.Claim, s.Certificate)
		}
		square, scale := 0.0, s.Debias.Scale
		for _, x := range out[0].Components {
			square += float64(x) * float64(x)
		}
		if math.Abs(math.Sqrt(square)-scale) > 1e-4*scale {
			t.Errorf("%.20q: the vector has the length %g, must have the scale %g", text, math.Sqrt(square), scale)
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		statements = append(statements, string(data))
	}
	if len(slices.Compact(statements)) != 1 {
		t.Error("statements differ by what the text was")
	}
}

// Raw vectors are the directions of the same draws, and the statement says what they
// are multiplied by.
func TestRawVectorsBecomeUnbiasedByTheStatement(t *testing.T) {
	stage.Unraced(t)
	seed := uint64(4)
	var vectors [2][]float32
	var debias [2]float64
	for i, raw := range []bool{false, true} {
		e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 2, InsecureSeed: &seed, Raw: raw})
		if err != nil {
			t.Fatal(err)
		}
		out, counts, err := e.EmbedAll(t.Context(), [][]byte{[]byte("the river")}, sotto.Position{})
		if err != nil {
			t.Fatal(err)
		}
		s := e.Statement(counts)
		if s.Raw != raw {
			t.Errorf("raw is %t in the statement", s.Raw)
		}
		vectors[i], debias[i] = out[0].Components, s.Debias.Scale
	}
	for k, x := range vectors[1] {
		if want := float64(x) * debias[1]; math.Abs(want-float64(vectors[0][k])) > 1e-5*math.Abs(want)+1e-6 {
			t.Errorf("component %d is %g raw and %g scaled by %g", k, x, vectors[0][k], debias[0])
		}
	}
}

// The mean over many releases of one text approaches the unit vector that is given for
// public texts. Of 40,000 releases at epsilon 4 each component has a standard deviation
// below 0.0035, and the residual a length below 0.18: its square is stated.
func TestPrivateUnitVectorsAreThoseOfPublicTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	const releases = 40_000
	text := []byte("the government said on Friday that prices fell")
	seed := uint64(6)
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 4, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	unit, err := e.Unprotected(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	out, counts, err := e.EmbedAll(t.Context(), slices.Repeat([][]byte{text}, releases), sotto.Position{})
	if err != nil {
		t.Fatal(err)
	}
	mean, square := make([]float64, len(unit)), 0.0
	for _, v := range out {
		for k, x := range v.Components {
			mean[k] += float64(x) / releases
		}
	}
	for k, x := range unit {
		square += (mean[k] - float64(x)) * (mean[k] - float64(x))
	}
	// Noise adds at most 30 x 0.0035^2 in the mean, and twice that with a chance below 1e-4.
	if most := 1.5*e.Statement(counts).Debias.Residual.Largest + 30*2*0.0035*0.0035; square > most {
		t.Errorf("the mean is off by %g squared, at most %g is stated", square, most)
	}
	words, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 4, Mechanism: "laplace"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := words.Unprotected(nil, text); err == nil {
		t.Error("a member without unit vectors gives one")
	}
}

// What Explain says of a text is the mean over many releases of it, for both forms. A
// cosine of one release has a standard deviation below 0.4, so the mean of 40,000 is off
// by 0.012, six deviations, with chance below 2e-9; the squared error by 2 x 3.7 times that.
func TestExplainedVectorsAreTheMeansOfReleases(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	const releases = 40_000
	text := "the government said on Friday that prices fell"
	for form, parameters := range map[string]map[string]string{"codebook": {"neighbours": "700"}, "continuous": {"form": "continuous"}} {
		seed := uint64(9)
		e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Mechanism: "privunit", Epsilon: 4, Parameters: parameters, InsecureSeed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		x, err := e.Explain(text)
		if err != nil {
			t.Fatal(err)
		}
		unit, err := e.Unprotected(nil, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := e.EmbedAll(t.Context(), slices.Repeat([][]byte{[]byte(text)}, releases), sotto.Position{})
		if err != nil {
			t.Fatal(err)
		}
		cosine, square := 0.0, 0.0
		for _, v := range out {
			inner, length := 0.0, 0.0
			for k, z := range v.Components {
				inner += float64(z) * float64(unit[k])
				length += float64(z) * float64(z)
				square += (float64(z) - float64(unit[k])) * (float64(z) - float64(unit[k])) / releases
			}
			cosine += inner / math.Sqrt(length) / releases
		}
		if math.Abs(cosine-x.Cosine) > 0.012 || math.Abs(square-x.SquaredError) > 2*3.8*0.012 {
			t.Errorf("%s: releases have cosine %g and squared error %g, explained are %g and %g", form, cosine, square, x.Cosine, x.SquaredError)
		}
		if x.Dimensions != 30 || !(x.Inside > 0.5 && x.Inside < 1) || form == "codebook" && (x.Neighbours != 700 || x.Codebook != 8192) || form != "codebook" && x.Codebook != 0 {
			t.Errorf("%s: %+v", form, x)
		}
	}
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 4, Mechanism: "laplace"})
	if err != nil {
		t.Fatal(err)
	}
	var noChannel *sotto.NoChannelError
	if _, err := e.Explain(text); !errors.As(err, &noChannel) {
		t.Errorf("noise on an average is explained: %v", err)
	}
}
