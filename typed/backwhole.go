package typed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding/segment"
)

// entire reports whether a surrogate at a place of a text is all of what is written there: not
// a part of a longer word, number or address. A sign or unit beside a number leaves it the
// same number.
func entire(text string, at int, surrogate string) bool {
	to := at + len(surrogate)
	begin, _ := utf8.DecodeRuneInString(surrogate)
	end, _ := utf8.DecodeLastRuneInString(surrogate)
	last, n := utf8.DecodeLastRuneInString(text[:at])
	left := text[:at-n]
	next, n := utf8.DecodeRuneInString(text[to:])
	right := text[to+n:]
	if oneWord(last, begin) || oneWord(end, next) {
		return false
	}
	if strings.Contains(surrogate, "@") || strings.Contains(surrogate, "://") {
		older, _ := utf8.DecodeLastRuneInString(left)
		later, _ := utf8.DecodeRuneInString(right)
		return !(strings.ContainsRune("._-+", last) && inWord(older)) && !(strings.ContainsRune("._-+/?#&=%~:@", next) && inWord(later))
	}
	return !lengthens(surrogate, left, last, text[at:]) && !lengthens(surrogate, text[:to], next, right)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// oneWord reports whether two characters side by side are of one word. In scripts without
// spaces a number, or a name in other letters, begins and ends beside any letter.
func oneWord(a, b rune) bool {
	return inWord(a) && inWord(b) && segment.Unspaced(a) == segment.Unspaced(b)
}

// lengthens reports whether a separator between digits makes a surrogate on one side of it a
// part of something longer.
func lengthens(surrogate, left string, separator rune, right string) bool {
	before := len(left) - len(strings.TrimRightFunc(left, unicode.IsDigit))
	after := len(right) - len(strings.TrimLeftFunc(right, unicode.IsDigit))
	if before == 0 || after == 0 {
		return false
	}
	number := !strings.ContainsAny(surrogate, ":-/") // not a date, a time or an identifier
	switch separator {
	case '.', '．':
		return true
	case ',', '，', '\'', '’', '_', '٬', '٫', '\u00a0', '\u2007', '\u2009', '\u202f':
		return number
	case ' ':
		return number && before <= 3 && after == 3
	case '-', '‐', '‑':
		return !strings.Contains(surrogate, ":") // between times it means until
	}
	return strings.ContainsRune(":/", separator) && strings.ContainsRune(surrogate, separator)
}
