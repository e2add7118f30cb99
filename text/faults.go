package text

import (
	"fmt"

	"github.com/sotto-dp/sotto/text/fault"
)

// sifter is a layout whose records can be left out one by one.
type sifter interface {
	// sift returns the records of data that can be read, and the faults of the others.
	sift(data []byte, line int, invalid Invalid) (kept []byte, faults []*InputError)
	// names returns a *FieldError if one of the fields is in none of the records of data.
	names(data []byte, line int) error
}

// checkFaults refuses options for faults of single records where a format does not have
// them, or where they would show what a record holds.
func (o Options) checkFaults(l layout) error {
	if !o.KeepMissing && o.Fault == nil {
		return nil
	}
	if _, ok := l.(sifter); !ok {
		return &FieldError{What: "records that lack a field or cannot be read can be kept or left out in jsonl only"}
	}
	if o.Total || o.Each {
		return &FieldError{What: "whole texts are protected: every record is replaced, and none can be kept as it is or left out"}
	}
	return nil
}

// sift leaves out the records that cannot be read, if they are reported one by one. A
// first batch without the fields is refused, blank ones aside: a wrong name must not let
// every record through as it is.
func (b *batch) sift() error {
	l, ok := b.from.layout.(sifter)
	o := b.from.o
	if !ok || !o.KeepMissing && o.Fault == nil {
		return nil
	}
	if o.Fault != nil {
		b.data, b.faults = l.sift(b.data, b.line, o.Invalid)
		if b.first && blank(b.data) && len(b.faults) > 0 {
			return b.faults[0]
		}
	}
	if o.KeepMissing && b.first {
		return l.names(b.data, b.line)
	}
	return nil
}

func (j *jsonLines) sift(data []byte, line int, invalid Invalid) (kept []byte, faults []*InputError) {
	kept = make([]byte, 0, len(data))
	for at := 0; at < len(data); line++ {
		end, next := cutLine(data, at)
		var err error
		if !blank(data[at:end]) {
			if err = invalid.Check(data[at:next], line); err == nil {
				_, err = findJSON(&jsonWalk{data: data[:end], at: at, line: line}, j.paths)
			}
		}
		if fault, ok := err.(*InputError); ok {
			faults = append(faults, fault)
		} else {
			kept = append(kept, data[at:next]...)
		}
		at = next
	}
	return kept, faults
}

func (j *jsonLines) names(data []byte, line int) error {
	records, found := 0, make([]bool, len(j.paths))
	for at := 0; at < len(data); line++ {
		end, next := cutLine(data, at)
		if !blank(data[at:end]) {
			w := &jsonWalk{data: data[:end], at: at, line: line}
			if _, err := findJSON(w, j.paths); err != nil {
				return err
			}
			records++
			for i, ok := range w.found {
				found[i] = found[i] || ok
			}
		}
		at = next
	}
	for i, ok := range found {
		if !ok && records > 0 {
			return absentField(j.paths[i].text, records)
		}
	}
	return nil
}

// notJSON returns the fault of a line that is no JSON document of one record.
func notJSON(data []byte, line int) *InputError {
	what := "not a JSON document"
	if line == 1 && len(data) > 0 && data[0] == '[' {
		what += "; the file seems to be a JSON array: write a record per line, as jq -c '.[]' does"
	}
	return &InputError{Kind: fault.JSON, Line: line, What: what}
}

// absent returns the fault of a record that lacks a field.
func absent(field string, line int) *InputError {
	return &InputError{Kind: fault.Field, Line: line, What: fmt.Sprintf("there is no field %q", field), Absent: true}
}
