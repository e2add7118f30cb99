package typed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// read returns a value as its number is read.
func read(value string) string {
	for i := range len(value) {
		if value[i] >= utf8.RuneSelf {
			return strings.Map(ReadAs, norm.NFC.String(value))
		}
	}
	return value
}

// ReadAs returns the character that is read in place of another, so that a number or a date is
// the same in the characters of any writing. It is negative for one that is left out.
func ReadAs(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return r - 0xFF01 + '!'
	case r == 0x2010 || r == 0x2011 || r == 0x2212: // hyphen, the one that does not break, minus
		return '-'
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r) || unicode.Is(unicode.Cf, r):
		return -1 // an accent of the letter before, a soft hyphen, a mark of direction
	case unicode.Is(unicode.Nd, r):
		return digit(r)
	}
	return r
}

// digit returns a decimal digit of any script as one of ASCII: scripts have theirs in order.
func digit(r rune) rune {
	for _, of := range unicode.Nd.R16 {
		if rune(of.Lo) <= r && r <= rune(of.Hi) {
			return '0' + (r-rune(of.Lo))%10
		}
	}
	for _, of := range unicode.Nd.R32 {
		if rune(of.Lo) <= r && r <= rune(of.Hi) {
			return '0' + (r-rune(of.Lo))%10
		}
	}
	return r
}
