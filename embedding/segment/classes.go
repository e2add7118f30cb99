package segment

import (
	"unicode"
	"unicode/utf8"
)

// unspaced are the scripts that do not separate words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// Unspaced reports whether a letter belongs to a script that does not separate words.
func Unspaced(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	switch r {
	case 0x3006, 0x303c, 0x30fc, 0xff70, 0xff9e, 0xff9f: // shared by the scripts of Japanese
		return true
	}
	return unicode.IsLetter(r) && unicode.In(r, unspaced...)
}

// Katakana reports whether UAX 29 joins a character with others like it.
func Katakana(r rune) bool {
	switch {
	case r >= 0x3031 && r <= 0x3035, r == 0x309b, r == 0x309c, r == 0x30a0, r == 0x30fc, r == 0xff70, r == 0xff9e, r == 0xff9f:
		return true
	}
	return unicode.Is(unicode.Katakana, r)
}

// Separator is written between two pieces that would otherwise be cut in another place. It
// has no width.
const Separator = '\u200b'

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// separates reports whether a character is between words and part of none.
func separates(r rune) bool {
	return r == ' ' || r == Separator || unicode.IsSpace(r) || unicode.IsControl(r)
}

// vanishes reports whether a character is invisible and no part of a spelling: marks of
// direction, soft hyphens.
func vanishes(r rune) bool {
	return r >= 0x80 && r != joiner && r != nonJoiner && unicode.Is(unicode.Cf, r)
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return r != 'ʼ' && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// inside reports whether a sign between two characters is part of their word.
func inside(before, sign, after rune) bool {
	switch sign {
	case '.', ',', '٫', '٬':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '·', '׳', '״', joiner, nonJoiner:
		return isLetter(after)
	}
	return false
}

// Apostrophe is the character that replaces every apostrophe and single quote.
const Apostrophe = '\''

// plain returns the sign that one is read as.
func plain(r rune) rune {
	switch r {
	case '’', '‘', 'ʼ', '＇':
		return Apostrophe
	case '“', '”', '„', '‟', '«', '»', '＂':
		return '"'
	case '–', '―':
		return '—'
	case '‐', '‑', '−':
		return '-'
	}
	return r
}

// ends reports whether a sign ends a sentence.
func ends(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？', '؟', '۔', '।', '॥':
		return true
	}
	return false
}
