package sotto_test

import (
	"github.com/sotto-dp/sotto/privacy"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
)

func TestScopeReadsTheDistinctWordsOfAllTextsAndDrawsForThoseThatAreNew(t *testing.T) {
	seed := uint64(1)
	r, err := sotto.Open(t.Context(), sotto.Words{Scoped: true, Epsilon: 1, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Read([][]byte{[]byte("doctor house doctor"), []byte("house river")})
	if err != nil {
		t.Fatal(err)
	}
	words := p.Distinct()
	if c := p.Counts(); len(words) != 3 || c.Draws != 3 || c.LongestDraws != 2 || c.Tokens != 5 || r.Table().Word(words[2]) != "river" {
		t.Fatalf("%d words, %+v", len(words), c)
	}
	if _, err := p.Draw(t.Context()); err == nil {
		t.Error("a scoped batch was drawn without its scope")
	}
	drawn, err := p.DrawDistinct(t.Context(), []int{2, 0})
	if err != nil || len(drawn) != 2 {
		t.Fatal(drawn, err)
	}
	if _, err := p.DrawDistinct(t.Context(), []int{1}); err == nil {
		t.Error("a second draw was made")
	}
	kept, _ := r.Table().Lookup("music")
	texts, err := p.Compose([]embedding.ID{drawn[1], kept, drawn[0]})
	if err != nil {
		t.Fatal(err)
	}
	first, last := r.Table().Word(drawn[1]), r.Table().Word(drawn[0])
	if got, want := strings.ToLower(string(texts[0])+"|"+string(texts[1])), first+" music "+first+"|music "+last; got != want {
		t.Errorf("composed %q, want %q", got, want)
	}
	for _, wrong := range [][]embedding.ID{nil, {0, 0, embedding.ID(r.Table().Len())}} {
		if _, err := p.Compose(wrong); err == nil {
			t.Errorf("composed of %v", wrong)
		}
	}
	plain, err := sotto.Open(t.Context(), sotto.Config{Unit: privacy.Word, Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	if p, err = plain.Read([][]byte{[]byte("doctor")}); err != nil || p.Distinct() != nil {
		t.Error("a batch without a scope shows its words")
	}
}
