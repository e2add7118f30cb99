package corpus

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// segmentedTable returns a table of some Chinese words with the rules pieces.
func segmentedTable(t testing.TB) *embedding.Table {
	t.Helper()
	words := strings.Fields("人人 人类 人身 权利 自由 尊严 平等 法律 保护 教育 工作 。")
	d := segment.Description{Kind: segment.Pieces}
	r := rand.New(rand.NewPCG(3, 3))
	var vectors []float32
	for _, w := range words {
		if w != "。" {
			d.Pieces = append(d.Pieces, segment.Piece{Text: w, Cost: 4096})
		}
		for range 8 {
			vectors = append(vectors, float32(r.NormFloat64()))
		}
	}
	slices.SortFunc(d.Pieces, func(a, b segment.Piece) int { return strings.Compare(a.Text, b.Text) })
	rules, err := segment.New(d)
	if err != nil {
		t.Fatal(err)
	}
	table, err := embedding.New(embedding.Source{Name: "pieces", Words: words, Dim: 8, Vectors: vectors, Segmentation: rules})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// texts of the words of segmentedTable, which have letters in common.
func chinese(n int) (texts []string) {
	words := strings.Fields("人人 人类 人身 权利 自由 尊严 平等 法律 保护 教育 工作 自律 法由")
	r := rand.New(rand.NewPCG(4, 4))
	for range n {
		var b strings.Builder
		for range 6 {
			b.WriteString(words[r.IntN(len(words))])
		}
		texts = append(texts, b.String()+"。")
	}
	return texts
}

func TestTermsAreThoseOfTheTablesRules(t *testing.T) {
	table := segmentedTable(t)
	c := build(t, chinese(100), Options{Table: table, Similar: 1, Public: true})
	terms := splitTerms(c.content[sectionTerms])
	for _, want := range []string{"人人", "自由", "法"} { // the table lacks 法由: its letters are terms
		if _, ok := slices.BinarySearch(terms, want); !ok {
			t.Errorf("%s is not a term: %v", want, terms)
		}
	}
	if slices.Contains(terms, "人") || slices.Contains(terms, "。") {
		t.Errorf("parts of words or signs are terms: %v", terms)
	}
	if v := c.Card().Encoder.Version; v != segmentedVersion {
		t.Errorf("version %d of the encoder", v)
	}
	opened, err := parse(fileOf(t, c))
	if err != nil {
		t.Fatal(err)
	}
	read, err := opened.Encoder(table)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Len() {
		if !slices.Equal(read.Encode(nil, []byte(c.Text(i))), c.Vector(nil, i)) {
			t.Fatalf("the file's encoder gives text %d another vector", i)
		}
	}
	for name, o := range map[string]Options{"no rules": {Table: tableOf(t)}, "words alone": {Table: table, Encoder: SIF}, "terms alone": {Encoder: LSA}} {
		if v := build(t, chinese(10), o).Card().Encoder.Version; v != encoderVersion {
			t.Errorf("%s: version %d of the encoder", name, v)
		}
	}
}

// Files that cut terms by UAX 29 over a table with rules were written before: they are read
// as they were. A file that says that a table has rules which it lacks is refused.
func TestVersionsOfTermsAreKept(t *testing.T) {
	version := func(c *Corpus, from, to string) *Corpus {
		t.Helper()
		data := fileOf(t, c)
		copy(section(data, sectionCard), bytes.Replace(section(data, sectionCard), []byte(from), []byte(to), 1))
		changed, err := parse(reseal(data))
		if err != nil {
			t.Fatal(err)
		}
		return changed
	}
	table := segmentedTable(t)
	c := build(t, chinese(100), Options{Table: table, Similar: 1})
	earlier, err := version(c, `"version":2`, `"version":1`).Encoder(table)
	if err != nil {
		t.Fatal(err)
	}
	if text := []byte("人人自由"); slices.Equal(earlier.Encode(nil, text), encoder(t, c).Encode(nil, text)) {
		t.Error("version 1 cuts terms as version 2 does")
	}
	english := build(t, sample(70), Options{Table: tableOf(t)})
	if _, err := version(english, `"version":1`, `"version":2`).Encoder(tableOf(t)); err == nil || !strings.Contains(err.Error(), "forged") {
		t.Errorf("a table without rules: %v", err)
	}
}
