package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpora/internal/grammar"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// least are the numbers that each field must have: of frames, of different beginnings of two
// words, and of texts.
const leastFrames, leastHeads, leastTexts = 300, 500, 12_000

// mostUnknown bounds the share of words that the English table lacks. Notes of wards are
// full of abbreviations and drugs, for which LSA makes up.
var mostUnknown = map[string]float64{"clinical": .13}

const mostUnknownElse = .035

// Each field is broad: many frames and beginnings, texts of 1 to 60 words of which a
// quarter is short and a quarter long, next to no near duplicates, and words that the
// table has.
func TestFieldsAreBroad(t *testing.T) {
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	tokens := tokenize.NewTokenizer(table)
	for _, b := range corpus.Builtins() {
		if b.Name == corpus.EnglishName {
			continue
		}
		g, err := grammar.Read(os.DirFS(folder), b.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		_, frames, lists, lines := g.Counts()
		texts, err := b.Samples(b.Texts)
		if err != nil || len(texts) != b.Texts || len(texts) < leastTexts {
			t.Fatalf("%s: %d texts of %d, %v", b.Name, len(texts), b.Texts, err)
		}
		var lengths []int
		var ids []embedding.ID
		heads, words, unknown := map[string]bool{}, 0, 0
		for _, text := range texts {
			all := strings.Fields(text)
			lengths = append(lengths, len(all))
			heads[strings.ToLower(strings.Join(all[:min(2, len(all))], " "))] = true
			var n int
			ids, n = tokens.Tokenize(ids[:0], []byte(text))
			words, unknown = words+len(ids), unknown+n
		}
		slices.Sort(lengths)
		at := func(q float64) int { return lengths[int(q*float64(len(lengths)-1))] }
		lacking := float64(unknown) / float64(words)
		t.Logf("%s: %d frames, %d lists of %d lines, %d beginnings, words %d %d %d %d %d, unknown %.4f",
			b.Name, frames, lists, lines, len(heads), at(0), at(.25), at(.5), at(.75), at(1), lacking)
		if frames < leastFrames || len(heads) < leastHeads {
			t.Errorf("%s: %d frames and %d beginnings, want %d and %d", b.Name, frames, len(heads), leastFrames, leastHeads)
		}
		if at(0) < 1 || at(1) > grammar.MostWords || at(.25) > 14 || at(.75) < 12 {
			t.Errorf("%s: texts of %d to %d words, a quarter of at most %d, a quarter of at least %d", b.Name, at(0), at(1), at(.25), at(.75))
		}
		most, ok := mostUnknown[b.Name]
		if !ok {
			most = mostUnknownElse
		}
		if b.Language == "en" && lacking > most {
			t.Errorf("%s: the table lacks %.4f of the words", b.Name, lacking)
		}
	}
}

// Shipped texts are unlike each other. The search that chose them misses very few pairs.
func TestFieldsHaveNoNearDuplicates(t *testing.T) {
	stage.Needs(t, stage.Figures)
	for _, b := range corpus.Builtins() {
		texts, err := b.Samples(b.Texts)
		if err != nil {
			t.Fatal(err)
		}
		alike, d := 0, corpus.NewDistinct(corpus.DefaultSimilar)
		for _, text := range texts {
			if !d.Add([]byte(text)) {
				alike++
			}
		}
		t.Logf("%s: %d near duplicates", b.Name, alike)
		if alike > len(texts)/1000 {
			t.Errorf("%s: %d of %d texts are near duplicates", b.Name, alike, len(texts))
		}
	}
}
