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
		var one copied
		one.add(kept[0], false)
		for k, n := range b.spans[i] {
			var drawn []byte
			if k == 0 && len(bytes.TrimSpace(kept[0])) == 0 || endsSentence(kept[k]) {
				drawn = tokenizer.Detokenize(nil, out[:n])
			} else {
				drawn = tokenizer.DetokenizeInside(nil, out[:n])
			}
			one.add(drawn, true)
			one.add(kept[k+1], false)
			out = out[n:]
		}
		all.Texts[i] = one.text
	}
	return all
}

// copied is a text of copied and drawn parts.
type copied struct {
	text  []byte
	drawn bool // its end was drawn
}

// add appends a part, after a space if it would read as one word with the text.
func (c *copied) add(part []byte, drawn bool) {
	if len(part) == 0 {
		return
	}
	last, _ := utf8.DecodeLastRune(c.text)
	first, _ := utf8.DecodeRune(part)
	if len(c.text) > 0 && inWord(last, c.drawn) && inWord(first, drawn) {
		c.text = append(c.text, ' ')
	}
	c.text, c.drawn = append(c.text, part...), drawn
}

// inWord reports whether a character belongs to a word of a script that puts spaces between
// words. The brackets of a drawn <unk> do; those that were copied are of a mail or of markup.
func inWord(r rune, drawn bool) bool {
	return (unicode.In(r, unicode.L, unicode.M, unicode.N) || drawn && (r == '<' || r == '>')) && !segment.Unspaced(r)
}

// endsSentence reports whether a part of a text ends with the end of a sentence.
func endsSentence(part []byte) bool {
	part = bytes.TrimSpace(part)
	return len(part) > 0 && bytes.IndexByte([]byte(".!?"), part[len(part)-1]) >= 0
}
