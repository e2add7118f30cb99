package text

import "io"

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

// Rows reads the values of some fields, record by record, and rewrites nothing. Every
// record becomes a row, whatever it holds. Next fails only if the input cannot be read,
// never because of the contents of a record.
//
// A record is a line, except in CSV, where a line break inside quotes is part of a field,
// and in Parquet, where it is a row. An empty line of csv, tsv or jsonl is not a record.
// The bytes of one record do not change where another record begins.
type Rows interface {
	// Next returns the next batch, and io.EOF after the last one.
	Next() (RowBatch, error)
}

// RowBatch is a run of records. Different batches may be used concurrently; one batch
// is for one goroutine at a time.
type RowBatch interface {
	// First is the number of the first row, from 0, over the whole input.
	First() int
	// Rows returns the rows of the batch.
	Rows() []Row
}

// Row has a value for each requested field. A value is nil if the record has none: the
// field is missing, null, or neither a string, a number nor a boolean, or the record is
// malformed or longer than MaxRecord. Several values of one field, from a path into a list,
// are joined by line breaks.
type Row [][]byte

// PartRecords is the number of records in a part. Parts are cut by number of records and
// not by size, because that number must not depend on the contents of records.
const PartRecords = 1024

// Parts cuts an input into parts, for several processes.
type Parts interface {
	// Next returns the next part, and io.EOF after the last one.
	Next() (Part, error)
}

// Part is a run of PartRecords whole records of a stream, or the remaining records at its
// end. Header and Data together are a stream of the same format. For a format that Seeks, a
// part holds no data: Options.Part selects it by Number+1.
type Part struct {
	Number int // from 0
	Line   int // of the input, where Data begins
	Header []byte
	Data   []byte
}
