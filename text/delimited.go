package text

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// delimited is CSV (RFC 4180: quotes, which may hold commas and line breaks) or
// TSV (no quotes: a tab or a line break ends a field). The first record is the
// header.
type delimited struct {
	name    string // of the format
	comma   byte
	quotes  bool
	chosen  []bool // by column
	texts   []int  // with Options.Each, by chosen column: the number of its text
	grouped int    // the column of Options.By
	end     string // the header's line end
	// A record of empty cells, in the pieces around the texts, if a record with another number
	// of columns becomes that; nil if it is a fault. With Options.Total it is a fault only
	// where other columns are copied: a line break in a text may have made such records,
	// and the next part of the text may have the number of columns of the header. Quotes
	// that do not match are always a fault.
	empty [][]byte
}

func (d *delimited) form() records.Form {
	if d.quotes {
		return records.Form{Separator: d.comma}
	}
	return records.Lines
}

func (d *delimited) open(first func() ([]byte, error), o Options) ([]byte, error) {
	header, err := first()
	if err != nil {
		return nil, err
	}
	if len(header) == 0 {
		return nil, &InputError{Kind: fault.Header, Line: 1, What: "the file is empty, want a header in its first line"}
	}
	var names []string
	_, err = d.record(header, 0, 1, func(_ int, s records.Span) { names = append(names, string(s.Text)) })
	if err != nil {
		return nil, err
	}
	if d.chosen, err = chooseColumns(d.name, d.comma, names, o.Fields); err != nil {
		return nil, err
	}
	if o.By != "" {
		if d.grouped, err = columnOf(d.name, d.comma, names, o.By); err != nil {
			return nil, err
		}
		if d.chosen[d.grouped] {
			return nil, groupedByText(o.By)
		}
	}
	if o.Each {
		d.texts = textsOf(names, d.chosen)
		if o.Single && slices.Max(d.texts) < len(d.texts)-1 {
			return nil, ManyTexts(o.Fields[0])
		}
	}
	if o.Total {
		if o.Alone || !slices.Contains(d.chosen, false) {
			d.empty = emptyRecord(d.chosen, d.comma)
			if o.Each {
				d.empty = make([][]byte, slices.Max(d.texts)+2) // around a text for each name
			}
		}
	}
	d.end = "\n"
	if bytes.HasSuffix(header, []byte("\r\n")) {
		d.end = "\r\n"
	}
	return header, nil
}

func (d *delimited) find(data []byte, line int) ([]records.Span, error) {
	var spans []records.Span
	for at := 0; at < len(data); {
		columns, before := 0, len(spans)
		next, err := d.record(data, at, line, func(column int, s records.Span) {
			columns = column + 1
			if column < len(d.chosen) && d.chosen[column] {
				spans = append(spans, s)
			}
		})
		if err != nil {
			return nil, err
		}
		switch {
		case columns != len(d.chosen) && len(bytes.TrimRight(data[at:next], "\r\n")) == 0:
			spans = spans[:before] // an empty line is not a record if there are several columns
		case columns != len(d.chosen) && d.empty != nil:
			spans = append(spans[:before], records.Unreadable(data, at, next, d.empty)...)
		case columns != len(d.chosen):
			return nil, &InputError{Kind: fault.Columns, Line: line, What: fmt.Sprintf("the number of columns is %d, the header has %d", columns, len(d.chosen))}
		case d.texts != nil:
			spans = append(spans[:before], joined(spans[before:], d.texts)...)
		case d.chosen[columns-1] && next > at:
			last := &spans[len(spans)-1]
			last.End, last.Closes = next, data[next-1] == '\n'
		}
		line += bytes.Count(data[at:next], records.Newline)
		at = next
	}
	return spans, nil
}

// record calls field for each field of the record that begins at at, and returns
// where the next begins. A \r at the end of the data is a line end without its \n.
func (d *delimited) record(data []byte, at, line int, field func(column int, s records.Span)) (next int, err error) {
	lineEnd := -1 // of the first line that does not end before at
	for column := 0; ; column++ {
		start := at
		if d.quotes && at < len(data) && data[at] == '"' {
			text, end, ok := unquote(data, at)
			if !ok {
				return 0, &InputError{Kind: fault.Quotes, Line: line, What: "a quoted field does not end"}
			}
			field(column, records.Span{Start: start, End: end, Text: text})
			at = end
		} else {
			if lineEnd < at {
				lineEnd = at + indexOrEnd(data[at:], '\n')
			}
			at += indexOrEnd(data[at:lineEnd], d.comma)
			if d.quotes && bytes.IndexByte(data[start:at], '"') >= 0 {
				return 0, &InputError{Kind: fault.Quotes, Line: line, What: "a quote inside a field that does not begin with one"}
			}
			end := at
			if end > start && (end == len(data) || data[end] == '\n') && data[end-1] == '\r' {
				end--
			}
			field(column, records.Span{Start: start, End: end, Text: data[start:end]})
		}
		switch {
		case at == len(data):
			return at, nil
		case data[at] == '\n':
			return at + 1, nil
		case data[at] == '\r' && at+1 == len(data):
			return at + 1, nil
		case data[at] == '\r' && data[at+1] == '\n':
			return at + 2, nil
		case data[at] == d.comma:
			at++
		default:
			return 0, &InputError{Kind: fault.Quotes, Line: line, What: "text after the closing quote of a field"}
		}
	}
}

// indexOrEnd returns where a byte is in data, and the length of data if it is not there.
func indexOrEnd(data []byte, b byte) int {
	if i := bytes.IndexByte(data, b); i >= 0 {
		return i
	}
	return len(data)
}

// unquote reads the quoted field at at; end is past its closing quote. The text is part of
// data if no quote in it is doubled.
func unquote(data []byte, at int) (text []byte, end int, ok bool) {
	at++
	start, doubled := at, 0
	for {
		i := bytes.IndexByte(data[at:], '"')
		if i < 0 {
			return nil, 0, false
		}
		at += i + 1
		if at == len(data) || data[at] != '"' {
			break
		}
		at++
		doubled++
	}
	raw := data[start : at-1 : at-1]
	if doubled == 0 {
		return raw, at, true
	}
	text = make([]byte, 0, len(raw)-doubled)
	for range doubled {
		i := bytes.IndexByte(raw, '"') + 1
		text, raw = append(text, raw[:i]...), raw[i+1:]
	}
	return append(text, raw...), at, true
}

func (d *delimited) by(record []byte, line int) (value string, ok bool, err error) {
	columns := 0
	_, err = d.record(record, 0, line, func(column int, s records.Span) {
		if columns = column + 1; column == d.grouped {
			value = string(s.Text)
		}
	})
	if d.empty != nil && columns != len(d.chosen) {
		return "", len(bytes.TrimRight(record, "\r\n")) > 0, err
	}
	return value, columns == len(d.chosen), err
}

// Encode decides on quotes by the private text alone. An empty record of one
// column is quoted too, because many readers skip empty lines.
func (d *delimited) Encode(dst, private []byte) []byte {
	switch {
	case !d.quotes:
		return appendOneLine(dst, private)
	case len(private) == 0 && len(d.chosen) > 1:
		return dst
	case len(private) > 0 && !d.needsQuotes(private):
		return append(dst, private...)
	}
	return append(appendDoubled(append(dst, '"'), private), '"')
}

func (d *delimited) needsQuotes(private []byte) bool {
	return bytes.IndexByte(private, d.comma) >= 0 || bytes.ContainsAny(private, "\"\r\n")
}

// appendDoubled appends a text with its quotes doubled.
func appendDoubled(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '"') + 1
		if i == 0 {
			return append(dst, text...)
		}
		dst, text = append(append(dst, text[:i]...), '"'), text[i:]
	}
}

// LineEnd returns the header's: a \r at the end of a line may be part of its last text.
func (d *delimited) LineEnd() string { return d.end }
