package tokenize

import (
	"encoding/binary"
	"math/bits"
)

// class is what Unicode's rules for word boundaries make of an ASCII character.
type class uint8

const (
	letter class = 1 << iota
	digit
	underscore
	middle // between letters or digits it may be no boundary
	sign   // a word by itself
	other  // a control character, or not ASCII
)

var classes = func() (c [256]class) {
	for i := range c {
		switch b := byte(i); {
		case 'a' <= b|0x20 && b|0x20 <= 'z':
			c[i] = letter
		case '0' <= b && b <= '9':
			c[i] = digit
		case b == '_':
			c[i] = underscore
		case b == '\'' || b == '.' || b == ':' || b == ',' || b == ';':
			c[i] = middle
		case ' ' <= b && b < 0x7f:
			c[i] = sign
		default:
			c[i] = other
		}
	}
	return c
}()

// plainEnd returns where the token that begins at at ends if it and what follows are
// plain ASCII, which decides the boundary, and 0 otherwise. A space is no plain token.
func plainEnd(text []byte, at int) int {
	const joined = letter | digit | underscore
	i := at
	for {
		for i < len(text) && classes[text[i]]&joined != 0 {
			i++
		}
		if i == len(text) {
			return i
		}
		if i == at {
			break
		}
		c := text[i]
		if classes[c] != middle {
			break
		}
		if i+1 == len(text) {
			return i
		}
		switch next := classes[text[i+1]]; {
		case c == '\'' && next == letter && classes[text[i-1]] == letter:
			i += 2
			continue
		case next&(letter|digit|other) != 0:
			return 0
		}
		return i
	}
	if i > at {
		if text[i] >= 0x80 {
			return 0
		}
		return i
	}
	if classes[text[at]]&(sign|middle) == 0 || text[at] == ' ' || at+1 < len(text) && text[at+1] >= 0x80 {
		return 0
	}
	return at + 1
}

// skipSpaces returns where the spaces and line feeds at at end that are tokens of their
// own: not if a character follows that could join a space.
func skipSpaces(text []byte, at int) int {
	for at < len(text) && text[at] == '\n' {
		at++
	}
	end := at
	for end < len(text) && text[end] == ' ' {
		end++
	}
	if end > at && end < len(text) && text[end] >= 0x80 {
		return at
	}
	return end
}

// ascii reports whether a token has ASCII characters only.
func ascii(token []byte) bool {
	for _, c := range token {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// scanned is the number of bytes at and after a token that scan may read.
const scanned = 18

// The same byte eight times.
const (
	each1    = 0x0101010101010101
	highBits = 0x80 * each1
)

// notLetters returns the highest bit of each byte that is no ASCII letter.
func notLetters(bytes uint64) uint64 {
	low := (bytes | 0x20*each1) &^ highBits // a letter is now small
	least, above := low+(0x80-'a')*each1, low+(0x7f-'z')*each1
	return (^(least &^ above) | bytes) & highBits
}

// scan adds tokens that begin at at to those that wait, each after at most one space, and
// returns where the first one begins that takes other rules: it adds words of ASCII letters
// and single signs, as far as what follows cannot change where they end. See [plainEnd].
func (t *Tokenizer) scan(text []byte, at int) int {
	n := t.waiting
	for n < len(t.tokens) && at+scanned <= len(text) {
		here := text[at : at+scanned : at+scanned]
		if here[0] == ' ' {
			if here[1] == ' ' || here[1] >= 0x80 {
				break
			}
			here = here[1:]
			at++
		}
		low, size := binary.LittleEndian.Uint64(here), 0
		high := uint64(0)
		if ends := notLetters(low); ends != 0 {
			size = bits.TrailingZeros64(ends) / 8
			if size == 0 {
				c := here[0]
				if classes[c]&(sign|middle) == 0 || c == '<' || c == '\'' || c == ' ' || here[1] >= 0x80 {
					break
				}
				t.tokens[n] = key{uint64(c), 0}
				n++
				at++
				continue
			}
			low &= 1<<(8*size&63) - 1
		} else {
			high = binary.LittleEndian.Uint64(here[8:])
			size = bits.TrailingZeros64(notLetters(high)) / 8
			if size > shortToken-8 {
				break
			}
			high &= 1<<(8*size&63) - 1
			size += 8
		}
		switch c := here[size]; classes[c] {
		case sign:
		case middle:
			if classes[here[size+1]]&(letter|digit|other) != 0 {
				t.waiting = n
				return at
			}
		case other:
			if c >= 0x80 {
				t.waiting = n
				return at
			}
		default:
			t.waiting = n
			return at
		}
		t.tokens[n] = key{low, uint32(high)}
		n++
		at += size
	}
	t.waiting = n
	return at
}

// end returns where the token that begins at at ends: Unicode's next word boundary.
func (t *Tokenizer) end(text []byte, at int) int {
	if end := plainEnd(text, at); end > 0 {
		return end
	}
	t.boundaries.SetText(text[at:])
	t.boundaries.Next()
	return at + t.boundaries.End()
}
