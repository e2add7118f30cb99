package parquet

import (
	"bytes"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// ordered reports whether the driver's least and greatest values of a column are those of
// the format. The format has no order for intervals and old time stamps, for shapes and
// variants, and for types that the driver does not know. Decimals in bytes are signed there,
// and the driver compares them as they are. Readers leave out what is not within the bounds,
// or refuse a file with bounds where none can be.
func ordered(t parquet.Type) bool {
	if c := t.ConvertedType(); c != nil && *c == deprecated.Interval {
		return false
	}
	switch logicalOf(t).(type) {
	case *format.DecimalType:
		return t.Kind() == parquet.Int32 || t.Kind() == parquet.Int64
	case *format.GeometryType, *format.GeographyType, *format.VariantType, *format.NullType:
		return false
	}
	return t.Kind() != parquet.Int96
}

// unbounded is the type of a column without bounds.
type unbounded struct{ parquet.Type }

func (t unbounded) NewColumnIndexer(int) parquet.ColumnIndexer {
	i := &unboundedIndex{}
	i.low, i.high = extremes(t.Type)
	return i
}

// extremes returns values of a type that all others are between, in the order that a reader
// may know. The driver writes an index of pages for every column.
func extremes(t parquet.Type) (low, high []byte) {
	length := t.Length()
	if t.Kind() != parquet.FixedLenByteArray {
		length = 12 // of an old time stamp
	}
	decimal, _ := logicalOf(t).(*format.DecimalType)
	if decimal != nil && t.Kind() == parquet.ByteArray {
		length = int(decimal.Precision)/2 + 1
	}
	low, high = make([]byte, length), bytes.Repeat([]byte{0xff}, length)
	if decimal != nil && length > 0 {
		low[0], high[0] = 0x80, 0x7f
	}
	return low, high
}

func logicalOf(t parquet.Type) any {
	if logical := t.LogicalType(); logical != nil {
		return logical.Value
	}
	return nil
}

// unboundedIndex is the index of the pages of such a column.
type unboundedIndex struct {
	low, high []byte
	nulls     []int64
	onlyNulls []bool
}

func (i *unboundedIndex) Reset() { i.nulls, i.onlyNulls = nil, nil }

func (i *unboundedIndex) IndexPage(values, nulls int64, _, _ parquet.Value) {
	i.nulls, i.onlyNulls = append(i.nulls, nulls), append(i.onlyNulls, values == nulls)
}

func (i *unboundedIndex) ColumnIndex() format.ColumnIndex {
	index := format.ColumnIndex{NullPages: i.onlyNulls, NullCounts: i.nulls, BoundaryOrder: format.Unordered}
	for _, null := range i.onlyNulls {
		low, high := i.low, i.high
		if null {
			low, high = []byte{}, []byte{}
		}
		index.MinValues, index.MaxValues = append(index.MinValues, low), append(index.MaxValues, high)
	}
	return index
}

// Type returns the type of a column, or of a group.
func (n *node) Type() parquet.Type {
	if t := n.Field.Type(); n.Leaf() && !ordered(t) {
		return unbounded{t}
	}
	return n.Field.Type()
}

// unboundedEncoding returns the encoding of such a column: with a dictionary the driver
// would take the index of its bytes.
func unboundedEncoding(of encoding.Encoding) encoding.Encoding {
	switch of.Encoding() {
	case parquet.RLEDictionary.Encoding(), parquet.PlainDictionary.Encoding():
		return &parquet.Plain
	}
	return of
}

// skipBounds returns the options of the columns without bounds.
func skipBounds(file *parquet.File) (options []parquet.WriterOption) {
	for _, l := range leaves(file.Root()) {
		if !ordered(l.column.Type()) {
			options = append(options, parquet.SkipPageBounds(l.column.Path()...))
		}
	}
	return options
}
