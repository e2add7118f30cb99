package tokenize

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
