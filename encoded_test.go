package sotto_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
)

var errNoModel = errors.New("no model")

// firstLetters is an encoder of the caller's: the axis of a text is its first letter.
type firstLetters struct {
	dim   int
	fewer int // vectors for a text that is asked alone
}

func (e firstLetters) Dim() int { return e.dim }

func (e firstLetters) Vectors(_ context.Context, texts [][]byte) ([][]float64, error) {
	vectors := make([][]float64, len(texts))
	if len(texts) == 1 {
		vectors = vectors[e.fewer:]
	}
	for i := range vectors {
		if vectors[i] = make([]float64, e.dim); string(texts[i]) == "fail" {
			return nil, errNoModel
		}
		if axis := bytes.IndexByte([]byte("fst"), append(texts[i], 'f')[0]); axis >= 0 {
			vectors[i][axis] = 1
		}
	}
	return vectors, nil
}

// With an encoder of the caller's texts are read as with the corpus's own, and drawn for as with
// vectors.
func TestEncoderOfTheCallerReadsTexts(t *testing.T) {
	c := sotto.Texts{Corpus: axes(t), Epsilon: 25, Parameters: map[string]string{"neighbours": "1"}}
	c.Encode = firstLetters{dim: 3}
	r := openRetrieved(t, c)
	if p, err := r.Read([][]byte{[]byte("train"), []byte("sea"), nil, []byte("field")}); err != nil {
		t.Error(err)
	} else if out, err := p.Draw(t.Context()); err != nil || string(bytes.Join(out, []byte(" "))) != "third second first first" {
		t.Errorf("%s, %v", out, err)
	}
	var out strings.Builder
	s, err := r.Copy(t.Context(), &out, strings.NewReader("train\n\nsea\n"), sotto.Stream{})
	if err != nil || out.String() != "third\nfirst\nsecond\n" || !slices.Contains(s.Claim.Assumes.Names(), "public-encoder") {
		t.Errorf("%q, %v, %v", out.String(), s.Claim, err)
	}
	if e, err := r.ExplainText("train", 1); err != nil || e.Outputs[0].Text != "third" {
		t.Errorf("%+v, %v", e, err)
	}
	if p, err := r.Read(nil); err != nil || p.Draws() != 0 {
		t.Errorf("no texts: %v", err)
	}

	for name, err := range map[string]error{
		"read":      second(r.Read([][]byte{[]byte("fail")})),
		"explained": second(r.ExplainText("fail", 1)),
		"copied":    second(r.Copy(t.Context(), &out, strings.NewReader("fail\n"), sotto.Stream{})),
	} {
		if !errors.Is(err, errNoModel) {
			t.Errorf("%s: %v, want the encoder's error", name, err)
		}
	}
	vectors := sotto.Stream{Vectors: matrix{{1, 0, 0}}}
	c.Encode = firstLetters{dim: 3, fewer: 1}
	fewer := openRetrieved(t, c)
	c.Encode = firstLetters{dim: 4}
	other := second(sotto.Open(t.Context(), c))
	c.Corpus = nil
	for want, err := range map[string]error{
		"one per text":                             second(fewer.Read([][]byte{[]byte("train")})),
		"3, as in the corpus":                      other,
		"with this corpus: it has its own encoder": second(sotto.Open(t.Context(), c)),
		"beside an encoder":                        second(r.Copy(t.Context(), &out, strings.NewReader("a\n"), vectors)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
