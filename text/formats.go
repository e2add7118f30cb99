package text

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/files/compress"
)

// The formats of streams. Lines holds one text per line. Text is one text of many lines,
// read in parts. File is the same text in one piece, for claims about whole texts.
var (
	Lines = streamed(Format{Name: "lines", Bare: true, Rows: rowsOf(func() rowLayout { return lines{} })}, func() layout { return lines{} })
	Text  = streamed(Format{Name: "text", Whole: true, Bare: true, Rows: rowsOf(func() rowLayout { return file{} })}, func() layout { return lines{} })
	File  = streamed(Format{Name: "text", Bare: true, Rows: rowsOf(func() rowLayout { return file{} })}, func() layout { return file{} })
	JSONL = streamed(Format{Name: "jsonl", Extensions: []string{".jsonl", ".ndjson"}, Rows: rowsOf(func() rowLayout { return new(jsonRows) })}, func() layout { return new(jsonLines) })
	CSV   = Delimited(',')
	TSV   = streamed(Format{Name: "tsv", Extensions: []string{".tsv"}, Header: true,
		Rows: rowsOf(func() rowLayout { return &delimitedRows{delimited: delimited{name: "tsv", comma: '\t'}} })}, func() layout { return &delimited{name: "tsv", comma: '\t'} })
)

// Delimited is CSV with another separator of columns: an ASCII character that is no quote and
// no line break.
func Delimited(separator byte) *Format {
	csv := delimited{name: "csv", comma: separator, quotes: true}
	return streamed(Format{Name: csv.name, Extensions: []string{".csv"}, Header: true, Breaks: true,
		Rows: rowsOf(func() rowLayout { return &delimitedRows{delimited: csv} })}, func() layout { d := csv; return &d })
}

// Table lists formats.
type Table []*Format

// Formats returns the formats of streams and those given, such as parquet.Format.
func Formats(more ...*Format) Table {
	return append(Table{Lines, Text, JSONL, JSON, CSV, TSV}, more...)
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
	extension := strings.ToLower(filepath.Ext(compress.Plain(file)))
	if i := slices.IndexFunc(t, func(f *Format) bool { return slices.Contains(f.Extensions, extension) }); i >= 0 {
		return t[i]
	}
	return Lines
}

// streamed completes the Format of a stream of records.
func streamed(f Format, layout func() layout) *Format {
	f.Open = func(in io.Reader, o Options) (Reader, error) { return openStream(in, layout(), o) }
	f.Cut = func(in io.Reader, o Options) (Parts, error) {
		o.Records = PartRecords
		s, err := openStream(in, layout(), o)
		if err != nil {
			return nil, err
		}
		return &parts{stream: s}, nil
	}
	return &f
}

// rowsOf returns Format.Rows of a stream.
func rowsOf(layout func() rowLayout) func(io.Reader, []string) (Rows, error) {
	return func(in io.Reader, fields []string) (Rows, error) { return openRows(in, layout(), fields) }
}
