package sotto

import (
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
)

// Over a table of pieces, every statement about words says that its words are pieces. One
// about averages of texts does not need to.
func TestStatementsSayThatAWordIsAPiece(t *testing.T) {
	stage.Unraced(t)
	rules, err := segment.New(segment.Description{Kind: segment.Pieces, Pieces: []segment.Piece{{Text: "人", Cost: 5}, {Text: "自由", Cost: 5}}})
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := embedding.New(embedding.Source{Dim: 2, Words: []string{"人", "自由", "a"}, Vectors: []float32{0, 1, 1, 1, 2, 1}, Segmentation: rules})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		table *embedding.Table
		says  bool
	}{{"pieces", pieces, true}, {"letters", lettertest.Table(t, 20), false}} {
		for _, of := range []Of{Tokens, Documents} {
			e, err := OpenEmbedder(t.Context(), Vectors{Of: of, Table: c.table, Epsilon: 2, Notion: privacy.Pure})
			if err != nil {
				t.Fatal(err)
			}
			if got := saysPieces(e.Statement(Counts{}).NotProtected); got != (c.says && of == Tokens) {
				t.Errorf("%s, vectors of %s: %t", c.name, of, got)
			}
		}
		r, err := Open(t.Context(), Config{Table: c.table, Epsilon: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got := saysPieces(r.Statement(Counts{}).NotProtected); got != c.says {
			t.Errorf("%s, words: %t", c.name, got)
		}
	}
}

func saysPieces(not []string) bool {
	return slices.ContainsFunc(not, func(s string) bool { return strings.Contains(s, "a word of the claim is a piece of the table's list") })
}
