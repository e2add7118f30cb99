package catalog_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"iter"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/restore"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// news reads the texts of a part of AG News as words of a table.
func news(t testing.TB, table *embedding.Table, part string) (texts [][]embedding.ID) {
	f, err := os.Open(refdata.Path(t, "data/ag-news/"+part+".tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	tokenizer := tokenize.NewTokenizer(table)
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	lines.Scan() // the header
	for lines.Scan() {
		_, line, _ := strings.Cut(lines.Text(), "\t")
		ids, _ := tokenizer.Tokenize(nil, []byte(line))
		texts = append(texts, ids)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

func each(texts [][]embedding.ID) iter.Seq2[[]embedding.ID, error] {
	return func(yield func([]embedding.ID, error) bool) {
		for _, ids := range texts {
			if !yield(ids, nil) {
				return
			}
		}
	}
}

// copied says how a copy of some texts compares with them: the share of positions with the
// original word, the copy's perplexity under a model, the mean cosine between the sum of a
// text's vectors and that of its copy, and the share of originals among the copy's rare
// words, which are those behind the first 1,000 of the table, NaN if it has none.
type copied struct{ right, perplexity, cosine, rare float64 }

func (c copied) String() string {
	rare := "no rare words"
	if !math.IsNaN(c.rare) {
		rare = fmt.Sprintf("%.2f of rare words right", c.rare)
	}
	return fmt.Sprintf("%.3f right, perplexity %.0f, cosine %.3f, %s", c.right, c.perplexity, c.cosine, rare)
}

func compare(t testing.TB, table *embedding.Table, judge *language.Model, texts, copies [][]embedding.ID) (c copied) {
	measured, err := judge.Measure(each(copies))
	if err != nil {
		t.Fatal(err)
	}
	right, words, rightRare, rare := 0, 0, 0, 0
	for i, original := range texts {
		var dot, a, b float64
		x, y := sum(table, original), sum(table, copies[i])
		for k := range x {
			dot, a, b = dot+x[k]*y[k], a+x[k]*x[k], b+y[k]*y[k]
		}
		c.cosine += dot / math.Sqrt(a*b) / float64(len(texts))
		for j, w := range copies[i] {
			same := 0
			if w == original[j] {
				same = 1
			}
			words, right = words+1, right+same
			if w >= 1000 {
				rare, rightRare = rare+1, rightRare+same
			}
		}
	}
	c.right, c.perplexity, c.rare = float64(right)/float64(words), measured.Perplexity, float64(rightRare)/float64(rare)
	return c
}

func sum(table *embedding.Table, words []embedding.ID) []float64 {
	total := make([]float64, table.Dim())
	for _, w := range words {
		for k, v := range table.Vector(nil, w) {
			total[k] += float64(v)
		}
	}
	return total
}

// rewritten returns copies of texts by a member, and what minimum risk restores from them
// under a model.
func rewritten(t testing.TB, m mechanism.Mechanism, prior *language.Model, texts [][]embedding.ID) (released, restored [][]embedding.ID) {
	for i, words := range texts {
		out, err := m.Replace(nil, words, noise.Seeded(1, uint64(i)))
		if err != nil {
			t.Fatal(err)
		}
		released = append(released, out)
	}
	columns, err := restore.Columns(t.Context(), m.(mechanism.Channel), prior.Vocabulary().Len(), released, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := restore.NewDecoder(prior, columns, restore.Options{Beam: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range released {
		lattice, err := decoder.Read(words, nil)
		if err != nil {
			t.Fatal(err)
		}
		restored = append(restored, restore.Risk(lattice.Marginals()))
	}
	return released, restored
}

// priorTexts returns the number of texts that have 549,000 tokens: those to restore with.
func priorTexts(training [][]embedding.ID) (used int) {
	for tokens := 0; tokens < 549000; used++ {
		tokens += len(training[used])
	}
	return used
}

func trigram(t testing.TB, table *embedding.Table, texts [][]embedding.ID) *language.Model {
	m, err := language.Train(t.Context(), table, each(texts), language.Options{Public: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// newsTable returns the table of the measurements on news.
func newsTable(t testing.TB) *embedding.Table {
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(10000)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// What classes make of 300 test texts of news, as they are and restored. The draws are
// seeded, so the figures repeat.
func TestClassesOnNews(t *testing.T) {
	stage.Needs(t, stage.Large)       // trains language models
	all := stage.Runs(stage.Thorough) // what has no limit too, for the record
	table := newsTable(t)
	training, test := news(t, table, "train"), news(t, table, "test")
	used := priorTexts(training)
	prior, judge := trigram(t, table, training[:used]), trigram(t, table, append(training[used:], test[1000:]...))
	texts := test[:300]
	t.Logf("as it is: %s", compare(t, table, judge, texts, texts))
	free := copied{0, math.Inf(1), 0, 0}
	for _, c := range []struct {
		member        string
		epsilon       float64
		parameters    mechanism.Values
		raw, restored copied // least shares and cosine, largest perplexity
	}{
		{"classes", 4, nil, free, free},
		{"classes", 6, nil, copied{0.40, 450, 0, 0}, copied{0.54, 105, 0.975, 0}},
		{"classes", 8, nil, free, copied{0.71, 145, 0.975, 0}},
		{"classes", 10, nil, free, copied{0.84, 170, 0.975, 0}},
		{"neighbours", 6, mechanism.Values{"outputs": "80", "neighbours": "1"}, free, free},
		{"neighbours", 6, nil, free, free},
		{"neighbours", 8, nil, free, free},
		{"neighbours", 9, nil, free, free},
	} {
		if c.raw == free && c.restored == free && !all {
			continue
		}
		entry, _ := catalog.Find(c.member)
		m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: c.epsilon, Parameters: c.parameters})
		if err != nil {
			t.Fatal(err)
		}
		released, restored := rewritten(t, m, prior, texts)
		for i, copies := range [][][]embedding.ID{released, restored} {
			name, want := []string{"as released", "restored"}[i], []copied{c.raw, c.restored}[i]
			got := compare(t, table, judge, texts, copies)
			t.Logf("%s at %g %v, %s: %s", c.member, c.epsilon, c.parameters, name, got)
			if got.right < want.right || got.perplexity > want.perplexity || got.cosine < want.cosine {
				t.Errorf("%s at %g, %s: %s, want %s", c.member, c.epsilon, name, got, want)
			}
		}
	}
}
