package tokenize

import (
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"pgregory.net/rapid"
)

func TestAddressesAreOneUnknownToken(t *testing.T) {
	for _, c := range []struct {
		in, want string
		unknown  int
	}{
		{"the food: https://www.example.com/a?b=1, and bob.smith@example.com's dog.", "the food : <unk> , <unk> <unk> 's dog .", 3},
		{"(www.example.com) example.com www. x @ x", "( <unk> ) example . com <unk> . x <unk> x", 3},
		{"'http://x' it's 3@5", "' <unk> ' it is <unk>", 2},
		{"a@b " + strings.Repeat("a@b", 999), "<unk> <unk>", 2},
	} {
		mustTokenize(t, c.in, c.want, c.unknown)
	}
}

func TestAddressesAreCutOnRequest(t *testing.T) {
	for _, v := range []Vocabulary{english, newTongue(t, wordsRules, "example", ".", "com", "@", "the", "s")} {
		tokenizer := NewTokenizer(v)
		tokenizer.CutAddresses()
		ids, _ := tokenizer.Tokenize(nil, []byte("the example@example.com the"))
		if got := spell(v, ids); strings.Count(got, "example") != 2 || len(ids) != 7 {
			t.Errorf("an address is cut as %q", got)
		}
	}
}

// addressed are vocabularies of all rules, with and without an address that is an entry.
func addressed(t *testing.T) []Vocabulary {
	words := []string{"a", "x", "see", ".", ",", "'", "'s", "(", ")", "/", "-", ":", "@", "%", `"`, "http", "www", "com", "3", "人", "an@entry.example", "www.entry.example"}
	plain := words[:len(words)-2]
	var all []Vocabulary
	for _, list := range [][]string{words, plain} {
		all = append(all, append(wordList{"<unk>", "<num>"}, list...), newTongue(t, wordsRules, list...), newTongue(t, pieces("人"), list...))
	}
	return all
}

var addressPieces = []string{" ", " ", "a", "x", ".", ",", "'", "'s", "(", ")", "/", "-", ":", "@", "%", `"`, "3", "人", "é", "e\u0301", "<unk>", "\u200b", "\u00a0",
	"an@entry.example", "An@Entry.example", "www.entry.example", "b.c@d.example", "http://x.example/a(b)?c=d,e;f", "https://", "www.", "\xff", "\n"}

// An address counts as one token and has no other effect: with <unk> in its place, a
// vocabulary without an entry for it reads the text as the same entries, whatever its rules.
func TestAddressesReadAsTheUnknownWord(t *testing.T) {
	for _, v := range addressed(t)[3:] {
		used := NewTokenizer(v)
		rapid.Check(t, func(t *rapid.T) {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(addressPieces), 0, 12).Draw(t, "pieces"), "")
			if v.Segmentation() != nil {
				text = strings.ReplaceAll(text, "e\u0301", "é") // an address is found in the composed form
			}
			replaced, at := []byte(nil), 0
			for addresses := segment.NewAddresses([]byte(text)); ; {
				start, end, ok := addresses.Next()
				replaced = append(replaced, text[at:start]...)
				if at = end; !ok {
					break
				}
				replaced = append(replaced, "<unk>"...)
			}
			got, n := used.Tokenize(nil, []byte(text))
			want, m := NewTokenizer(v).Tokenize(nil, replaced)
			if !slices.Equal(got, want) || n != m && v.Segmentation() != nil {
				t.Fatalf("%q has the entries %q, with <unk> in place of addresses %q", text, spell(v, got), spell(v, want))
			}
		})
	}
}

// Entries that are addresses are written so that they are read as before, and pieces of
// others are never written as one.
func TestAddressesThatAreEntriesAreReadAgain(t *testing.T) {
	for _, v := range addressed(t) {
		checkStable(t, v, `a - an@entry.example - (www.entry.example) / an@entry.example 's "www.entry.example", an@entry.example %`)
		rapid.Check(t, func(t *rapid.T) {
			checkStable(t, v, strings.Join(rapid.SliceOfN(rapid.SampledFrom(addressPieces), 0, 12).Draw(t, "pieces"), ""))
		})
		if v.Segmentation() == nil {
			continue // entries that Tokenize never gives may be written so that they are read otherwise
		}
		tokenizer := NewTokenizer(v)
		rapid.Check(t, func(t *rapid.T) {
			ids := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, v.Len()-1), func(i int) embedding.ID { return embedding.ID(i) }), 0, 8).Draw(t, "ids")
			if got, _ := tokenizer.Tokenize(nil, tokenizer.Detokenize(nil, ids)); !slices.Equal(got, ids) {
				t.Fatalf("%q is read as %q", spell(v, ids), spell(v, got))
			}
		})
	}
}
