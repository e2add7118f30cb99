package sotto

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
)

// If the noise drowns the latent vector, texts of no word, one word and many words, known
// and unknown, give the same text under the same draws: nothing of a text reaches the
// output by another path. With almost no noise they differ.
func TestNothingOfATextGoesRoundItsNoise(t *testing.T) {
	stage.Unraced(t)
	texts := [][]byte{nil, []byte("wa"), []byte("wb wb wb wb wb"), []byte("   ?!  unheard-of \t"), []byte("wd wd wd")}
	long := append(texts[:len(texts):len(texts)], []byte("wa wb wc wd wa wb wc"), []byte(strings.Repeat("wc ", 18)))
	model := lettertest.Model(t)
	written := func(epsilon float64, seed uint64, pieces int) (distinct map[string]bool) {
		r, err := Open(t.Context(), Texts{Mechanism: "adept", Model: model, Pieces: pieces, Epsilon: epsilon, InsecureSeed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		distinct = map[string]bool{}
		of := texts
		if pieces > 1 {
			of = long
		}
		for _, one := range of {
			out, counts, err := RewriteAll(t.Context(), r, [][]byte{one}, Position{Text: 7})
			if err != nil {
				t.Fatal(err)
			}
			distinct[string(out[0])] = true
			if counts.Tokens != 0 || counts.LongestTokens != 0 || counts.Draws != 1 || counts.Documents != 1 {
				t.Fatalf("counted %+v", counts)
			}
		}
		return distinct
	}
	for seed := range uint64(20) {
		for _, pieces := range []int{1, 3} {
			if got := written(1e-5, seed, pieces); len(got) != 1 {
				t.Fatalf("seed %d, %d pieces: texts became %d texts", seed, pieces, len(got))
			}
		}
	}
	if got := written(1e6, 1, 1); len(got) < 4 {
		t.Errorf("without noise texts became %d texts: the test shows nothing", len(got))
	}
}

// A ledger has one entry per batch: the number of texts in a batch must not depend on
// their lengths.
func TestTextsThroughAModelAreChargedByTheirNumber(t *testing.T) {
	stage.Unraced(t)
	r, err := Open(t.Context(), Texts{Mechanism: "adept", Model: lettertest.Model(t), Epsilon: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []string{"wa", strings.Repeat("x", 2000), "caf\xe9"} {
		var draws []int64
		in := strings.NewReader(strings.Repeat(one+"\n", 600))
		charge := func(_ context.Context, _ uint64, p *Pending) error { draws = append(draws, p.Draws()); return nil }
		if _, err := r.Copy(t.Context(), io.Discard, in, Stream{Workers: 1, Charge: charge}); err != nil {
			t.Fatal(err)
		}
		if want := []int64{256, 256, 88}; !slices.Equal(draws, want) {
			t.Errorf("texts of %d bytes are charged as %v, want %v", len(one), draws, want)
		}
	}
}

func TestClaimCountsEveryPiece(t *testing.T) {
	stage.Unraced(t)
	model := lettertest.Model(t)
	for _, pieces := range []int{1, 3, 7} {
		r, err := Open(t.Context(), Texts{
			Mechanism:  "adept",
			Model:      model,
			Pieces:     pieces,
			Epsilon:    0.1,
			Parameters: map[string]string{"noise": "gaussian", "delta": "1e-7"},
		})
		if err != nil {
			t.Fatal(err)
		}
		n, c := float64(pieces), r.Claim()
		if c.Unit != "text" || c.Epsilon < n*0.1 || c.Epsilon > n*0.1*(1+1e-12) || c.Delta < n*1e-7 || c.Delta > n*1e-7*(1+1e-12) {
			t.Errorf("%d pieces claim %+v", pieces, c)
		}
		s := r.Statement(Counts{Documents: 2, Draws: 2})
		if s.Tokens != nil || s.Claim != c || math.Abs(*s.DocumentEpsilonMax-c.Epsilon) > 0 || s.DocumentDeltaMax != c.Delta || s.Model.Public {
			t.Errorf("%d pieces: the statement is %+v", pieces, s)
		}
	}
}

// enlarged is a model whose last encoder weights are so large that the latent vectors of
// some texts overflow.
func enlarged(t *testing.T, model *autoencoder.Model, weight float32) *autoencoder.Model {
	t.Helper()
	data := model.Marshal()
	body := data[:len(data)-sha256.Size]
	magic := bytes.IndexByte(body, '\n') + 1
	weights := body[magic+8+int(binary.LittleEndian.Uint64(body[magic:])):]
	s := model.Card().Shape
	gates := 4 * s.Hidden
	from := (s.Words+2)*s.Embed + 2*(s.Embed+s.Hidden+1)*gates // behind the words' vectors and both directions
	for i := range gates * s.Latent {
		binary.LittleEndian.PutUint32(weights[4*(from+i):], math.Float32bits(weight))
	}
	sum := sha256.Sum256(body)
	model, err := autoencoder.Read(append(body, sum[:]...))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// An error for some texts would tell them from others without any noise.
func TestLatentVectorThatIsNotFiniteIsDrawnForAsZero(t *testing.T) {
	stage.Unraced(t)
	plain := lettertest.Model(t)
	texts := [][]byte{[]byte("wb"), []byte("wa"), []byte("wa wb wa"), nil, []byte("wc wa"), []byte("wd wd wd wd wd")}
	var model *autoencoder.Model
	finite := 0
	for weight := float32(1e36); finite == 0 || finite == len(texts); weight *= 1.2 {
		if weight > math.MaxFloat32/2 {
			t.Fatal("no weight makes some texts overflow and others not: nothing is tested")
		}
		model, finite = enlarged(t, plain, weight), 0
		for _, text := range texts {
			ids := idsOf(model.Table(), string(text))
			whole := true
			for _, x := range model.Encode(nil, [][]embedding.ID{ids}) {
				whole = whole && x-x == 0
			}
			if whole {
				finite++
			}
		}
	}
	for _, member := range []string{"adept", "adept-published"} {
		seed := uint64(1)
		r, err := Open(t.Context(), Texts{
			Mechanism:    member,
			Model:        model,
			Epsilon:      4,
			Accept:       privacy.Refuted,
			InsecureSeed: &seed,
		})
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := RewriteAll(t.Context(), r, texts, Position{})
		if err != nil || len(out) != len(texts) {
			t.Errorf("%s: %d texts, %v", member, len(out), err)
		}
	}
}

// What is decoded follows from the noisy vector, however far the noise went.
func TestAnyNoisyVectorIsDecoded(t *testing.T) {
	stage.Unraced(t)
	model := lettertest.Model(t)
	for _, x := range []float32{math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 0} {
		latent := slices.Repeat([]float32{x, -x}, model.Dimensions()/2)
		for _, beam := range []int{1, 4} {
			if out := model.Decode(slices.Clone(latent), beam); len(out) != 1 || len(out[0]) > model.Tokens() {
				t.Errorf("%g, beam %d: %d texts", x, beam, len(out))
			}
		}
	}
}
