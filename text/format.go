package text

import (
	"io"
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
	// if the fields do not fit the format or the header. A file of Text is one row.
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
	// do not match or are further apart than MaxRecord, a JSON array, or documents over
	// several lines, whose quotes or brackets do not match or that have something between
	// them, and a row with another number of columns than the header. In these cases the
	// limits of records are uncertain, and part of a text could be mistaken for another
	// record, or for other columns and copied.
	Total bool
	// Alone, with Total, declares that only the texts are used. A row with another number
	// of columns then has its bytes as the text of each field.
	Alone bool
	// Single, with Total and one field, treats a JSON document with more than one text as a
	// record that cannot be read, which has one text. With Each or By it refuses, with a
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
	// Rest says that the input is a later part of a file (Parts). Its first records tell
	// nothing about the names of fields: none of them need have a field.
	Rest bool
	// Places declares that the caller has positions in the texts that another program
	// counted. An input whose first record begins with a byte order mark then gives an
	// InputError. Here the mark is not part of a text, but other programs, such as Python's
	// UTF-8 decoder, count it as the first character.
	Places bool
	// Kept declares that parts of each text are copied into what replaces it: the tabs and line
	// breaks of lines and of files are then those of the input.
	Kept bool
}
