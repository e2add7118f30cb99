package vectors

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// Unknown tokens have an entry of their own, as frequent as they are and as long as a rare
// word. The corpus's own entry is left as it is.
func TestUnknownTokensHaveAnEntry(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rare       bool // the text has words that the table lacks
	}{{"words", "der Arzt ist da ja", true}, {"pieces", "人人。自由。人人自由。", false}, {"English", "the doctor is in the house", true}, {"its own", "a <unk> is the <unk> of a <unk>", false}} {
		o := options(t)
		o.Least = 2
		texts := []string{c.text, c.text, c.text}
		if c.rare {
			texts = append(texts, "ja einmal zweimal")
		}
		trained, err := Train(t.Context(), corpusOf(texts...), o)
		if err != nil {
			t.Fatal(err)
		}
		table := trained.Table
		id, ok := table.Lookup("<unk>")
		if !ok || table.Unknown() != id {
			t.Errorf("%s: unknown tokens become the entry %d of %d", c.name, table.Unknown(), table.Len())
			continue
		}
		if want := max(1, trained.Tokens-trained.Known); c.name != "its own" && table.Counts()[id] != want {
			t.Errorf("%s: it occurs %d times, want %d", c.name, table.Counts()[id], want)
		}
		mean := 0.0
		for other := range embedding.ID(table.Len()) {
			if other != id {
				mean += lengthOf(table.Vector(nil, other)) / float64(table.Len()-1)
			}
		}
		if got := lengthOf(table.Vector(nil, id)); c.name != "its own" && math.Abs(got-mean) > 1e-3 {
			t.Errorf("%s: its length is %g, want %g", c.name, got, mean)
		}
	}
}

// With SameLength the entry for unknown tokens is as long as the others too.
func TestVectorsHaveTheSameLength(t *testing.T) {
	o := options(t)
	o.Least = 1
	texts := topics(200)
	own, err := Train(t.Context(), corpusOf(texts...), o)
	if err != nil {
		t.Fatal(err)
	}
	o.SameLength = true
	same, err := Train(t.Context(), corpusOf(texts...), o)
	if err != nil {
		t.Fatal(err)
	}
	differ := false
	for id := range embedding.ID(same.Table.Len()) {
		v, w := own.Table.Vector(nil, id), same.Table.Vector(nil, id)
		if got := lengthOf(w); math.Abs(got-length) > 1e-3 {
			t.Errorf("%s has length %g, want %d", same.Table.Word(id), got, length)
		}
		dot := 0.0
		for k := range v {
			dot += float64(v[k]) * float64(w[k])
		}
		if cosine := dot / (lengthOf(v) * lengthOf(w)); cosine < 1-1e-6 {
			t.Errorf("%s has another direction: cosine %g", same.Table.Word(id), cosine)
		}
		differ = differ || math.Abs(lengthOf(v)-length) > 0.1
	}
	if !differ {
		t.Error("all lengths are the same without the option")
	}
}

func lengthOf(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func TestLengthsAreScaled(t *testing.T) {
	for _, v := range [][]float32{{1, 2, 3, 4}, {1e-6, 0, 0, 0}, {0, 0, 0, 0}} {
		zero := v[0] == 0
		scale(v, 2)
		total := 0.0
		for _, x := range v {
			total += float64(x) * float64(x)
		}
		if got := math.Sqrt(total / 2); zero && got != 0 || !zero && math.Abs(got-length) > 1e-5 {
			t.Errorf("%v: lengths of %g", v, got)
		}
	}
}
