package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// ScanOptions says what Scan reads.
type ScanOptions struct {
	Format Format
	Fields []string // as in Options
	// By is a column (csv, tsv) or the path of a single value (jsonl) whose value is
	// told with each record's texts; empty for none.
	By      string
	Invalid Invalid
}

// Scan reads records and calls each with the texts found in their fields and the
// value of the field By, in order. The slices are valid during the call. Without
// By one call may hold the texts of many records.
func Scan(r io.Reader, o ScanOptions, each func(value string, texts [][]byte) error) error {
	layout, err := newLayout(o.Format)
	if err != nil {
		return err
	}
	in := newRecords(r, layout.ends, false, o.Invalid)
	in.mark()
	header, err := layout.open(in, o.Fields)
	if err != nil {
		return err
	}
	cut, err := cutter(layout, header, o.By)
	if err != nil {
		return err
	}
	for {
		data, line, err := in.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err := scanBatch(layout, cut, o.Invalid, data, line, each); err != nil {
			return err
		}
		if err != nil {
			return nil
		}
	}
}

// split returns where the record at at ends and the value of its field By; ok is
// false for an empty line.
type split func(data []byte, at, line int) (next int, value string, ok bool, err error)

func scanBatch(layout layout, cut split, invalid Invalid, data []byte, line int, each func(string, [][]byte) error) error {
	if err := invalid.Check(data, line); err != nil {
		return err
	}
	spans, err := layout.find(data, line)
	if err != nil {
		return err
	}
	for i := range spans {
		spans[i].text = invalid.Read(spans[i].text)
	}
	var texts [][]byte
	if cut == nil {
		for _, s := range spans {
			texts = append(texts, s.text)
		}
		return each("", texts)
	}
	for at, i := 0, 0; at < len(data); {
		next, value, ok, err := cut(data, at, line)
		if err != nil {
			return err
		}
		texts = texts[:0]
		for ; i < len(spans) && spans[i].start < next; i++ {
			texts = append(texts, spans[i].text)
		}
		if ok {
			if err := each(value, texts); err != nil {
				return err
			}
		}
		line += bytes.Count(data[at:next], newline)
		at = next
	}
	return nil
}

// cutter settles how records are told apart; nil where they need not be.
func cutter(l layout, header []byte, by string) (split, error) {
	if by == "" {
		return nil, nil
	}
	switch l := l.(type) {
	case *delimited:
		var names []string
		if _, err := l.record(header, 0, 1, func(_ int, s span) { names = append(names, string(s.text)) }); err != nil {
			return nil, err
		}
		if _, err := chooseColumns(l.name(), names, []string{by}); err != nil {
			return nil, err
		}
		chosen := slices.Index(names, by)
		return func(data []byte, at, line int) (next int, value string, ok bool, err error) {
			columns := 0
			next, err = l.record(data, at, line, func(column int, s span) {
				if columns = column + 1; column == chosen {
					value = string(s.text)
				}
			})
			return next, value, columns == len(names), err
		}, nil
	case *jsonLines:
		path, err := parsePath(by)
		if err != nil {
			return nil, err
		}
		return func(data []byte, at, line int) (int, string, bool, error) {
			end, next := cutLine(data, at)
			if len(bytes.TrimSpace(data[at:end])) == 0 {
				return next, "", false, nil
			}
			value, err := path.single(data[at:end], line)
			return next, value, true, err
		}, nil
	}
	return nil, &FieldError{fmt.Sprintf("there is no field %q: lines have no fields", by)}
}

// single is the value at the path in a document: a string, a number, true, false
// or null.
func (p path) single(document []byte, line int) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return "", &InputError{line, "not a JSON document"}
	}
	for _, step := range p.steps {
		var ok bool
		switch inside := v.(type) {
		case map[string]any:
			v, ok = inside[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(inside) {
				v, ok = inside[i], true
			}
		}
		if !ok {
			return "", &InputError{line, fmt.Sprintf("there is no field %q", p.text)}
		}
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case json.Number, bool, nil:
		return fmt.Sprint(orNull(v)), nil
	}
	return "", &InputError{line, fmt.Sprintf("field %q is not a single value", p.text)}
}

func orNull(v any) any {
	if v == nil {
		return "null"
	}
	return v
}
