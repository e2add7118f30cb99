package tokenize

import (
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
	"pgregory.net/rapid"
)

// checkBoundaries cuts a text as Tokenize does, and compares each token with Unicode's.
func checkBoundaries(t interface{ Fatalf(string, ...any) }, tokenizer *Tokenizer, text []byte) {
	want := words.FromBytes(text)
	for at := 0; at < len(text); {
		if next := skipSpaces(text, at); next > at {
			for want.End() < next && want.Next() {
				if !isSpace(want.Value()) {
					t.Fatalf("%q is skipped in %q", want.Value(), text)
				}
			}
			if at = next; want.End() != at {
				t.Fatalf("what is skipped ends at %d in %q, within a token that ends at %d", at, text, want.End())
			}
			continue
		}
		end := tokenizer.end(text, at)
		if want.Next(); want.Start() != at || want.End() != end {
			t.Fatalf("a token of %q is from %d to %d, want %d to %d", text, at, end, want.Start(), want.End())
		}
		at = end
	}
	if want.Next() {
		t.Fatalf("%q is left of %q", want.Value(), text)
	}
}

// Each rule looks at most at three characters before and after a boundary that plainEnd
// decides: all texts of one to four characters, one for each class of characters and each
// exception, are tried.
func TestPlainTokensEndAtUnicodesBoundaries(t *testing.T) {
	alphabet := []string{"a", "Z", "0", "_", "'", ".", ",", ":", ";", "\"", "-", "<", " ", "\n", "\r", "\t", "\x00", "\x7f", "é", "\u0301", "\u200d", "\u3000", "א", "ア", "\xff"}
	tokenizer := NewTokenizer(english)
	var try func(text string, left int)
	try = func(text string, left int) {
		checkBoundaries(t, tokenizer, []byte(text))
		if left > 0 {
			for _, s := range alphabet {
				try(text+s, left-1)
			}
		}
	}
	try("", 4)
}

// No ASCII character has a rule that its class does not show.
func TestASCIIClassesFollowUnicode(t *testing.T) {
	tokenizer := NewTokenizer(english)
	for a := range byte(0x80) {
		for b := range byte(0x80) {
			for _, text := range [][]byte{{a, b}, {'a', a, b, 'a'}, {'0', a, b, '0'}, {' ', a, b, ' '}} {
				checkBoundaries(t, tokenizer, text)
			}
		}
	}
}

func TestPlainTokensEndAtUnicodesBoundariesInTexts(t *testing.T) {
	tokenizer := NewTokenizer(english)
	rapid.Check(t, func(t *rapid.T) { checkBoundaries(t, tokenizer, []byte(drawText(t))) })
}

// scan cuts as Unicode does, whatever precedes and follows a token.
func TestScannedTokensEndAtUnicodesBoundaries(t *testing.T) {
	tokenizer := NewTokenizer(english)
	pieces := []string{"a", "Z", "food", "International", "abcdefgh", "abcdefghijkl", "abcdefghijklm", " ", "  ", "0", "_", "'", ".", ",", ":", ";", "\"", "-", "<", "@", "[", "`", "{", "~", "\n", "\r", "\t", "\x00", "\x7f", "é", "\u0301", "\u200d", "\u3000", "א", "ア", "\xff"}
	check := func(t interface{ Fatalf(string, ...any) }, text []byte) {
		want := words.FromBytes(text)
		tokenizer.waiting = 0
		end := tokenizer.scan(text, 0)
		at := 0
		for _, k := range tokenizer.tokens[:tokenizer.waiting] {
			for want.Next() && isSpace(want.Value()) {
			}
			token := string(k.append(nil))
			if want.End() > end || token != string(want.Value()) {
				t.Fatalf("a token of %q is %q up to %d, want %q", text, token, end, want.Value())
			}
			at = want.End()
		}
		if at < end && (end != at+1 || text[at] != ' ') {
			t.Fatalf("%q is left out of %q", text[at:end], text)
		}
	}
	for _, before := range pieces {
		for _, token := range pieces {
			for _, after := range pieces {
				for _, last := range pieces {
					check(t, []byte(before+token+after+last+" and what follows is long"))
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 90).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))))
	})
	tokenizer.waiting = 0
	text := []byte(strings.Repeat("some food, ", 40))
	if end := tokenizer.scan(text, 0); tokenizer.waiting != len(tokenizer.tokens) || end < 3*waitingTokens {
		t.Errorf("scan found %d tokens of plain text up to %d", tokenizer.waiting, end)
	}
}

// What a tokenizer and its clones remember of earlier texts changes nothing, whatever the
// table spells with capitals.
func TestTokenizersReadAsNewOnesDo(t *testing.T) {
	capitals, err := embedding.New(embedding.Source{Words: []string{"the", "Foo", "an", "bar", "Bar", "<unk>"}, Dim: 1, Vectors: []float32{1, 2, 3, 4, 5, 6}})
	if err != nil {
		t.Fatal(err)
	}
	between := []string{" ", "", "  ", ", "}
	pieces := strings.Fields("a A the The THE it 's It's don't can't U.S. U.S.A. 3.14 1,000 two-way e-mail x y. z, no: 5:30 a.b a. <unk> <num> < > -- ... .. ! ?! zzzqq cannot gonna _ a_b 1st & $5 \" ( ) café naïve foo Foo FOO bar Bar")
	for _, v := range []Vocabulary{english, capitals} {
		used := NewTokenizer(v)
		check := func(t *rapid.T, input string) {
			want, unknown := NewTokenizer(v).Tokenize(nil, []byte(input))
			for _, used := range []*Tokenizer{used, used.Clone()} {
				if got, n := used.Tokenize(nil, []byte(input)); !slices.Equal(got, want) || n != unknown {
					t.Errorf("%q has the entries %v, want %v", input, got, want)
				}
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			check(t, strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "words"), rapid.SampledFrom(between).Draw(t, "between")))
		})
		rapid.Check(t, func(t *rapid.T) {
			check(t, rapid.StringOf(rapid.RuneFrom([]rune("abSz .,;:!?'-_<>09&é\n"))).Draw(t, "text"))
		})
	}
}
