package embedding

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding/segment"
)

// twoDimensional returns a table of words and vectors of two components.
func twoDimensional(t *testing.T, words string, counts []int64) *Table {
	t.Helper()
	src := Source{Name: "t", Dim: 2, Words: strings.Fields(words), Counts: counts}
	for i := range src.Words {
		src.Vectors = append(src.Vectors, float32(i), float32(i*i%5))
	}
	table, err := New(src)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestWordsGetRulesOfALanguage(t *testing.T) {
	for _, c := range []struct {
		name     string
		kind     segment.Kind
		language string
		words    string
		want     string
		forms    map[string]string
	}{
		{"German", segment.Words, "de", "der Der Haus haus , </s> E-Mail x.y für l'", "der haus , für l'", map[string]string{"haus": "Haus", "für": "für"}},
		{"decomposed", segment.Words, "de", "fu\u0308r", "für", nil},
		{"Turkish", segment.Words, "tr", "İstanbul ISPARTA iyi", "istanbul ısparta iyi", map[string]string{"istanbul": "İstanbul", "ısparta": "ISPARTA"}},
		{"Chinese by words", segment.Words, "zh", "人 自由 。", "人 。", nil},
		{"Chinese", segment.Pieces, "zh", "的 ， 自由 人 人人 自由人 Git 由a", "的 ， 自由 人 人人 自由人 git", map[string]string{"git": "Git"}},
		{"the entry for unknown words", segment.Words, "fr", "le <unk> la", "le <unk> la", nil},
	} {
		before := twoDimensional(t, c.words, nil)
		after, err := Resegment(before, c.kind, c.language)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.TrimSpace(strings.ReplaceAll(after.words.Text(), "\x00", " ")); got != c.want {
			t.Errorf("%s: the words are %s, want %s", c.name, got, c.want)
		}
		for word, form := range c.forms {
			if got := after.rules.Form(word); got != form {
				t.Errorf("%s: %s is written %s, want %s", c.name, word, got, form)
			}
		}
		if after.rules.Kind() != c.kind || after.rules.Language() != c.language {
			t.Errorf("%s: rules %s of %s", c.name, after.rules.Kind(), after.rules.Language())
		}
		for id := range ID(after.Len()) {
			spelled := after.rules.Form(after.Word(id))
			first, ok := before.Lookup(spelled)
			if c.name == "decomposed" {
				first, ok = 0, true
			}
			if !ok || !slices.Equal(after.Vector(nil, id), before.Vector(nil, first)) {
				t.Errorf("%s: %s has another vector", c.name, spelled)
			}
		}
	}
}

// A piece that costs more than its parts is in no text: a rare word of two frequent ones.
func TestPiecesOfATableAreCheaperThanTheirParts(t *testing.T) {
	list := []string{"人", "权", "人人"}
	for len(list) < 3000 {
		list = append(list, fmt.Sprint("w", len(list)))
	}
	list = append(list, "人权")
	table, err := Resegment(twoDimensional(t, strings.Join(list, " "), nil), segment.Pieces, "zh")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := table.Lookup("人权"); ok || table.rules.Pieces() != 3 {
		t.Errorf("the rare word is kept: %t, and the rules have %d pieces", ok, table.rules.Pieces())
	}
}

func TestCountsOfSpellingsAddUp(t *testing.T) {
	table, err := Resegment(twoDimensional(t, "der Der haus", []int64{9, 4, 2}), segment.Words, "de")
	if err != nil || !slices.Equal(table.Counts(), []int64{13, 2}) {
		t.Errorf("%v, %v", table.Counts(), err)
	}
	if _, err := Resegment(table, segment.Words, "de"); err == nil {
		t.Error("rules of a table are replaced")
	}
	if _, err := Resegment(twoDimensional(t, "a b", nil), segment.English, ""); err == nil {
		t.Error("rules for English have a kind")
	}
	if _, err := Resegment(twoDimensional(t, "ab-c", nil), segment.Words, ""); err == nil {
		t.Error("a table without words is made")
	}
}
