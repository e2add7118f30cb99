package typed

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// entire reports whether a surrogate at a place of a text is all of what is written there: not
// a part of a longer word, number or address. A sign or unit beside a number leaves it the
// same number, and so does a separator with another surrogate beyond it: ended is where the
// last one before this place ended.
func (b *Back) entire(text string, at, ended int, surrogate string, lengthens side) bool {
	to := at + len(surrogate)
	if oneWord(text[:at], text[at:]) && !escaped(text[:at]) || oneWord(text[:to], text[to:]) {
		return false
	}
	last, n := utf8.DecodeLastRuneInString(text[:at])
	if ended != at-n && lengthens(surrogate, text[:at-n], last, text[at:], false) {
		return false
	}
	next, n := utf8.DecodeRuneInString(text[to:])
	return !lengthens(surrogate, text[:to], next, text[to+n:], true) || b.begins(text[to+n:])
}

// begins reports whether a text begins with a surrogate that no letter or digit continues.
func (b *Back) begins(text string) bool {
	return b.longest(text, func(surrogate string) bool { return !oneWord(surrogate, text[len(surrogate):]) }) != ""
}

// oneWord reports whether the two characters where two texts meet are of one word. In scripts
// without spaces a number, or a name in other letters, begins and ends beside any letter, and
// it does beside the particles of Korean.
func oneWord(left, right string) bool {
	a, _ := utf8.DecodeLastRuneInString(left)
	b, _ := utf8.DecodeRuneInString(right)
	return inWord(a) && inWord(b) && unspaced(a) == unspaced(b) && unicode.Is(unicode.Hangul, a) == unicode.Is(unicode.Hangul, b)
}

// unspaced reports whether a letter is of a script that does not separate words, as package
// segment has it: codebooks import nothing.
func unspaced(r rune) bool {
	const shared = "\u3006\u303c\u30fc\uff70\uff9e\uff9f" // by the scripts of Japanese
	return strings.ContainsRune(shared, r) ||
		unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// escaped reports whether a text ends with an escape of JSON, such as \n or \u003c, whose
// letters are of no word.
func escaped(text string) bool {
	n := len(text)
	switch {
	case n >= 2 && text[n-2] == '\\' && strings.IndexByte("bfnrt", text[n-1]) >= 0:
		n -= 2
	case n >= 6 && text[n-6:n-4] == `\u` && strings.Trim(text[n-4:], "0123456789abcdefABCDEF") == "":
		n -= 6
	default:
		return false
	}
	return (n-len(strings.TrimRight(text[:n], `\`)))%2 == 0 // not of an escaped backslash
}

// side reports whether a separator makes a surrogate a part of something longer. Left and right
// are what the text has on both sides of the separator, which is after the surrogate or before it.
type side func(surrogate, left string, separator rune, right string, after bool) bool

// inAnswer is the side of a text that somebody else wrote.
func inAnswer(surrogate, left string, separator rune, right string, after bool) bool {
	url := strings.Contains(surrogate, "://")
	if !url && !strings.Contains(surrogate, "@") {
		return lengthens(surrogate, left, separator, right)
	}
	beyond, _ := utf8.DecodeRuneInString(right)
	switch {
	case !after:
		older, _ := utf8.DecodeLastRuneInString(left)
		return !url && strings.ContainsRune("._-+", separator) && inWord(older)
	case !inWord(beyond):
		return false
	case !url:
		return strings.ContainsRune("._-+@", separator)
	case separator == '&': // a parameter of its own query, not of one that it is in, and no &gt;
		entity := strings.HasPrefix(strings.TrimLeftFunc(right, inWord), ";")
		return !entity && strings.Contains(surrogate, "?")
	}
	return strings.ContainsRune("._-+/?#=%~:@", separator)
}

// inCopy is the side of a copy, where most surrogates are of this program's own writing: only
// digits that make another number of one count.
func inCopy(surrogate, left string, separator rune, right string, _ bool) bool {
	return !strings.Contains(surrogate, "@") && !strings.Contains(surrogate, "://") && !hyphen(separator) && lengthens(surrogate, left, separator, right)
}

func hyphen(r rune) bool { return r == '-' || r == '‐' || r == '‑' }

// lengthens reports whether a separator between digits makes a surrogate on one side of it a
// part of something longer.
func lengthens(surrogate, left string, separator rune, right string) bool {
	before := len(left) - len(strings.TrimRightFunc(left, unicode.IsDigit))
	after := len(right) - len(strings.TrimLeftFunc(right, unicode.IsDigit))
	if before == 0 || after == 0 {
		return false
	}
	switch separator {
	case '.', '．':
		return true
	case ',', '，', '\'', '’', '_', '٬', '٫', '\u00a0', '\u2007', '\u2009', '\u202f':
		return number(surrogate)
	case ' ': // digits are not grouped with commas and then with spaces
		return number(surrogate) && !strings.Contains(surrogate, ",") && before <= 3 && after == 3
	}
	if hyphen(separator) { // between numbers, times and addresses it means until
		return !number(surrogate) && !strings.ContainsAny(surrogate, ":.")
	}
	return strings.ContainsRune(":/", separator) && strings.ContainsRune(surrogate, separator)
}

// number reports whether a surrogate is a number or amount of money, not a date, a time, an
// identifier or an address: one of digits alone may be all of these.
func number(surrogate string) bool {
	digits := strings.TrimFunc(surrogate, func(r rune) bool { return unicode.Is(unicode.Sc, r) || unicode.IsSpace(r) || unicode.IsUpper(r) })
	bare := digits == surrogate && !strings.ContainsAny(digits, ",.'")
	for _, r := range digits {
		if !unicode.IsDigit(r) && !strings.ContainsRune(",.'", r) {
			return false
		}
	}
	return digits != "" && strings.Count(digits, ".") <= 1 && !bare
}
