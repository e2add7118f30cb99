package text

import (
	"bytes"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// CopyChecker is a [Batch] that can check what it copies.
type CopyChecker interface {
	// CheckCopied returns an *InputError if a record has bytes beside its texts that are not
	// UTF-8: with Options.Total the output would have them beside texts that are. Only bytes
	// that the output would have decide whether there is an error, where, and what it says. It
	// is called after Texts or Records, and after Keep.
	CheckCopied() error
}

// unkept is what a batch was before Keep.
type unkept struct {
	data  []byte
	spans []records.Span
	left  map[int]bool // where a record began that is left out
}

func (b *batch) CheckCopied() error {
	all := unkept{b.data, b.spans, nil}
	if b.before != nil {
		all = *b.before
	}
	at := 0
	for i, next := range b.ends {
		var copied []byte
		from := at
		for ; len(all.spans) > 0 && all.spans[0].Start < next; all.spans = all.spans[1:] {
			copied = append(copied, all.data[from:all.spans[0].Start]...)
			from = all.spans[0].End
		}
		copied = append(copied, all.data[from:next]...)
		if !all.left[at] && !utf8.Valid(copied) {
			return b.from.placed(b.uncopied(copied, all.data[:at], i))
		}
		at = next
	}
	return nil
}

// uncopied is the error for what is copied of record i of the batch. Where texts may have line
// breaks, the number of a line would count those of private texts.
func (b *batch) uncopied(copied, before []byte, i int) error {
	kind, _ := looksLike(copied, false)
	e := &InputError{Kind: fault.Encoding, Encoding: true, Line: b.line + bytes.Count(before, records.Newline),
		What: "what is copied beside the text is not UTF-8; this looks like " + kind + ": convert the file to UTF-8, as iconv -f cp1252 -t utf-8 does, or copy it as it is"}
	if b.from.layout.form().Separator != 0 {
		e.Line, e.Record = b.record+i+1, true
	}
	return e
}
