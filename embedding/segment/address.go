package segment

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Addresses finds the addresses of a text from left to right. An address is a URL or an
// e-mail address, and one word of the text.
//
// An address has a mark: "://", "@", or the full stop after "www", in any case. A letter or
// digit is on both sides of a mark; "://" may also be before a slash, and "@" after an
// underscore.
//
//   - Before the mark an address has letters, digits, the characters . _ % + - and the
//     apostrophe. It begins with a letter or digit.
//   - After the mark it ends at white space, at a quote, at one of < > [ ] { } \ ^ | ` and
//     at punctuation or symbols outside ASCII. A matching pair of parentheses is part of
//     it, an unmatched one is not.
//   - At its end the characters . , ; : ! ? * % ' and a possessive 's are not part of it.
//
// Letters and digits may be of any script, except scripts that do not separate words: an
// address ends there. The length of an address is not limited. Finding all addresses of a
// text takes time linear in its length.
type Addresses struct {
	text           []byte
	from           int // the end of the last address
	at, colon, dot int // the next @, :// and www. that may be a mark
}

// NewAddresses returns the addresses of a text.
func NewAddresses(text []byte) Addresses {
	a := Addresses{text: text, at: -1, colon: -1, dot: -1}
	a.skip(0)
	return a
}

// Next returns the bounds of the next address. If there is none, both are the length of the
// text.
func (a *Addresses) Next() (start, end int, ok bool) {
	for {
		mark := min(a.at, a.colon, a.dot)
		if mark == len(a.text) {
			return mark, mark, false
		}
		start, rest := a.mark(mark)
		if rest == 0 || start == mark {
			a.skip(mark + 1)
			continue
		}
		end = a.end(rest)
		a.from = end
		a.skip(end)
		return start, end, true
	}
}

// skip finds the next candidates at or after from.
func (a *Addresses) skip(from int) {
	if a.at < from {
		a.at = a.next(from, '@')
	}
	if a.colon < from {
		a.colon = a.next(from, ':')
		for a.colon < len(a.text) && !bytes.HasPrefix(a.text[a.colon:], []byte("://")) {
			a.colon = a.next(a.colon+1, ':')
		}
	}
	if a.dot < from {
		a.dot = a.next(from, '.')
		for a.dot < len(a.text) && (a.dot < a.from+3 || a.text[a.dot-1]|0x20 != 'w' || !bytes.EqualFold(a.text[a.dot-3:a.dot], []byte("www"))) {
			a.dot = a.next(a.dot+1, '.')
		}
	}
}

// next returns where the next of a sign is, and the length of the text if there is none.
func (a *Addresses) next(from int, sign byte) int {
	if i := bytes.IndexByte(a.text[from:], sign); i >= 0 {
		return from + i
	}
	return len(a.text)
}

// mark returns the start of the address with a mark at at, and the end of the mark. rest is
// 0 if there is no mark.
func (a *Addresses) mark(at int) (start, rest int) {
	ok := false
	switch a.text[at] {
	case '@':
		rest = at + 1
		ok = a.letterAt(rest) && a.letterBefore(at, true)
	case ':':
		rest = at + len("://")
		ok = (a.letterAt(rest) || bytes.HasPrefix(a.text[rest:], []byte("/"))) && a.letterBefore(at, false)
	default:
		rest = at + 1
		ok = at-3 >= a.from && a.letterAt(rest) && !a.letterBefore(at-3, true)
	}
	if !ok {
		return 0, 0
	}
	return a.start(at), rest
}

// letterBefore reports whether a letter or digit of an address, or an underscore where that
// counts, is before at.
func (a *Addresses) letterBefore(at int, underscore bool) bool {
	r, _ := utf8.DecodeLastRune(a.text[a.from:at])
	return ofAddress(r) || underscore && r == '_'
}

func (a *Addresses) letterAt(at int) bool {
	r, _ := utf8.DecodeRune(a.text[at:])
	return addressLetter(r)
}

// start returns the start of the address with a mark at mark; mark if there is none.
func (a *Addresses) start(mark int) int {
	start := mark
	for at := mark; at > a.from; {
		r, n := utf8.DecodeLastRune(a.text[a.from:at])
		switch {
		case addressLetter(r):
			start = at - n
		case !ofAddress(r) && (r >= utf8.RuneSelf || bytes.IndexByte([]byte("._%+-'"), byte(r)) < 0):
			return start
		}
		at -= n
	}
	return start
}

// end returns the end of the address with a mark before rest.
func (a *Addresses) end(rest int) int {
	end := a.run(rest)
	for end > rest+1 {
		switch c := a.text[end-1]; {
		case bytes.IndexByte([]byte(".,;:!?*%'"), c) >= 0:
			end--
		case c|0x20 == 's' && a.text[end-2] == '\'' && end > rest+2:
			end -= 2
		default:
			return end
		}
	}
	return end
}

// run returns where the characters from at on end that may be part of an address.
func (a *Addresses) run(at int) int {
	bracket := -1 // that is open
	for at < len(a.text) {
		r, n := utf8.DecodeRune(a.text[at:])
		switch {
		case r < utf8.RuneSelf && !addressSigns[r], r >= utf8.RuneSelf && !ofAddress(r), r == ')' && bracket < 0, r == '(' && bracket >= 0:
			n = 0
		case r == '(':
			bracket = at
		case r == ')':
			bracket = -1
		}
		if at += n; n == 0 {
			break
		}
	}
	if bracket >= 0 {
		return bracket
	}
	return at
}

// addressSigns are the ASCII characters after the mark of an address.
var addressSigns = func() (is [utf8.RuneSelf]bool) {
	for c := '!'; c <= '~'; c++ {
		is[c] = bytes.IndexByte([]byte("\"<>[]\\^`{|}"), byte(c)) < 0
	}
	return is
}()

// addressLetter reports whether a letter or digit may be part of an address.
func addressLetter(r rune) bool { return isLetter(r) && !Unspaced(r) }

// ofAddress is addressLetter for letters with marks and the invisible characters inside
// words.
func ofAddress(r rune) bool {
	return addressLetter(r) || r >= utf8.RuneSelf && r != Separator && r != utf8.RuneError && (unicode.IsMark(r) || unicode.Is(unicode.Cf, r))
}
