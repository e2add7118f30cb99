// Package fault names the kinds of errors that depend on what a record of the input holds.
//
// Such an error reveals something about the record: that the run ended or the record was
// left out, of which kind the error is, and where. No claim covers that, so SECURITY.md
// lists every kind, and a test compares the list with this package. An error that may
// depend on a record is made by a type that has a kind: see [Error].
package fault

// Kind is a kind of error that depends on a record.
type Kind string

// The kinds.
const (
	// Encoding: the input is not UTF-8, or has a NUL or a byte order mark.
	Encoding Kind = "encoding"
	// Length: a record, a header, or a text for a model is longer than the most that is read.
	Length Kind = "length"
	// Header: the input has no header, or one that cannot be read.
	Header Kind = "header"
	// Quotes: the quotes of a field do not fit.
	Quotes Kind = "quotes"
	// Columns: a record has another number of columns than the header.
	Columns Kind = "columns"
	// JSON: a record is not a JSON document of the form that is read.
	JSON Kind = "json"
	// Field: a field is missing, is there twice, is not a text, or has several texts where
	// one is wanted.
	Field Kind = "field"
	// Parquet: a file or a row of Parquet cannot be read or written again.
	Parquet Kind = "parquet"
	// Spans: spans cannot be read, or do not fit their text.
	Spans Kind = "spans"
	// Cap: a text has more tokens than its cap allows.
	Cap Kind = "cap"
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{Encoding, Length, Header, Quotes, Columns, JSON, Field, Parquet, Spans, Cap}
}

// Error is an error that may depend on a record.
type Error interface {
	error
	// FaultKind returns the kind, which is never empty.
	FaultKind() Kind
}
