package tokenize

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"pgregory.net/rapid"
)

// cutWords are entries that Tokenize cuts or reads as others, alone or joined to others.
var cutWords = strings.Fields(`so-called u.s. n't don't it's etc. mr. x.com /x.com http: http:/ ://x a@b Don I A — … ... -- “ 's ' " ( (the the) so called u s mr
	well-known-dog 12 1990s 3.5 caf é É e` + "\u0301" + ` #1 < > <br> & &amp; zzz. :) .. !! $5 don@ @ www. www.x .x 人 人人 日本 the` + "\u00a0" + `dog`)

var shortened = regexp.MustCompile(`['’‘ʼ]\s*[sS]`)

func idsOf(n int) *rapid.Generator[[]embedding.ID] {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(0, n-1), func(i int) embedding.ID { return embedding.ID(i) }), 0, 10)
}

// Whatever entries a table has, a release is read as what was written. In one without
// entries that Tokenize cuts, 's after it and like words is read as is.
func TestReleasesAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := append(wordList{"<unk>", "so-called"}[:rapid.IntRange(1, 2).Draw(t, "entries that are cut")], english[1:]...)
		list = append(list, rapid.SliceOfN(rapid.SampledFrom(cutWords), 0, 3).Draw(t, "words")...)
		list = append(list, rapid.SliceOfN(rapid.StringMatching(`[a-zA-Z'.,/:@é\-]{1,6}`), 0, 3).Draw(t, "random words")...)
		slices.Sort(list[1:])
		list = slices.Compact(list)
		unknown := rapid.SampledFrom([]string{"", "zzz"}).Draw(t, "unknown")
		writer, reader := NewTokenizer(list), NewReleaseReader(list, unknown)
		writer.WriteUnknown(unknown)
		for range 8 {
			ids := idsOf(len(list)).Draw(t, "ids")
			for _, written := range []string{string(writer.Detokenize(nil, ids)), string(writer.DetokenizeInside(nil, ids)), strings.Join(writer.Pieces(ids), "")} {
				if got := reader.Read(nil, []byte(written)); !slices.Equal(got, ids) {
					t.Fatalf("%q is written as %q and read as %q", spell(list, ids), written, spell(list, got))
				}
				if whole := string(writer.Detokenize(nil, ids)); reader.Wrote(ids, []byte(written)) != (written == whole) {
					t.Fatalf("%q is spelled %q, and %q is said to be it or not", spell(list, ids), whole, written)
				}
			}
			if got := string(writer.Detokenize([]byte("x"), ids)); got != "x"+strings.Join(writer.Pieces(ids), "") {
				t.Fatalf("the text is %q, the pieces are %q", got, writer.Pieces(ids))
			}
		}
	})
}

func TestCutEntriesAreWrittenApart(t *testing.T) {
	list := append(slices.Clone(english), "so-called", "so", "called", "u.s.", "etc", "etc.", "n't", "http:", "/x.com", "Don", "don", "eBay")
	for _, c := range []struct{ entries, want string }{
		{"so-called dog .", "so-called Dog."},
		{"( the so-called dog , u.s. . )", "(The so-called dog, u.s..)"},
		{"so - called dog so - called", "So-called dog so - called"},
		{"the dog etc .", "The dog etc ."},
		{"dog etc. .", "Dog etc.."},
		{"http: / /x.com", "http: / /x.com"},
		{"do n't", "Do n't"},
		{"Don don", "Don don"},
		{"don Don", "don Don"},
		{"it 's", "it 's"},
		{"eBay", "eBay"},
	} {
		var ids []embedding.ID
		for _, w := range strings.Fields(c.entries) {
			id, _ := list.Lookup(w)
			ids = append(ids, id)
		}
		got := string(NewTokenizer(list).Detokenize(nil, ids))
		if got != c.want {
			t.Errorf("%q is written as %q, want %q", c.entries, got, c.want)
		}
		if again := NewReleaseReader(list, "").Read(nil, []byte(got)); !slices.Equal(again, ids) {
			t.Errorf("%q is read as %q", got, spell(list, again))
		}
	}
}

// Any text is read, and as Tokenize reads it where the vocabulary has no entry that it cuts.
func TestReleaseReaderReadsAnyText(t *testing.T) {
	reader, cutting := NewReleaseReader(english[:12], ""), NewReleaseReader(append(slices.Clone(english), "so-called"), "")
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(drawText(t))
		if shortened.Match(text) {
			return // not of a release
		}
		want, _ := NewTokenizer(english[:12]).Tokenize(nil, text)
		if got := reader.Read(nil, text); !slices.Equal(got, want) {
			t.Fatalf("%q is read as %v, not %v", text, got, want)
		}
		cutting.Read(nil, text)
	})
}
