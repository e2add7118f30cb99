package jsonfield

import (
	"bytes"
	"fmt"

	"github.com/sotto-dp/sotto/text/fault"
)

// NotJSON returns the fault of a line that is no JSON document of one record.
func NotJSON(data []byte, line int) *fault.InputError {
	what := "not a JSON document"
	switch {
	case line != 1 || len(data) == 0:
	case data[0] == '[':
		what += "; the file seems to be a JSON array, which is the format json"
	case bytes.Equal(bytes.TrimSpace(data), []byte{'{'}):
		what += "; the file seems to hold JSON documents over several lines, which are the format json; jq -c . writes a line of each"
	}
	return &fault.InputError{Kind: fault.JSON, Line: line, What: what}
}

// Absent returns the fault of a record that lacks a field.
func Absent(field string, line int) *fault.InputError {
	return &fault.InputError{Kind: fault.Field, Line: line, What: fmt.Sprintf("there is no field %q", field), Absent: true}
}
