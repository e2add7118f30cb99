package text

import (
	"github.com/sotto-dp/sotto/text/internal/records"
	"github.com/sotto-dp/sotto/text/internal/splice"
)

// file holds one text: the whole input. An empty input holds the empty text, because that
// a text is empty is private too.
type file struct{ lines }

func (file) form() records.Form { return records.Whole }

// find returns the text without the line end of the input, which every output has.
func (file) find(data []byte, _ int) ([]splice.Span, error) {
	text := data
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	return []splice.Span{{Start: 0, End: len(data), Text: text, Closes: true}}, nil
}
