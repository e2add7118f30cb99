package sottobeam

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// piecesTable writes a table whose words are pieces of Chinese, and returns its place.
func piecesTable(t testing.TB) string {
	t.Helper()
	words := []string{"<unk>", "人", "人人", "平等", "权利", "的", "自由", ","}
	d := segment.Description{Kind: segment.Pieces, Language: "zh"}
	var vectors []float32
	for i, w := range words {
		vectors = append(vectors, float32(i%3), float32(i))
		if w != "<unk>" && w != "," {
			d.Pieces = append(d.Pieces, segment.Piece{Text: w, Cost: 5})
		}
	}
	rules, err := segment.New(d)
	if err != nil {
		t.Fatal(err)
	}
	table, err := embedding.New(embedding.Source{Dim: 2, Words: words, Vectors: vectors, Segmentation: rules})
	if err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(t.TempDir(), "zh"+embedding.Extension)
	if err := embedding.WriteFile(place, table); err != nil {
		t.Fatal(err)
	}
	return place
}

// With a table of pieces the workers cut texts into its pieces, charge for each, and say so
// in the statement. At epsilon 30 a word of 8 becomes another with probability below
// 8 e^-30: below 1e-9 for all here.
func TestTextsAreCutIntoThePiecesOfTheTable(t *testing.T) {
	const n, tokens = 40, 7 // of one element
	cfg := Config{Epsilon: 30, Parameters: map[string]string{"neighbours": "1"}, Embeddings: piecesTable(t), Fields: []string{"Text"}, Account: "alice"}
	var spent func() float64
	cfg.Ledger, spent = book(t, fmt.Sprint(n*tokens*30))
	in := make([]review, n)
	for i := range in {
		in[i] = review{ID: int64(i), Text: "人人的自由 平等,权利" + hidden}
	}
	counters, err := run(t, in, seeReview, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen.reviews) != n || len(seen.failures) != 0 || len(seen.statements) != 1 {
		t.Fatalf("%d elements, %v, %d statements", len(seen.reviews), seen.failures, len(seen.statements))
	}
	for _, r := range seen.reviews {
		if r.Text != "人人的自由平等,权利<unk>" {
			t.Fatalf("element %d becomes %q", r.ID, r.Text)
		}
	}
	if counters["tokens"] != n*tokens || spent() != n*tokens*30 {
		t.Errorf("%d tokens for %g, want %d for %d", counters["tokens"], spent(), n*tokens, n*tokens*30)
	}
	var s struct {
		Tokens       int
		NotProtected []string `json:"not_protected"`
	}
	says := func(what string) bool { return strings.Contains(what, "piece") }
	if err := json.Unmarshal([]byte(seen.statements[0]), &s); err != nil || s.Tokens != n*tokens || !slices.ContainsFunc(s.NotProtected, says) {
		t.Errorf("the statement is %s (%v)", seen.statements[0], err)
	}
}
