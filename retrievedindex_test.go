package sotto_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// indexedCorpus returns a corpus with this number of clusters, always over the same
// texts.
func indexedCorpus(t testing.TB, clusters int) *corpus.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(8, 1))
	words := strings.Fields("order parcel phone card bank film night garden river doctor teacher price engine music winter bread")
	b, err := corpus.NewBuilder(corpus.Options{Name: "indexed", Public: true, Encoder: corpus.LSA, Clusters: clusters, Similar: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 600 {
		if err := b.Add(fmt.Appendf(nil, "%s %s %s n%d", words[r.IntN(16)], words[r.IntN(16)], words[r.IntN(16)], i)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var approximate = map[string]string{"search": "approximate", "neighbours": "12"}

// With an index, draws, explanations and audits use the sets of that index, and the
// statement names it.
func TestWholeTextIsDrawnFromTheSetOfTheIndex(t *testing.T) {
	c := indexedCorpus(t, 6)
	encoder, err := c.Encoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := openRetrieved(t, sotto.Texts{Epsilon: 12, Corpus: c, Parameters: approximate})
	differ := false
	for _, text := range []string{"", "my phone rings", "the doctor of the teacher", "\xff", strings.Repeat("river price ", 10_000)} {
		vector := encoder.Encode(nil, []byte(text))
		set, err := c.Approximate(nil, vector, 12)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := c.Nearest(nil, vector, 12)
		if err != nil {
			t.Fatal(err)
		}
		differ = differ || !slices.Equal(set, exact)
		e, err := r.ExplainText(text, 0)
		if err != nil {
			t.Fatal(err)
		}
		var likely []uint32
		for _, o := range e.Outputs[:12] {
			likely = append(likely, uint32(o.Index))
		}
		slices.Sort(likely)
		if !slices.Equal(likely, set) || e.Outputs[11].Probability <= e.Outputs[12].Probability {
			t.Errorf("%.20q: explained by %v, the set of the index is %v", text, likely, set)
		}
		outside := 0
		for range 40 {
			release, err := r.Rewrite(t.Context(), text)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(set, func(y uint32) bool { return c.Text(int(y)) == release.Text }) {
				outside++
			}
		}
		// Each is outside with probability 588/(12 e^12 + 588) = 3e-4. At least four of
		// 40 are outside with probability C(40, 4) (3e-4)^4 < 1e-9 for each of five texts.
		if outside > 3 {
			t.Errorf("%.20q: %d of 40 draws are outside the set of the index", text, outside)
		}
	}
	if !differ {
		t.Error("the index finds the exact sets: nothing is tested")
	}
	digest, err := c.Index()
	if err != nil {
		t.Fatal(err)
	}
	s := r.Statement(sotto.Counts{})
	settings := map[string]any{}
	for _, p := range r.Settings() {
		settings[p.Name] = p.Value
	}
	if settings["search"] != "approximate" || settings["compared"] != c.Compared(12) || settings["index-sha256"] != digest || s.Certificate == nil || s.Certificate.Codebook.Neighbours != 12 {
		t.Errorf("settings %v, certificate %+v", settings, s.Certificate)
	}
}

// An audit certifies the rows of the index. The certificate is for these clusters, not
// for the same texts in other clusters and not for the exact search.
func TestCertificateOfAnIndexIsForItsClusters(t *testing.T) {
	stage.Unraced(t)
	entry, _ := catalog.Find("retrieval")
	spec := mechanism.Spec{Epsilon: 3, Parameters: approximate}
	c, other := indexedCorpus(t, 6), indexedCorpus(t, 5)
	if c.Digest() != other.Digest() {
		t.Fatal("clusters change the digest of the corpus: nothing is tested")
	}
	finding, err := audit.RunTexts(t.Context(), entry, c, audit.Options{Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	if finding.Verdict != audit.Certified || finding.Certificate == nil || finding.Certificate.PureEpsilon.High > 3 {
		t.Fatalf("the finding is %+v", finding)
	}
	verify := func(c *corpus.Corpus, parameters map[string]string) error {
		r, err := entry.NewRetriever(t.Context(), c, mechanism.Spec{Epsilon: 3, Parameters: parameters})
		if err != nil {
			t.Fatal(err)
		}
		return finding.Certificate.VerifyTexts(t.Context(), r, c, nil)
	}
	if err := verify(c, approximate); err != nil {
		t.Error(err)
	}
	if err := verify(other, approximate); err == nil || !strings.Contains(err.Error(), "index-sha256") {
		t.Errorf("with other clusters: %v", err)
	}
	if err := verify(c, map[string]string{"neighbours": "12"}); err == nil {
		t.Error("the certificate holds for the exact search")
	}
}

// Seeded draws do not depend on the batches.
func TestSeededDrawsOfAnIndexDoNotDependOnTheirBatches(t *testing.T) {
	stage.Unraced(t)
	seed := uint64(5)
	r := openRetrieved(t, sotto.Texts{Epsilon: 9, Corpus: indexedCorpus(t, 6), Parameters: approximate, InsecureSeed: &seed})
	var lines strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "a river %d and bread\n", i%7)
	}
	var outs []string
	for _, workers := range []int{1, 3} {
		var out strings.Builder
		if _, err := r.Copy(t.Context(), &out, strings.NewReader(lines.String()), sotto.Stream{Workers: workers}); err != nil {
			t.Fatal(err)
		}
		outs = append(outs, out.String())
	}
	if outs[0] != outs[1] || strings.Count(outs[0], "\n") != 3000 {
		t.Error("the draws differ")
	}
}
