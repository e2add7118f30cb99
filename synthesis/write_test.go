package synthesis

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// modelOf trains a model on sentences of all topics.
func modelOf(t testing.TB, public bool) *language.Model {
	t.Helper()
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	tokens := tokenize.NewTokenizer(table)
	m, err := language.Train(t.Context(), table, func(yield func([]embedding.ID, error) bool) {
		for i := range 300 {
			ids, _ := tokens.Tokenize(nil, []byte(sentence(i%4, i/4)))
			if !yield(ids, nil) {
				return
			}
		}
	}, language.Options{Order: 3, Public: public})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// written releases 400 records of two topics with texts of a model, weighted or drawn.
func written(t testing.TB, o Options, weighted bool) (Statement, []string) {
	t.Helper()
	noise := uint64(5)
	o.Epsilon, o.InsecureSeed, o.Columns = 8, &noise, []Column{labels(t, "label", "sport", "money")}
	p := planOf(t, o)
	counts := p.NewCounts()
	for i := range 400 {
		counts.Add(p.Vote([]Record{{Text: []byte(sentence(i%2, i%75)), Labels: [][]byte{[]byte([]string{"sport", "money"}[i%2])}}}))
	}
	r, err := p.Release(counts, nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	each := func(r Row) error {
		rows = append(rows, fmt.Sprint(r.Labels[0], " ", string(r.Text)))
		return nil
	}
	if weighted {
		err = r.Weighted(t.Context(), each)
	} else {
		err = r.Draw(t.Context(), 0, nil, each)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.Statement(), rows
}

// The texts of a model have the words of their clusters, follow from the public seed and
// the released counts, and are no texts of the corpus.
func TestModelWritesTextsOfTheClusters(t *testing.T) {
	stage.Unraced(t)
	m := modelOf(t, true)
	for _, weighted := range []bool{false, true} {
		public, rows := written(t, Options{Model: m, ModelSeed: 1}, weighted)
		_, again := written(t, Options{Model: m, ModelSeed: 1}, weighted)
		_, others := written(t, Options{Model: m, ModelSeed: 2}, weighted)
		plain, texts := written(t, Options{}, weighted)
		if !slices.Equal(rows, again) || slices.Equal(rows, others) {
			t.Error("the texts do not follow from their seed")
		}
		if len(rows) != len(texts) {
			t.Errorf("%d texts are written in the place of %d", len(rows), len(texts))
		}
		own, same := 0, 0
		for i, row := range rows {
			label, body, _ := strings.Cut(row, " ")
			if strings.Contains(topics[slices.Index([]string{"sport", "money"}, label)], strings.Fields(body + " -")[0]) {
				own++
			}
			if row == texts[i] {
				same++
			}
			if len(strings.Fields(body)) > 5 || body == "" {
				t.Fatalf("a text is %q", body)
			}
		}
		// The counts are of two topics with little noise, and the first word of a text is of its topic.
		if float64(own) < 0.8*float64(len(rows)) || same > len(rows)/2 {
			t.Errorf("of %d texts %d begin with a word of their topic, and %d are public texts", len(rows), own, same)
		}
		// Only what is said of the texts differs.
		if public.Written == nil || plain.Written != nil || public.Written.Model != m.Digest() || public.RecordsNoisy != plain.RecordsNoisy || public.Claim != plain.Claim {
			t.Errorf("the statement is %+v", public)
		}
	}
}

func TestWrittenTextsAreStated(t *testing.T) {
	s, _ := written(t, Options{Model: modelOf(t, true)}, false)
	s.Randomness = secure
	s.NotProtected = s.open()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadStatement(data)
	if err == nil {
		err = read.Verify()
	}
	if err != nil || !strings.Contains(strings.Join(read.NotProtected, "\n"), "they may be false") {
		t.Fatalf("%v: %q", err, read.NotProtected)
	}
	for name, change := range map[string]func(*Statement){
		"public texts": func(s *Statement) { s.Written = nil },
		"no digest":    func(s *Statement) { s.Written.Model = "x" },
		"no order":     func(s *Statement) { s.Written.Order = 1 },
	} {
		s, err := ReadStatement(data)
		if err != nil {
			t.Fatal(err)
		}
		if change(s); s.Verify() == nil {
			t.Errorf("%s: the statement passes", name)
		}
	}
}

// The claim takes the model as public.
func TestModelMustBeDeclaredPublic(t *testing.T) {
	if _, err := New(t.Context(), Options{Corpus: publicCorpus(t, 0), Epsilon: 1, Model: modelOf(t, false)}); err == nil || !strings.Contains(err.Error(), "declared public") {
		t.Errorf("a model that nobody declared public: %v", err)
	}
}

// No text that a model writes is longer than the bounds of its plan.
func TestWritingBoundsTheTexts(t *testing.T) {
	p := planOf(t, Options{Epsilon: 8, Model: modelOf(t, true)})
	bounds, err := p.Writing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, rows := written(t, Options{Model: modelOf(t, true)}, true)
	longest, words := 0, 0
	for _, row := range rows {
		_, body, _ := strings.Cut(row, " ")
		quoted, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(body)) > bounds.Bytes || int64(len(quoted)) > bounds.Quoted {
			t.Fatalf("a text of %d bytes, %d as JSON: the bounds are %+v", len(body), len(quoted), bounds)
		}
		longest, words = max(longest, len(body)), max(words, len(strings.Fields(body)))
	}
	if longest == 0 || bounds.Bytes > int64(20*longest) || bounds.Steps < int64(words) {
		t.Errorf("texts have at most %d bytes and %d words: the bounds are %+v", longest, words, bounds)
	}
	if quoted, err := json.Marshal("a\"\\<\x01é\u2028"); err != nil || len(quoted) > 2+quotedLength("a\"\\<\x01é\u2028") {
		t.Errorf("a word of %d bytes as JSON has a bound of %d (%v)", len(quoted), quotedLength("a\"\\<\x01é\u2028"), err)
	}
	if none, err := planOf(t, Options{Epsilon: 8}).Writing(t.Context()); none != (Writing{}) || err != nil {
		t.Errorf("without a model: %+v (%v)", none, err)
	}
}
