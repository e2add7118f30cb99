package text

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/text/fault"
)

// Format is a file format for texts: a row of a [Table]. Parquet's row is in
// package text/parquet, so that a program that does not read Parquet does not link
// its driver.
type Format struct {
	Name       string
	Extensions []string // of file names, with the dot, in lower case
	Header     bool     // a file begins with its columns: files cannot be concatenated
	Whole      bool     // a file is one text, read in parts: see File
	Breaks     bool     // a record may hold line breaks
	Seeks      bool     // Open and Cut need an input that is a [Seekable]
	Bare       bool     // a file holds texts and nothing else, one for each record

	// Open begins to read an input. It returns a [FieldError] if the options do not fit.
	Open func(in io.Reader, o Options) (Reader, error)
	// Cut begins to cut an input into parts. Open reads each of them.
	Cut func(in io.Reader, o Options) (Parts, error)
	// Rows begins to read the values of some fields, named as in Options. The first is
	// that of the texts, empty where the format has no fields. It returns a [FieldError]
	// if the fields do not fit the format or the header. It is nil for Text.
	Rows func(in io.Reader, fields []string) (Rows, error)
}

func (f *Format) String() string { return f.Name }

// Seekable is an input that can be read at any position.
type Seekable interface {
	io.ReaderAt
	Size() int64 // in bytes
}

// Options chooses which texts of an input are read, and how.
type Options struct {
	// Fields are column names (csv, tsv, parquet) or paths (jsonl). The texts found
	// there are replaced. Everything else is copied byte for byte.
	Fields []string
	// By is a column (csv, tsv) or the path of a single value (jsonl): Records pairs
	// its value with the texts of each record. Empty for none.
	By string
	// Missing is the value of By for a record without one: an empty value, and in
	// jsonl a null or a missing field. If Missing is empty, an empty value stays
	// empty, a null is "null", and a missing field is an error.
	Missing string
	Invalid Invalid
	// KeepMissing (jsonl) copies a record that lacks a field unchanged, instead of
	// returning an error. A record with a value that the path cannot enter, such as a string
	// in place of a list, does not lack it. If no record of the first batch has the field,
	// reading fails.
	KeepMissing bool
	// Fault (jsonl), if not nil, receives the faults of single records, in order, when
	// their batch is written. These records are left out; without Fault the first one is an
	// error. If no record of the first batch can be read, its first fault is returned as an
	// error.
	Fault func(*InputError) error
	// Total reads every record, so that no error reveals what a record holds. Texts are
	// read as with ReplaceInvalid. The text of a value that is not a string is its JSON. A
	// record that is not JSON or lacks a field has its bytes as the text of each field; in
	// the output it has these fields and no other values. Of a line longer than MaxRecord
	// only the beginning is read. Other faults remain errors: a damaged file, a bad header,
	// fields that are not in the header or in none of the first records, CSV whose quotes
	// do not match or are further apart than MaxRecord, and a row with another number of
	// columns than the header. In these cases the limits of records are uncertain, and part
	// of a text could be mistaken for other columns and copied.
	Total bool
	// Alone, with Total, declares that only the texts are used. A row with another number
	// of columns then has its bytes as the text of each field.
	Alone bool
	// Single, with Total and one field, treats a JSON document with more than one text as a
	// record that cannot be read, which has one text. With Each it refuses, with a
	// [FieldError], a field that can have several values in a record: a path into a list, a
	// column that repeats or has the name of another.
	Single bool
	// Each gives every record exactly one text per field, in the order of Fields (jsonl) or
	// of the columns. Several values of a field, from a path into a list, a repeated key or
	// two columns of one name, are joined by line breaks. A field without a value, such as
	// a null or an empty list, has the empty text. The batches can be read but not written.
	Each bool
	// Prompt also ends a batch when the input pauses, so that typed lines are
	// answered one by one. Otherwise a batch depends on the content and on how much
	// each Read of the input returns.
	Prompt bool
	// Records, if not 0, ends a batch after that many records (lines, rows) of any size,
	// unless the input pauses first. Public facts about batches, such as their number, then
	// reveal nothing about the lengths of texts. A batch is held in memory.
	Records int
	// Part selects one part of a format that Seeks, from 1; 0 selects all.
	Part int
	// Places declares that the caller has positions in the texts that another program
	// counted. An input whose first record begins with a byte order mark then gives an
	// InputError. Here the mark is not part of a text, but other programs, such as Python's
	// UTF-8 decoder, count it as the first character.
	Places bool
}

// Reader yields the batches of an input and writes them to an output of the same
// format. Next is for one goroutine. Begin, Write of each batch in order, and End
// are for one goroutine too, not necessarily that of Next.
type Reader interface {
	// Next returns the next batch, and io.EOF after the last one. Other errors are
	// an *InputError, an error of the format, or that of the input.
	Next() (Batch, error)
	// Begin writes what precedes the batches in an output. The batches write to w.
	Begin(w io.Writer) error
	// End writes what follows the batches in an output. It does not close w.
	End() error
}

// Batch is a run of whole records, about 256 KiB of input. Different batches of
// a reader may be used concurrently; one batch is for one goroutine at a time.
type Batch interface {
	// Number counts the batches that can hold texts, from 0.
	Number() uint64
	// Texts finds the texts, in order. They are the private input. It is called once, and
	// then Records is not.
	Texts() ([][]byte, error)
	// Records returns the texts record by record, with the value of Options.By. A
	// record without texts counts; an empty line of csv, tsv or jsonl does not. In
	// Parquet, batches of columns that are not chosen have no records.
	Records() ([]Record, error)
	// Keep selects the records of the output; keep has one element per record of Records,
	// which must be called first. The texts to replace are then those of the kept records.
	// Parquet, which is read by columns, returns an error.
	Keep(keep []bool) error
	// Unread returns the number of texts that are not UTF-8 or not valid in the format, and
	// that were read only because of Options.Total. It is as private as the texts, and is
	// known after Texts.
	Unread() int
	// Replace replaces the texts that Texts returned by private copies, one for
	// each, in order.
	Replace(private [][]byte) error
	// Write writes the batch to the output that the reader began.
	Write() error
}

// Record is the texts of a record, and the value of Options.By.
type Record struct {
	By    string
	Texts [][]byte
}

// The formats of streams. Lines holds one text per line. Text is one text of many lines,
// read in parts. File is the same text in one piece, for claims about whole texts.
var (
	Lines = streamed(Format{Name: "lines", Bare: true, Rows: rowsOf(func() rowLayout { return lines{} }, false)}, func() layout { return lines{} })
	Text  = streamed(Format{Name: "text", Whole: true, Bare: true}, func() layout { return lines{} })
	File  = streamed(Format{Name: "text", Bare: true}, func() layout { return file{} })
	JSONL = streamed(Format{Name: "jsonl", Extensions: []string{".jsonl", ".ndjson"}, Rows: rowsOf(func() rowLayout { return new(jsonRows) }, false)}, func() layout { return new(jsonLines) })
	CSV   = streamed(Format{Name: "csv", Extensions: []string{".csv"}, Header: true, Breaks: true,
		Rows: rowsOf(func() rowLayout { return &delimitedRows{delimited: delimited{name: "csv", comma: ',', quotes: true}} }, true)}, func() layout { return &delimited{name: "csv", comma: ',', quotes: true} })
	TSV = streamed(Format{Name: "tsv", Extensions: []string{".tsv"}, Header: true,
		Rows: rowsOf(func() rowLayout { return &delimitedRows{delimited: delimited{name: "tsv", comma: '\t'}} }, false)}, func() layout { return &delimited{name: "tsv", comma: '\t'} })
)

// Table lists formats.
type Table []*Format

// Formats returns the formats of streams and those given, such as parquet.Format.
func Formats(more ...*Format) Table {
	return append(Table{Lines, Text, JSONL, CSV, TSV}, more...)
}

// Names returns the names, in the order of the table.
func (t Table) Names() []string {
	names := make([]string, len(t))
	for i, f := range t {
		names[i] = f.Name
	}
	return names
}

// Named returns the format with a name, or nil.
func (t Table) Named(name string) *Format {
	if i := slices.IndexFunc(t, func(f *Format) bool { return f.Name == name }); i >= 0 {
		return t[i]
	}
	return nil
}

// Of returns the format for the extension of a file name, or Lines if none has
// it. A compression's extension is ignored.
func (t Table) Of(file string) *Format {
	extension := strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst")))
	if i := slices.IndexFunc(t, func(f *Format) bool { return slices.Contains(f.Extensions, extension) }); i >= 0 {
		return t[i]
	}
	return Lines
}

// ErrNotReplaced is returned by Write for a batch whose texts were not replaced.
var ErrNotReplaced = errors.New("text: a batch is written before its texts are replaced")

// ErrNotWritten is returned by Replace if Options.Each is set, since batches are then only
// read.
var ErrNotWritten = errors.New("text: batches with one text per record and field are not written")

// FieldError reports a choice of fields that a format or a header does not
// allow. It repeats the request but nothing of the input, because the first line of a file
// without a header is a text.
type FieldError struct {
	What    string
	Missing bool // no field was chosen, and the format needs one
}

func (e *FieldError) Error() string { return e.What }

// FaultKind returns fault.Field: which fields there are is known from records too.
func (e *FieldError) FaultKind() fault.Kind { return fault.Field }

// InputError reports a fault of the input by its position. It holds no input text.
type InputError struct {
	Kind fault.Kind
	Line int // from 1
	What string
	// Encoding: the input is not UTF-8. [ReplaceInvalid] would read it.
	Encoding bool
	// Absent: the record lacks a field.
	Absent bool
}

func (e *InputError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

// FaultKind returns the kind of the error.
func (e *InputError) FaultKind() fault.Kind { return e.Kind }
