package detect

import (
	"unicode"
	"unicode/utf8"
)

// starts returns where a match may begin: not within a word or a longer number.
func starts(of []byte) (all []int) {
	before, older := ' ', ' '
	for at := 0; at < len(of); {
		r, n := rune(of[at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(of[at:])
		}
		within := (inside(r) || r == ':') && inside(before) && !unspaced(before) || unicode.IsDigit(r) && before == '.' && older >= '0' && older <= '9'
		if r != ' ' && !within {
			all = append(all, at)
		}
		before, older = r, before
		at += n
	}
	return all
}

// inNumber reports whether a digit is after a hyphen with a digit before it.
func inNumber(of []byte, from int) bool {
	isDigit := func(at int) bool { return at >= 0 && of[at] >= '0' && of[at] <= '9' }
	return isDigit(from) && from > 0 && of[from-1] == '-' && isDigit(from-2)
}

// beginsLine reports whether only spaces are before a place in its line.
func beginsLine(of []byte, from int) bool {
	for from > 0 && (of[from-1] == ' ' || of[from-1] == '\t') {
		from--
	}
	return from == 0 || of[from-1] == '\n' || of[from-1] == '\r'
}

// ends reports whether a match may end there.
func ends(of []byte, to int, ranges bool) bool {
	last, _ := utf8.DecodeLastRune(of[:to])
	after, _ := utf8.DecodeRune(of[to:])
	switch {
	case to < len(of) && inside(after) && inside(last) && !unspaced(after):
		return false
	case unicode.IsDigit(last) && to+1 < len(of) && (after == '.' || after == '-' && !ranges) && of[to+1] >= '0' && of[to+1] <= '9':
		return false // part of a longer number
	}
	return true
}

func inside(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// unspaced reports whether a letter is of a script without spaces between words: a number
// begins and ends beside it.
func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
