package language_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// testdata/learn.txt and held.txt are sentences of the embedded corpus (usage examples of
// WordNet, see corpus/PROVENANCE.md) whose words are among its 420 most frequent ones, in
// lower case and without punctuation; held.txt is a sixth of them. kenlm3.arpa.gz is what
// KenLM's lmplz (github.com/kpu/kenlm at 4cb443e) wrote for
//
//	lmplz -o 3 --discount_fallback --text learn.txt
//
// The perplexities of held.txt are those of its query -v summary, which computes in
// float32, and of testdata/reference.py, which computes in float64.
var references = []struct {
	order             int
	kenlm, reference  float64
	one, two, atLeast float64 // KenLM's discounts of the longest n-grams, as printed
}{
	{2, 92.58106844666499, 92.58106605128302, 0.765247, 1.29102, 1.20228},
	{3, 91.09416571321414, 91.09417048328204, 0.912323, 1.45261, 1.58083},
	{4, 91.11242412099956, 91.11242834629853, 0.970166, 1.78441, 3},
}

// With two sentences more, which hold an unknown word each ("the zebra is here",
// "quagga"), KenLM says 91.28272204127441 over 378 tokens at order 3.
const kenlmUnknown = 91.28272204127441

func sentences(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// tableOf returns a table of the words of some sentences and <unk>.
func tableOf(t testing.TB, sentences []string) *embedding.Table {
	t.Helper()
	words, seen := []string{"<unk>"}, map[string]bool{}
	for _, w := range strings.Fields(strings.Join(sentences, " ")) {
		if !seen[w] {
			words, seen[w] = append(words, w), true
		}
	}
	vectors := make([]float32, len(words))
	for i := range vectors {
		vectors[i] = float32(i)
	}
	table, err := embedding.New(embedding.Source{Name: "learn", Words: words, Dim: 1, Vectors: vectors})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// ids looks the words of sentences up, without the tokenizer's rules.
func ids(v tokenize.Vocabulary, sentences []string) [][]embedding.ID {
	all := make([][]embedding.ID, len(sentences))
	for i, s := range sentences {
		for _, w := range strings.Fields(s) {
			id, ok := v.Lookup(w)
			if !ok {
				id = v.Unknown()
			}
			all[i] = append(all[i], id)
		}
	}
	return all
}

func near(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= relative) {
		t.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}

func perplexity(t *testing.T, m *language.Model, sentences []string, tokens int) float64 {
	t.Helper()
	measured, err := m.Measure(each(ids(m.Vocabulary(), sentences)))
	if err != nil || measured.Tokens != tokens {
		t.Fatalf("%d tokens, want %d: %v", measured.Tokens, tokens, err)
	}
	return measured.Perplexity
}

func learn(t testing.TB, order int) (*language.Model, *embedding.Table) {
	learnt := sentences(t, "learn.txt")
	table := tableOf(t, learnt)
	m, err := language.Train(context.Background(), table, each(ids(table, learnt)), language.Options{Order: order, Public: true})
	if err != nil {
		t.Fatal(err)
	}
	return m, table
}

func TestPerplexityAgreesWithReferences(t *testing.T) {
	held := sentences(t, "held.txt")
	for _, r := range references {
		m, _ := learn(t, r.order)
		got := perplexity(t, m, held, 371)
		near(t, "the reference's perplexity", got, r.reference, 1e-12)
		near(t, "KenLM's perplexity", got, r.kenlm, 1e-7)
		d := m.Card().Discounts[r.order-1]
		near(t, "discount 1", d.One, r.one, 1e-5)
		near(t, "discount 2", d.Two, r.two, 1e-5)
		near(t, "discount 3", d.Three, r.atLeast, 1e-5)
		if d.Assumed {
			t.Errorf("order %d: discounts are assumed", r.order)
		}
	}
	m, _ := learn(t, 3)
	near(t, "KenLM's with unknown words", perplexity(t, m, append(held, "the zebra is here", "quagga"), 378), kenlmUnknown, 1e-7)
}

// kenlmFile returns the ARPA file that KenLM wrote.
func kenlmFile(t testing.TB) []byte {
	t.Helper()
	f, err := os.Open("testdata/kenlm3.arpa.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readARPA(t testing.TB, data []byte, table *embedding.Table) *language.Model {
	t.Helper()
	m, err := language.ReadARPA(context.Background(), bytes.NewReader(data), table, true)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestARPAOfAnotherToolIsRead(t *testing.T) {
	m, table := learn(t, 3)
	other := readARPA(t, kenlmFile(t), table)
	held := sentences(t, "held.txt")
	near(t, "perplexity", perplexity(t, other, held, 371), references[1].kenlm, 1e-7)
	near(t, "perplexity", perplexity(t, other, append(held, "the zebra is here", "quagga"), 378), kenlmUnknown, 1e-7)
	a, b := m.Card().NGrams, other.Card().NGrams
	if a[0] != b[0] || a[1] != b[1] || a[2] != b[2] {
		t.Errorf("n-grams: %v, want %v", b, a)
	}
	for _, sentence := range ids(table, append(held, sentences(t, "learn.txt")...)) {
		s, r := m.Start(), other.Start()
		for _, w := range sentence {
			var p, q float64
			p, s = m.Next(s, w)
			q, r = other.Next(r, w)
			if math.Abs(p-q) > 1e-5 || s != r {
				t.Fatalf("word %d: %v, want %v", w, q, p)
			}
		}
		if math.Abs(m.End(s)-other.End(r)) > 1e-5 {
			t.Fatalf("the end: %v, want %v", other.End(r), m.End(s))
		}
	}
}

func TestARPARoundTrip(t *testing.T) {
	trained, table := learn(t, 4)
	for _, m := range []*language.Model{trained, readARPA(t, kenlmFile(t), table)} {
		var once, twice bytes.Buffer
		if err := m.WriteARPA(&once); err != nil {
			t.Fatal(err)
		}
		again := readARPA(t, once.Bytes(), table)
		for _, text := range ids(table, append(sentences(t, "held.txt"), "zebra")) {
			near(t, "a sentence's logarithm", again.Log(text), m.Log(text), 1e-14)
		}
		if err := again.WriteARPA(&twice); err != nil {
			t.Fatal(err)
		}
		if third := readARPA(t, twice.Bytes(), table); third.Card().Vocabulary != m.Card().Vocabulary {
			t.Error("the vocabulary changes")
		}
	}
}
