package detect

import (
	"unicode/utf8"

	"github.com/sotto-dp/sotto/typed"
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
		switch as := typed.ReadAs(r); {
		case as < 0:
			l.gone = append(l.gone, len(l.text))
		case as != r:
			l.text = utf8.AppendRune(l.text, as)
		default: // also what is no character
			l.text = append(l.text, part[at:at+n]...)
		}
		at += n
	}
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
