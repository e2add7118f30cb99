package text

import (
	"github.com/sotto-dp/sotto/text/internal/records"
)

// layout reads and writes the records of one format.
type layout interface {
	// form is how the records end.
	form() records.Form
	// open reads the header, if there is one, resolves the fields, and returns
	// the bytes to write first.
	open(header func() ([]byte, error), o Options) ([]byte, error)
	// find returns the texts of whole records, in order. The first is on line.
	find(data []byte, line int) ([]records.Span, error)
	// by returns the value of Options.By of a record; ok is false for an empty line, which
	// is not a record.
	by(record []byte, line int) (value string, ok bool, err error)
	records.Encoder
}

// keeper is a layout that writes otherwise with Options.Kept.
type keeper interface {
	keeping() records.Encoder
}

// sifter is a layout whose records can be left out one by one.
type sifter interface {
	// sift returns the records of data that can be read, and the faults of the others.
	sift(data []byte, line int, invalid Invalid) (kept []byte, faults []*InputError)
	// names returns a *FieldError if one of the fields is in none of the records of data.
	names(data []byte, line int) error
}

// fieldFinder is a layout whose fields are in the records, not in a header.
type fieldFinder interface {
	// foundIn returns a *FieldError if every record of data can be read and one of the
	// fields is in none of them.
	foundIn(data []byte, line int) error
}

// rowLayout reads the values of the records of one format.
type rowLayout interface {
	form() records.Form
	// begin reads the header record, if there is one, and resolves the fields.
	begin(header func() ([]byte, error), fields []string) error
	// blank reports whether what was cut is no record.
	blank(record []byte) bool
	// values returns the values of a record, nil for a malformed one.
	values(record []byte) Row
}
