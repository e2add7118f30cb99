package attack

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Read tokenises a text. Capitals are known if the tokens of the text are the tokens of its
// parts between white space.
func Read(t *tokenize.Tokenizer, content []byte) Text {
	words, _ := t.Tokenize(nil, content)
	read := Text{Words: words}
	var parts []embedding.ID
	var capitals []bool
	begins := true // a sentence
	for _, part := range bytes.Fields(content) {
		ids, _ := t.Tokenize(nil, part)
		first, _ := utf8.DecodeRune(part)
		for i := range ids {
			capitals = append(capitals, i == 0 && !begins && unicode.IsUpper(first))
		}
		parts = append(parts, ids...)
		begins = bytes.ContainsAny(part[len(part)-1:], ".!?:")
	}
	if slices.Equal(parts, words) {
		read.Capitalised = capitals
	}
	return read
}
