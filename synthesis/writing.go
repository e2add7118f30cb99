package synthesis

import (
	"context"

	"github.com/sotto-dp/sotto/embedding/segment"
)

// Writing bounds the work for one text that Options.Model writes. It depends only on public
// data.
type Writing struct {
	Steps  int64 // probabilities that the model computes
	Bytes  int64 // length of the text
	Quoted int64 // length of the text as a JSON string
}

// Writing returns the bounds over all texts that a release may have, or the zero value
// without a model.
func (p *Plan) Writing(ctx context.Context) (Writing, error) {
	var most Writing
	if p.o.Model == nil {
		return most, nil
	}
	for _, c := range p.clusterings[:p.candidates] {
		w := newWriter(p, c.texts)
		for i, texts := range c.texts {
			if err := ctx.Err(); err != nil {
				return most, err
			}
			if len(texts) == 0 {
				continue
			}
			found := w.wordsOf(i)
			longest, quoted := 0, 0
			for _, id := range found.ids {
				for _, word := range p.spellings(p.o.Model.Vocabulary().Word(id)) {
					longest, quoted = max(longest, len(word)), max(quoted, quotedLength(word))
				}
			}
			words, between := int64(found.most), p.between()
			most.Steps = max(most.Steps, words*int64(len(found.ids)))
			most.Bytes = max(most.Bytes, words*int64(longest+len(between)))
			most.Quoted = max(most.Quoted, 2+words*int64(quoted+quotedLength(between)))
		}
	}
	return most, nil
}

// spellings returns how a word of the model may be written.
func (p *Plan) spellings(word string) []string {
	rules := p.o.Model.Vocabulary().Segmentation()
	if rules == nil {
		return []string{word}
	}
	return []string{rules.Form(word), rules.Capital(word)}
}

// between returns the longest separator of two words.
func (p *Plan) between() string {
	if p.o.Model.Vocabulary().Segmentation() == nil {
		return " "
	}
	return string(segment.Separator)
}

// quotedLength bounds the length of a word inside a JSON string.
func quotedLength(word string) int {
	n := 0
	for i := range len(word) {
		switch b := word[i]; {
		case b == '"' || b == '\\':
			n += 2
		case b < ' ' || b == '<' || b == '>' || b == '&' || b >= 0x80: // at most \u003c per byte
			n += 6
		default:
			n++
		}
	}
	return n
}
