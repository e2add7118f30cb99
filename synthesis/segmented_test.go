package synthesis

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// segmented returns a table with rules, and texts of its words.
func segmented(t testing.TB, d segment.Description, words string, texts ...string) (*corpus.Corpus, *language.Model) {
	t.Helper()
	rules, err := segment.New(d)
	if err != nil {
		t.Fatal(err)
	}
	source := embedding.Source{Name: "t", Words: strings.Fields(words), Dim: 2, Segmentation: rules}
	for i := range source.Words {
		source.Vectors = append(source.Vectors, float32(i), float32(i*i%7))
	}
	table, err := embedding.New(source)
	if err != nil {
		t.Fatal(err)
	}
	b, err := corpus.NewBuilder(corpus.Options{Name: "t", Public: true, Encoder: corpus.SIF, Table: table, Similar: 1})
	if err != nil {
		t.Fatal(err)
	}
	tokens := tokenize.NewTokenizer(table)
	var read [][]embedding.ID
	for _, s := range texts {
		ids, unknown := tokens.Tokenize(nil, []byte(s))
		if unknown > 0 {
			t.Fatalf("%s has unknown words", s)
		}
		read = append(read, ids)
		if err := b.Add([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, err := language.Train(t.Context(), table, func(yield func([]embedding.ID, error) bool) {
		for _, ids := range read {
			if !yield(ids, nil) {
				return
			}
		}
	}, language.Options{Order: 2, Public: true})
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// A model of a language with rules of its own writes as in that language: Chinese without
// spaces, German nouns with capitals. What it writes is read as the words that it chose, and
// is no longer than the bounds of the plan.
func TestModelsWriteByTheRulesOfTheirTable(t *testing.T) {
	pieces := segment.Description{Kind: segment.Pieces}
	for _, p := range []string{"人人", "生而", "自由", "平等", "人", "尊严"} {
		pieces.Pieces = append(pieces.Pieces, segment.Piece{Text: p, Cost: 4096})
	}
	slices.SortFunc(pieces.Pieces, func(a, b segment.Piece) int { return strings.Compare(a.Text, b.Text) })
	german := segment.Description{Kind: segment.Words, Language: "de", Forms: map[string]string{"haus": "Haus", "hof": "Hof"}}
	for _, c := range []struct {
		name  string
		d     segment.Description
		words string
		texts []string
		has   string // some text has it
		never string
	}{
		{"Chinese", pieces, "人人 生而 自由 平等 人 尊严 。 <unk>", []string{"人人生而自由。", "人人平等。", "人人自由生而平等。", "尊严自由。", "人人"}, "人人", " "},
		{"German", german, "das haus und der hof ist alt . <unk>", []string{"Das Haus ist alt.", "Der Hof und das Haus.", "Das Haus und der Hof."}, " Haus", " haus"},
	} {
		corpus, model := segmented(t, c.d, c.words, c.texts...)
		seed := uint64(7)
		p := planOf(t, Options{Corpus: corpus, Model: model, Epsilon: 8, InsecureSeed: &seed})
		bounds, err := p.Writing(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		counts := p.NewCounts()
		for i := range 300 {
			counts.Add(p.Vote([]Record{{Text: []byte(c.texts[i%len(c.texts)])}}))
		}
		r, err := p.Release(counts, nil)
		if err != nil {
			t.Fatal(err)
		}
		tokens, has := tokenize.NewTokenizer(model.Vocabulary()), false
		err = r.Draw(t.Context(), 200, nil, func(row Row) error {
			body := string(row.Text)
			quoted, err := json.Marshal(body)
			if err != nil {
				return err
			}
			ids, unknown := tokens.Tokenize(nil, row.Text)
			switch {
			case strings.Contains(body, c.never):
				t.Errorf("%s: %q", c.name, body)
			case unknown > 0 || string(tokens.Detokenize(nil, ids)) != body:
				t.Errorf("%s: %q is not read as it was written", c.name, body)
			case int64(len(body)) > bounds.Bytes || int64(len(quoted)) > bounds.Quoted:
				t.Errorf("%s: %q is longer than %+v", c.name, body, bounds)
			}
			has = has || strings.Contains(body, c.has)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !has {
			t.Errorf("%s: no text has %q", c.name, c.has)
		}
	}
}
