package synthesis

import (
	"fmt"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

// Of records that are drawn as the public texts are, the expected share is far: well above the
// share of the public texts themselves in a small corpus, and nearer to it in a larger one.
func TestExpectedFarIsThatOfOtherTextsLikeThese(t *testing.T) {
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	text := func(i int) []byte { // words of a part of the table, by a fixed recurrence
		x := uint64(i)*0x9e3779b97f4a7c15 + 1
		out := ""
		for range 8 {
			x = x*6364136223846793005 + 1442695040888963407
			out += table.Word(embedding.ID(uint64(i%20)*40+x>>40%60)) + " "
		}
		return fmt.Append(nil, out)
	}
	var last float64
	for _, n := range []int{80, 2000} {
		b, err := corpus.NewBuilder(corpus.Options{Name: "public", Public: true, Encoder: corpus.SIF, Table: table, Similar: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := b.Add(text(i)); err != nil {
				t.Fatal(err)
			}
		}
		c, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		expected, err := ExpectedFar(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		p := planOf(t, Options{Corpus: c, Epsilon: 1})
		var records []Record
		for i := range 2000 {
			records = append(records, Record{Text: text(100000 + i)})
		}
		counts := p.NewCounts()
		counts.Add(p.Vote(records))
		found := float64(counts.far) / float64(counts.far+counts.near)
		t.Logf("%d texts: %.4f are far, %.4f expected", n, found, expected)
		// The quantile of 80 texts has a standard deviation of 0.024 around its mean.
		if math.Abs(found-expected) > 4*math.Sqrt(0.05/float64(n)+expected/2000)+0.02 {
			t.Errorf("of %d texts: %.4f are far, %.4f expected", n, found, expected)
		}
		if n == 80 && expected < 0.1 || n == 2000 && (expected > last || expected < 0.03) {
			t.Errorf("of %d texts %.4f are expected", n, expected)
		}
		last = expected
	}
}
