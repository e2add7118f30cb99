package tokenize

import (
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"pgregory.net/rapid"
)

// piecewiseTexts are parts of texts that are hard to cut: signs that join, words of several
// entries, addresses, marks, scripts without spaces, emoji, and bytes that are not text.
var piecewiseTexts = append([]string{"don't", "it", " 's", "'s", "’s", "dogs'", "can", "well-known", "1,000", "3.14", "an ", "i", " I ", "...", "--", "\"", "<", "unk", ">", "<num>",
	"\u0301", "\u0308", "\u00ad", "\u200d", "👩‍👩‍👧", "🇩🇪", "🇩", "。", "自由", "人人", "カナ", "ー", "ไทย", "한국", "\u1100", "\u1161", "ﬁ", "\u212b", "\x80", "\xe3\x80", "\x00", "\r\n", "\t", "\u3000", "\u2028"}, addressPieces...)

// piecewiseVocabularies are of all rules, with and without entries that Tokenize cuts.
func piecewiseVocabularies(t *testing.T) []Vocabulary {
	words := []string{"a", "x", "it", "is", "dogs", "'", "'s", "l'", ".", "!", ",", "(", ")", "-", `"`, "%", "。", "人", "由", "カナ", "é"}
	cut := append(slices.Clone(english), "so-called", "u.s.", "a.", "http://x.example/a(b)?c=d,e;f", "é")
	return append(addressed(t), english, cut, newTongue(t, wordsRules, words...), newTongue(t, pieces("人", "人人", "自由", "由", "カナ"), append(words, "人人", "自由")...))
}

// A text is read as the same entries in parts of any length, and written as the same text.
func TestTextsAreReadAndWrittenInPartsAsAtOnce(t *testing.T) {
	for _, v := range piecewiseVocabularies(t) {
		for _, adjust := range []func(*Tokenizer){func(*Tokenizer) {}, (*Tokenizer).CutAddresses, func(t *Tokenizer) { t.WriteUnknown("redacted") }} {
			once, parts := NewTokenizer(v), NewTokenizer(v)
			adjust(once)
			adjust(parts)
			rapid.Check(t, func(t *rapid.T) {
				in := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(piecewiseTexts), 0, 40).Draw(t, "text"), ""))
				want, unknown := once.Tokenize(nil, in)
				r := parts.Read(in)
				r.part = rapid.IntRange(1, 64).Draw(t, "bytes of a part")
				if got := inParts(t, r, len(want)); !slices.Equal(got, want) || r.Unknown() != unknown {
					t.Fatalf("%q is read in parts as %v with %d unknown, at once as %v with %d", in, got, r.Unknown(), want, unknown)
				}
				any := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) embedding.ID { return embedding.ID(rapid.IntRange(0, v.Len()-1).Draw(t, "entry")) }), 0, 40)
				for _, ids := range [][]embedding.ID{want, any.Draw(t, "entries")} {
					if got, want := writtenInParts(t, parts, ids), once.Detokenize(nil, ids); string(got) != string(want) {
						t.Fatalf("%v is written in parts as %q, at once as %q", ids, got, want)
					}
				}
			})
		}
	}
}

// inParts returns the entries of a reading that is to have n of them.
func inParts(t *rapid.T, r *Reading, n int) (ids []embedding.ID) {
	for {
		most := rapid.IntRange(1, 8).Draw(t, "entries of a part")
		before := len(ids)
		ids = r.Next(ids, most)
		if got := len(ids) - before; got != min(most, n-before) {
			t.Fatalf("a part has %d entries, %d were asked for, and %d are left", got, most, n-before)
		}
		if len(ids) == before {
			return ids
		}
	}
}

func writtenInParts(t *rapid.T, tokenizer *Tokenizer, ids []embedding.ID) (text []byte) {
	w := tokenizer.Write()
	for len(ids) > 0 {
		n := rapid.IntRange(0, min(8, len(ids))).Draw(t, "entries written")
		text, ids = w.Append(text, ids[:n]), ids[n:]
	}
	return w.End(text)
}
