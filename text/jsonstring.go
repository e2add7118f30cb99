package text

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// stringAtOnce is about how much of a string is read or written at a time: package json
// needs several times the memory of what it is given.
const stringAtOnce = 64 << 10

// unescapeJSON returns the text of a valid JSON string without its quotes. It is raw
// itself if there is nothing to unescape.
func unescapeJSON(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[:len(raw):len(raw)] // it is part of the input, which appending must not change
	}
	text := make([]byte, 0, len(raw))
	var quoted []byte
	for len(raw) > 0 {
		n := escapedPart(raw)
		quoted = append(append(append(quoted[:0], '"'), raw[:n]...), '"')
		var part string
		_ = json.Unmarshal(quoted, &part) // valid: the document was checked
		text, raw = append(text, part...), raw[n:]
	}
	return text
}

// escapedPart returns the length of a part of a string that can be read by itself. It
// ends before an ASCII character that is not escaped, and so neither within an escape or
// an encoded character nor between the halves of a surrogate pair.
func escapedPart(raw []byte) int {
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '\\' && raw[i+1] == 'u':
			i += len(`\u0000`)
		case c == '\\':
			i += 2
		case c < utf8.RuneSelf && i >= stringAtOnce:
			return i
		default:
			i++
		}
	}
	return len(raw)
}

// quoteJSON returns a text as a JSON string.
func quoteJSON(text []byte) []byte { return appendJSON(nil, text) }

// appendJSON appends a text as a JSON string.
func appendJSON(dst, text []byte) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	dst = append(dst, '"')
	for len(text) > 0 {
		n := min(stringAtOnce, len(text))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		buf.Reset()
		if err := e.Encode(string(text[:n])); err != nil {
			panic(err) // a string always encodes
		}
		part := buf.Bytes()
		dst, text = append(dst, part[1:len(part)-len("\"\n")]...), text[n:]
	}
	return append(dst, '"')
}
