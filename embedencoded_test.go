package sotto_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// lengths is an encoder of texts: the counts of some bytes. It fails at one text, in a way that
// its error must not show.
type lengths struct{}

func (lengths) Dim() int { return 4 }

func (lengths) Vectors(_ context.Context, texts [][]byte) (vectors [][]float64, err error) {
	for _, t := range texts {
		if string(t) == "fails" {
			return nil, errors.New("the encoder failed")
		}
		v := make([]float64, 4)
		for _, b := range t {
			v[b%4]++
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}

// lettered is a corpus that was built with the encoder.
func lettered(t *testing.T) *corpus.Corpus {
	t.Helper()
	b, err := corpus.NewBuilder(corpus.Options{Name: "lettered", Public: true, Program: lengths{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"the phone rings", "a parcel was lost", "the film was dull", "no answer yet", "aaa bbb", "my doctor agreed"} {
		if err := b.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Any vector of an encoder is drawn for: the zero vector, huge and tiny ones. The statement is one
// for all texts, names the corpus, and states that the encoder is assumed to be public.
func TestEncodedVectorsAreDrawnForWhateverTheyAre(t *testing.T) {
	book := lettered(t)
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 1, Corpus: book, Parameters: map[string]string{"codebook": "64"}})
	if err != nil {
		t.Fatal(err)
	}
	var statements []string
	for _, v := range [][]float64{{0, 0, 0, 0}, {1, 2, 3, 4}, {math.MaxFloat64, 0, -math.MaxFloat64, 0}, {math.SmallestNonzeroFloat64, 0, 0, 0}, {math.NaN(), 1, 1, 1}, {math.Inf(1), 0, 0, 0}} {
		out, counts, err := e.EmbedVectors(t.Context(), [][]float64{v}, sotto.Position{})
		if err != nil || len(out) != 1 || len(out[0].Indices) != 1 {
			t.Fatalf("%v: %v, %v", v, out, err)
		}
		s := e.Statement(counts)
		if s.Claim.Assumes&privacy.PublicEncoder == 0 || s.Corpus == nil || s.Corpus.SHA256 != book.Digest() || s.Embeddings != nil {
			t.Fatalf("%v: the statement is %+v", v, s)
		}
		if err := e.Verify(&s); err != nil {
			t.Error(err)
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		statements = append(statements, string(data))
	}
	if len(slices.Compact(statements)) != 1 {
		t.Error("statements differ by what the vector was")
	}
	if _, _, err := e.EmbedVectors(t.Context(), [][]float64{{1, 2}}, sotto.Position{}); err == nil {
		t.Error("a vector of other dimensions is taken")
	}
	if _, _, err := e.EmbedAll(t.Context(), [][]byte{[]byte("a text")}, sotto.Position{}); err == nil || !strings.Contains(err.Error(), "vectors of the texts") {
		t.Errorf("a text without an encoder: %v", err)
	}
}

// With the same seed a text and its vector have the same draw, in a call and in a stream.
func TestEncodedTextsAndTheirVectorsHaveTheSameDraws(t *testing.T) {
	seed := uint64(5)
	cfg := sotto.Vectors{Epsilon: 3, Corpus: lettered(t), Encode: lengths{}, InsecureSeed: &seed, Parameters: map[string]string{"codebook": "64"}}
	lines := []string{"the phone rang", "", "lost it"}
	var vectors [][]float64
	for _, l := range lines {
		v, _ := lengths{}.Vectors(t.Context(), [][]byte{[]byte(l)})
		vectors = append(vectors, v[0])
	}
	var drawn [][]uint32
	take := func(out []release.Vectors, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var indices []uint32
		for _, v := range out {
			indices = append(indices, v.Indices...)
		}
		drawn = append(drawn, indices)
	}
	e, err := sotto.OpenEmbedder(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := e.EmbedAll(t.Context(), [][]byte{[]byte(lines[0]), nil, []byte(lines[2])}, sotto.Position{})
	take(out, err)
	out = nil
	_, err = e.Copy(t.Context(), func(v []release.Vectors) error { out = append(out, v...); return nil }, strings.NewReader(strings.Join(lines, "\n")+"\n"), sotto.Stream{})
	take(out, err)
	cfg.Encode = nil
	if e, err = sotto.OpenEmbedder(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	out, _, err = e.EmbedVectors(t.Context(), vectors, sotto.Position{})
	take(out, err)
	for _, d := range drawn {
		if !slices.Equal(d, drawn[0]) || len(d) != 3 {
			t.Errorf("the draws are %v", drawn)
		}
	}
}

// Only a mechanism whose claim holds for any vector is opened over an encoder.
func TestEncodersAreForPrivunit(t *testing.T) {
	book := lettered(t)
	for want, v := range map[string]sotto.Vectors{
		"privunit with a corpus":  {Epsilon: 1, Corpus: book, Encode: lengths{}, Mechanism: "gaussian-analytic"},
		"reads whole texts":       {Epsilon: 1, Corpus: book, Encode: lengths{}, Of: sotto.Tokens, Mechanism: "privunit"},
		"a corpus":                {Epsilon: 1, Encode: lengths{}},
		"average cannot be used":  {Epsilon: 1, Corpus: book, Encode: lengths{}, Parameters: map[string]string{"average": "weighted"}},
		"dimensions must be 2 to": {Epsilon: 1, Corpus: book, Encode: lengths{}, Parameters: map[string]string{"dimensions": "5"}},
	} {
		if _, err := sotto.OpenEmbedder(t.Context(), v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 1, Corpus: book, Encode: lengths{}})
	if err != nil {
		t.Fatal(err)
	}
	if s := e.Statement(sotto.Counts{}); s.Probes == "" || e.Verify(&s) != nil {
		t.Errorf("the statement has the probes %q, %v", s.Probes, e.Verify(&s))
	}
	if out, _, err := e.EmbedAll(t.Context(), [][]byte{[]byte("a secret"), []byte("fails")}, sotto.Position{}); err == nil || out != nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v, %v", out, err)
	}
}
