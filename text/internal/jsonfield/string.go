package jsonfield

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// unescape returns the text of a valid JSON string without its quotes. It is raw
// itself if there is nothing to unescape. Beside the text it takes little memory, which
// package json does not.
func unescape(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[:len(raw):len(raw)] // it is part of the input, which appending must not change
	}
	text := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			n = len(raw)
		}
		text = appendValid(text, raw[:n])
		if raw = raw[n:]; len(raw) > 0 {
			n = escapes(raw)
			text, raw = appendUnescaped(text, raw[:n]), raw[n:]
		}
	}
	return text
}

// stringAtOnce is about how much of a string package json is given at a time: it needs
// several times the memory of that.
const stringAtOnce = 64 << 10

// escapes returns the length of the escapes that raw begins with: one, or several of the
// form \u0000, two of which may be one character.
func escapes(raw []byte) int {
	n := 0
	for bytes.HasPrefix(raw[n:], []byte(`\u`)) {
		first := bytes.ToLower(raw[n+2 : n+4])
		n += len(`\u0000`)
		if n >= stringAtOnce && !(first[0] == 'd' && first[1] >= '8' && first[1] <= 'b') {
			break // not between the halves of a pair
		}
	}
	if n == 0 {
		return len(`\n`)
	}
	return n
}

// appendValid appends a part of a string without escapes.
func appendValid(dst, part []byte) []byte {
	for len(part) > 0 {
		n := min(len(part), 1<<10)
		for n < len(part) && !utf8.RuneStart(part[n]) {
			n++
		}
		if utf8.Valid(part[:n]) {
			dst = append(dst, part[:n]...)
		} else {
			dst = appendUnescaped(dst, part[:n])
		}
		part = part[n:]
	}
	return dst
}

// appendUnescaped appends a part of a string as package json reads it.
func appendUnescaped(dst, part []byte) []byte {
	var quoted [64]byte
	var text string
	_ = json.Unmarshal(append(append(append(quoted[:0], '"'), part...), '"'), &text) // valid: the document was checked
	return append(dst, text...)
}

// Append appends a text as a JSON string.
func Append(dst, text []byte) []byte {
	return append(appendEscaped(append(dst, '"'), text), '"')
}

// appendEscaped appends what is between the quotes of a JSON string.
func appendEscaped(dst, text []byte) []byte {
	from := 0 // text[from:at] is written as it is
	for at := 0; at < len(text); {
		c, n := text[at], 1
		switch {
		case c >= utf8.RuneSelf:
			var r rune
			if r, n = utf8.DecodeRune(text[at:]); n > 1 && r != '\u2028' && r != '\u2029' {
				at += n
				continue
			}
			dst = append(dst, text[from:at]...)
			dst = appendByPackage(dst, text[at:at+n])
		case c == '"' || c == '\\':
			dst = append(append(dst, text[from:at]...), '\\', c)
		case c < ' ':
			dst = append(dst, text[from:at]...)
			dst = appendByPackage(dst, text[at:at+1])
		default:
			at++
			continue
		}
		at += n
		from = at
	}
	return append(dst, text[from:]...)
}

// appendByPackage appends a character as package json escapes it.
func appendByPackage(dst, character []byte) []byte {
	quoted, err := json.Marshal(string(character))
	if err != nil {
		panic(err) // a string always encodes
	}
	return append(dst, quoted[1:len(quoted)-1]...)
}
