package sotto_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
)

func openRetrieved(t testing.TB, cfg sotto.Texts) *sotto.Rewriter {
	t.Helper()
	r, err := sotto.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Whatever the text, the output is one text of the corpus, the claim is per whole text,
// and the statement reveals nothing about its size.
func TestWholeTextBecomesATextOfTheCorpus(t *testing.T) {
	english, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	public := map[string]bool{}
	for i := range english.Len() {
		public[english.Text(i)] = true
	}
	r := openRetrieved(t, sotto.Texts{Epsilon: 4})
	var statements []string
	for _, text := range []string{"", " ", "My order 12345 has not arrived.", strings.Repeat("word ", 200_000), "我的订单还没到", "\xff\x00\xfe", "zzxqj"} {
		release, err := r.Rewrite(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if !public[release.Text] {
			t.Errorf("%.20q became %q, which is no text of the corpus", text, release.Text)
		}
		if own := release.Statement.Drawn; own == nil || *own != sotto.Identified(release.Text) {
			t.Errorf("%q has the statement of %+v", release.Text, own)
		}
		release.Statement.Drawn = nil // it follows from what was drawn
		data, err := json.Marshal(release.Statement)
		if err != nil {
			t.Fatal(err)
		}
		statements = append(statements, string(data))
	}
	if len(slices.Compact(statements)) != 1 {
		t.Error("statements differ by what the text was")
	}
}

func TestStatementOfAWholeTextNamesItsCorpus(t *testing.T) {
	english, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	r := openRetrieved(t, sotto.Texts{Epsilon: 4})
	p, err := r.Read([][]byte{[]byte("a"), []byte("a longer text"), nil})
	if err != nil {
		t.Fatal(err)
	}
	if p.Draws() != 3 {
		t.Errorf("three texts cost %d draws", p.Draws())
	}
	s := r.Statement(p.Counts())
	k := s.Neighbours
	if s.Claim.Unit != privacy.Text || s.Claim.Notion != privacy.Pure || s.Claim.Epsilon != 4 || s.Mechanism != "retrieval" ||
		s.Tokens != nil || s.LongestTokens != nil || s.DocumentEpsilonMax == nil || *s.DocumentEpsilonMax != 4 || k == nil || s.Corpus == nil || s.Inside == nil {
		t.Fatalf("the statement is %+v", s)
	}
	c := s.Certificate
	if c == nil || c.Codebook == nil || c.Codebook.SHA256 != english.Digest() || c.Codebook.Neighbours != *k || c.Source != mechanism.Computed ||
		c.PureEpsilon.High > 4 || math.Log(float64(c.Codebook.High)/float64(c.Codebook.Low)) > 4 {
		t.Errorf("the certificate is %+v", c)
	}
	if want := int(math.Round(float64(english.Len()) / (math.Exp(4) + 1))); *k != want {
		t.Errorf("k is %d, must be %d", *k, want)
	}
	if p := float64(*k) * math.Exp(4) / (float64(*k)*math.Exp(4) + float64(english.Len()-*k)); math.Abs(*s.Inside-p) > 1e-9 {
		t.Errorf("inside is %g, must be %g", *s.Inside, p)
	}
	for _, p := range r.Settings() {
		if p.Name == "inside" && p.Value != *s.Inside || p.Name == "neighbours" && p.Value != *k {
			t.Errorf("%s is %v among the parameters, and another beside them", p.Name, p.Value)
		}
	}
	if *s.Corpus != (statement.CorpusFigures{Name: "english", Texts: english.Len(), SHA256: corpus.EnglishDigest, Public: true, Encoder: corpus.SIF}) {
		t.Errorf("the corpus is %+v", *s.Corpus)
	}
}

// At a large epsilon with k = 1 the output is the nearest public text: the draw is from
// the set of this text.
func TestWholeTextIsDrawnFromItsOwnSet(t *testing.T) {
	english, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	r := openRetrieved(t, sotto.Texts{Epsilon: 34, Parameters: map[string]string{"neighbours": "1"}})
	var texts [][]byte
	for _, i := range []int{0, 77, 5000, english.Len() - 1} {
		texts = append(texts, []byte(english.Text(i)))
	}
	p, err := r.Read(texts)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := english.Encoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		nearest, err := english.Nearest(nil, encoder.Encode(nil, text), 1)
		if err != nil {
			t.Fatal(err)
		}
		// P(another text) = (M - 1)/(e^34 + M - 1) < 1e-10 for each of the four, M < 40,000.
		if want := english.Text(int(nearest[0])); string(out[i]) != want {
			t.Errorf("text %d became %q, the nearest is %q", i, out[i], want)
		}
	}
}

func TestSeededWholeTextsDoNotDependOnTheirBatches(t *testing.T) {
	seed := uint64(5)
	r := openRetrieved(t, sotto.Texts{Epsilon: 2, InsecureSeed: &seed})
	texts := [][]byte{[]byte("one"), []byte("two words"), []byte("the order has not arrived"), nil}
	draw := func(texts [][]byte, first uint64) (out []string) {
		p, err := r.ReadAt(texts, sotto.Position{Text: first})
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := p.Draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range drawn {
			out = append(out, string(d))
		}
		return out
	}
	all := draw(texts, 0)
	for i := range texts {
		if got := draw(texts[i:i+1], uint64(i)); got[0] != all[i] {
			t.Errorf("text %d is %q alone and %q among others", i, got[0], all[i])
		}
	}
}

// A required certificate must be for this corpus and these parameters. It is then stated
// as given, not as computed.
func TestWholeTextsCertificateMustFit(t *testing.T) {
	english, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := catalog.Find("retrieval")
	f, err := audit.RunTexts(t.Context(), entry, english, audit.Options{Spec: mechanism.Spec{Epsilon: 4}})
	if err != nil {
		t.Fatal(err)
	}
	r := openRetrieved(t, sotto.Texts{Epsilon: 4, Certificate: f.Certificate})
	if c := r.Statement(sotto.Counts{}).Certificate; c.Source != mechanism.Stated || c.Codebook.Witness == nil {
		t.Errorf("the certificate is %+v", c)
	}
	forged := *f.Certificate
	forged.Mechanism = "neighbours"
	for _, cfg := range []sotto.Texts{
		{Epsilon: 3, Certificate: f.Certificate}, {Epsilon: 4, Certificate: f.Certificate, Parameters: map[string]string{"neighbours": "9"}}, {Epsilon: 4, Certificate: &forged},
	} {
		if _, err := sotto.Open(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "certificate: it is for") {
			t.Errorf("epsilon %g, %v: %v", cfg.Epsilon, cfg.Parameters, err)
		}
	}
}
