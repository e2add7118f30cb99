package typed

import (
	"testing"
	"unicode"

	"github.com/sotto-dp/sotto/embedding/segment"
)

// Where a surrogate ends beside a letter, words of the tokenizer do.
func TestUnspacedLettersAreThoseOfTheTokenizer(t *testing.T) {
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unspaced(r) != segment.Unspaced(r) {
			t.Fatalf("%U: %t, want %t", r, unspaced(r), segment.Unspaced(r))
		}
		if unspaced(r) {
			n++
		}
	}
	if n < 90_000 {
		t.Errorf("%d letters are of scripts without spaces", n)
	}
}
