package tokenize

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// piecewiseTexts are parts of texts that are hard to cut: signs that join, words of several
// entries, addresses, marks, scripts without spaces, emoji, and bytes that are not text.
var piecewiseTexts = append([]string{"don't", "it", " 's", "'s", "’s", "dogs'", "can", "well-known", "1,000", "3.14", "an ", "i", " I ", "...", "--", "\"", "<", "unk", ">", "<num>",
	"\u0301", "\u0308", "\u00ad", "\u200d", "👩‍👩‍👧", "🇩🇪", "🇩", "。", "自由", "人人", "カナ", "ー", "ไทย", "한국", "\u1100", "\u1161", "ﬁ", "\u212b", "\x80", "\xe3\x80", "\x00", "\r\n", "\t", "\u3000", "\u2028"}, addressPieces...)

// By rules of segmentation a text is cut into the same entries in parts of any length.
func TestTextsAreCutInPartsAsAtOnce(t *testing.T) {
	words := []string{"a", "x", "it", "is", "dogs", "'", "'s", "l'", ".", "!", ",", "(", ")", "-", `"`, "%", "。", "人", "由", "カナ", "é"}
	for _, v := range []Vocabulary{newTongue(t, wordsRules, words...), newTongue(t, pieces("人", "人人", "自由", "由", "カナ"), append(words, "人人", "自由")...)} {
		for _, adjust := range []func(*Tokenizer){func(*Tokenizer) {}, (*Tokenizer).CutAddresses} {
			tokenizer := NewTokenizer(v)
			adjust(tokenizer)
			rapid.Check(t, func(t *rapid.T) {
				in := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(piecewiseTexts), 0, 40).Draw(t, "text"), ""))
				want, missing := tokenizer.segmented.cut(nil, in)
				got, unknown := tokenizer.segmented.cutParts(nil, in, rapid.IntRange(1, 64).Draw(t, "bytes of a part"))
				if !slices.Equal(got, want) || unknown != missing {
					t.Fatalf("%q is read in parts as %v with %d unknown, at once as %v with %d", in, got, unknown, want, missing)
				}
			})
		}
	}
}
