package unit

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

// mark reads the tokens inside the spans of each text, and copies the rest.
func (b *words) mark(t release.Texts) error {
	b.kept, b.spans = make([][][]byte, len(t.Bytes)), make([][]int, len(t.Bytes))
	var inside [][]byte
	for i, one := range t.Bytes {
		kept, parts, err := text.Cut(one, t.Spans[i])
		if err != nil {
			return err
		}
		for _, k := range kept { // the input's memory is not read after the draw
			b.kept[i] = append(b.kept[i], bytes.Clone(k))
		}
		inside = append(inside, parts...)
	}
	b.tokenized = b.unit.Vocabulary.tokenize(inside)
	ends, part, before := make([]int, len(t.Bytes)), 0, 0
	for i := range t.Bytes {
		for range len(b.kept[i]) - 1 {
			b.spans[i] = append(b.spans[i], b.Length(part))
			part++
		}
		ends[i] = before
		if part > 0 {
			ends[i] = b.ends[part-1]
		}
		b.counts.Spans += len(b.spans[i])
		before = ends[i]
	}
	b.ends = ends
	return nil
}

// between puts the replacements of each span between the copied parts. Whether a span
// begins with a capital follows from the copied part before it.
//
// White space inside a span is not copied, so a span that has some at its ends would join
// its replacement to the text beside it. Whether it has some may not be read: a space
// follows from the copied parts and the drawn words alone.
func (b *words) between(out []embedding.ID) release.Drawn {
	tokenizer := b.vocabulary.Tokenizer()
	defer b.vocabulary.Done(tokenizer)
	all := release.Drawn{Texts: make([][]byte, len(b.kept))}
	for i, kept := range b.kept {
		one := append([]byte{}, kept[0]...)
		for k, n := range b.spans[i] {
			var drawn []byte
			if k == 0 && len(bytes.TrimSpace(kept[0])) == 0 || endsSentence(kept[k]) {
				drawn = tokenizer.Detokenize(nil, out[:n])
			} else {
				drawn = tokenizer.DetokenizeInside(nil, out[:n])
			}
			one, out = appendApart(one, drawn), out[n:]
			one = appendApart(one, kept[k+1])
		}
		all.Texts[i] = one
	}
	return all
}

// appendApart appends a part to a text, after a space if they would read as one word.
func appendApart(one, part []byte) []byte {
	last, _ := utf8.DecodeLastRune(one)
	first, _ := utf8.DecodeRune(part)
	if len(one) > 0 && len(part) > 0 && inWord(last) && inWord(first) {
		one = append(one, ' ')
	}
	return append(one, part...)
}

// inWord reports whether a character belongs to a word of a script that puts spaces between
// words. The brackets are those of <unk>.
func inWord(r rune) bool {
	return (unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '<' || r == '>') && !segment.Unspaced(r)
}

// endsSentence reports whether a part of a text ends with the end of a sentence.
func endsSentence(part []byte) bool {
	part = bytes.TrimSpace(part)
	return len(part) > 0 && bytes.IndexByte([]byte(".!?"), part[len(part)-1]) >= 0
}
