package fault

import "fmt"

// InputError reports a fault of the input by its position. It holds no input text.
type InputError struct {
	Kind Kind
	Line int // from 1
	// Record: Line is the number of a record, in a file that is not cut at its lines.
	Record bool
	What   string
	// Encoding: the input is not UTF-8. text.ReplaceInvalid would read it.
	Encoding bool
	// Absent: the record lacks a field.
	Absent bool
}

func (e *InputError) Error() string {
	if e.Record {
		return fmt.Sprintf("record %d: %s", e.Line, e.What)
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.What)
}

// FaultKind returns the kind of the error.
func (e *InputError) FaultKind() Kind { return e.Kind }

// FieldError reports a choice of fields that a format or a header does not
// allow. It repeats the request but nothing of the input, because the first line of a file
// without a header is a text.
type FieldError struct {
	What    string
	Missing bool // no field was chosen, and the format needs one
	// Columns are those of the header, where a name is not among them. They are of the input.
	Columns []string
}

func (e *FieldError) Error() string { return e.What }

// FaultKind returns Field: which fields there are is known from records too.
func (e *FieldError) FaultKind() Kind { return Field }
