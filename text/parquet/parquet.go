// Package parquet reads and replaces the texts in chosen columns of Apache Parquet
// files. It is separate from package text so that a program that does not read
// Parquet does not link its driver.
//
// # What stays the same
//
// These stay the same: the schema, the values of all other columns, nulls and empty lists,
// the row groups, the codec of each column, and the file's key-value metadata. So does the
// sort order that the file declares, up to the first replaced column. A schema that could
// not be written as it was read is refused.
//
// # What changes
//
// Statistics and page indexes are computed from the output, without bounds for columns whose
// order the driver does not have. A replaced column has the plain
// encoding and no Bloom filter, whatever the input had, because writers choose both by the
// values. Its pages are cut by the lengths of the private copies.
//
// # What is not protected
//
// Row groups: a writer that cut them by size reveals how long the texts of each
// were. Key-value metadata: a writer may have put texts or counts there.
package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/fault"
)

// Format is the row for a table of formats. Its inputs are [text.Seekable]. Fields
// are paths of columns of strings: a name, a path a.b into groups, or tags[*] and
// items[*].body into lists (the brackets may be left out). A column is also known
// by its full path in the schema, tags.list.element. Parts are row groups. Its
// errors are a *text.FieldError, an *Error, or those of the input and the output.
var Format = &text.Format{Name: "parquet", Extensions: []string{".parquet"}, Header: true, Breaks: true, Seeks: true, Open: open, Cut: cut, Rows: openRows}

func open(in io.Reader, o text.Options) (text.Reader, error) {
	r, err := openFile(in)
	if err != nil {
		return nil, err
	}
	r.o, r.groups, r.row = o, r.RowGroups(), 1
	if o.Total {
		r.o.Invalid = text.ReplaceInvalid
	}
	if o.By != "" {
		return nil, &text.FieldError{What: "records cannot be grouped by a field: parquet is read by columns"}
	}
	err = guard(func() (err error) { // a damaged schema may panic
		r.chosen, err = choose(r.File, o.Fields)
		if err == nil && o.Each {
			err = oneColumnEach(r.File, o.Fields, o.Single)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if o.Part != 0 {
		if o.Part < 0 || o.Part > len(r.groups) {
			return nil, &Error{fmt.Sprintf("there is no row group %d, there are %d", o.Part, len(r.groups))}
		}
		r.groups = r.groups[o.Part-1 : o.Part]
	}
	return r, nil
}

// Next returns the next batch of any column. The last one of a row group ends it.
func (r *reader) Next() (next text.Batch, err error) {
	err = guard(func() error {
		b, err := r.next()
		if err == nil { // a nil *batch is no nil text.Batch
			next = b
		}
		return err
	})
	return next, err
}

func (r *reader) next() (*batch, error) {
	if r.group == len(r.groups) {
		return nil, io.EOF
	}
	group := r.groups[r.group]
	if r.chunks == nil {
		r.chunks = group.ColumnChunks()
	}
	for r.column < len(r.chunks) {
		if r.chunk == nil {
			r.chunk = r.open(r.column, r.chunks[r.column])
		}
		b, err := r.chunk.next()
		if b != nil {
			return b, nil
		}
		r.chunk.close()
		r.chunk = nil
		if err != nil {
			return nil, err
		}
		r.column++
	}
	r.row += group.NumRows()
	r.group++
	r.chunks, r.column = nil, 0
	return &batch{from: r, ends: true}, nil
}

// Begin makes a writer with the input's layout.
func (r *reader) Begin(w io.Writer) error {
	return guard(func() error {
		schema := parquet.NewSchema(r.Root().Name(), &node{Field: r.Root(), replaced: r.replaced()})
		if err := keepsSchema(r.File, schema); err != nil {
			return err
		}
		if err := keepsPairs(r.Metadata().KeyValueMetadata); err != nil {
			return err
		}
		options := []parquet.WriterOption{
			schema,
			parquet.DataPageVersion(pageVersion(r.File)),
			parquet.DictionaryMaxBytes(dictionaryBytes),
			parquet.BloomFilters(bloomFilters(r.File, r.chosen)...),
			parquet.SortingWriterConfig(parquet.SortingColumns(sorting(r.File, r.chosen)...)),
		}
		options = append(options, skipBounds(r.File)...)
		for _, pair := range r.Metadata().KeyValueMetadata {
			options = append(options, parquet.KeyValueMetadata(pair.Key, pair.Value))
		}
		r.pages.out = parquet.NewGenericWriter[any](w, options...)
		return nil
	})
}

// dictionaryBytes is where the dictionary of a copied column ends and plain values
// begin.
const dictionaryBytes = 1 << 20

// End writes the footer. Without it the output is not a Parquet file.
func (r *reader) End() error { return guard(r.pages.out.Close) }

// rowGroups are the parts of a file.
type rowGroups struct{ next, all int }

func cut(in io.Reader, _ text.Options) (text.Parts, error) {
	r, err := openFile(in)
	if err != nil {
		return nil, err
	}
	return &rowGroups{all: len(r.RowGroups())}, nil
}

func (g *rowGroups) Next() (text.Part, error) {
	if g.next == g.all {
		return text.Part{}, io.EOF
	}
	g.next++
	return text.Part{Number: g.next - 1}, nil
}

// FaultKind returns fault.Parquet.
func (e *Error) FaultKind() fault.Kind { return fault.Parquet }
