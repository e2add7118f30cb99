package detect

import (
	"unicode"
	"unicode/utf8"
)

// read appends a part of a text as the patterns read it. Word processors and the web write
// numbers with spaces and hyphens that do not break, keyboards of other scripts with other
// digits, and some programs letters apart from their accents: a shape is the same in all of
// them. Each character is one character of the layout, or is left out of it.
func (l *layout) read(part []byte) {
	for at := 0; at < len(part); {
		if part[at] < utf8.RuneSelf {
			l.text = append(l.text, part[at])
			at++
			continue
		}
		r, n := utf8.DecodeRune(part[at:])
		switch as := readAs(r); {
		case as == leftOut:
			l.gone = append(l.gone, len(l.text))
		case as != r:
			l.text = utf8.AppendRune(l.text, as)
		default: // also what is no character
			l.text = append(l.text, part[at:at+n]...)
		}
		at += n
	}
}

// leftOut is what a character without a width of its own is read as.
const leftOut = -1

// readAs returns the character that the patterns read in place of another.
func readAs(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return r - 0xFF01 + '!'
	case r == 0x2010 || r == 0x2011 || r == 0x2212: // hyphen, the one that does not break, minus
		return '-'
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r) || unicode.Is(unicode.Cf, r):
		return leftOut // an accent of the letter before, a soft hyphen, a mark of direction
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

// readsAsIs reports whether the patterns read a text as it is.
func readsAsIs(of []byte) bool {
	for _, b := range of {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
