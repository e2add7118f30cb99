package detect

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/text"
	"pgregory.net/rapid"
)

// marked writes a text with its marks of a type in brackets.
func marked(t *testing.T, of, kind string) string {
	t.Helper()
	out, at := "", 0
	runes := []rune(of)
	for _, s := range Patterns([]byte(of)) {
		if s.Type != kind {
			continue
		}
		out += string(runes[at:s.Start]) + "[" + string(runes[s.Start:s.End]) + "]"
		at = s.End
	}
	return out + string(runes[at:])
}

// Each pattern marks its cases, as its type and whatever else is searched for, and not those
// that it must not mark.
func TestPatternsMarkTheirCases(t *testing.T) {
	for _, p := range patterns() {
		if len(p.Match) == 0 || len(p.Not) == 0 || p.Source == "" {
			t.Errorf("%s %s has no cases or no source", p.Type, p.Expression)
		}
		for _, want := range p.Match {
			plain := strings.NewReplacer("[", "", "]", "").Replace(want)
			if got := marked(t, plain, p.Type); got != want {
				t.Errorf("%s: %q, must be %q", p.Type, got, want)
			}
		}
		for _, plain := range p.Not {
			for _, m := range p.compiled.FindAllIndex([]byte(plain), -1) {
				if apart([]byte(plain), m[0], m[1]) && p.check([]byte(plain)[m[0]:m[1]]) {
					t.Errorf("%s marks %q in %q", p.Type, plain[m[0]:m[1]], plain)
				}
			}
		}
	}
}

// Marks fit every text, whatever its bytes are, and each has a type.
func TestMarksFitTheirText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(
			rapid.SampledFrom([]string{"a@b.example", "4242 4242 4242 4242", "2024-03-17", "é", "\xff", " ", "+1 212 555 0147", "192.0.2.1", "www.x.example", "12:30", "$5"}),
			rapid.String())).Draw(t, "parts")
		of := []byte(strings.Join(parts, rapid.SampledFrom([]string{"", " ", ","}).Draw(t, "between")))
		found := Patterns(of)
		if err := text.Spans(found).Check(of); err != nil {
			t.Fatalf("%q: %v", of, err)
		}
		for i, s := range found {
			if s.Type == "" || i > 0 && s.Start < found[i-1].End {
				t.Fatalf("%q: %+v", of, found)
			}
		}
	})
}

func TestPlainTextHasNoMarks(t *testing.T) {
	for _, plain := range []string{"", "Anna Miller lives in Boston.", "He paid 20 for 3 of 12.", "Chapter 4, page 67.", "木村 3"} {
		if found := Patterns([]byte(plain)); len(found) > 0 || !utf8.ValidString(plain) {
			t.Errorf("%q: %+v", plain, found)
		}
	}
}
