package parquet

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// pageVersion returns 2 if the file has pages of version 2, else 1, which all
// readers know.
func pageVersion(file *parquet.File) int {
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			for _, pages := range chunk.MetaData.EncodingStats {
				if pages.PageType == format.DataPageV2 {
					return 2
				}
			}
		}
	}
	return 1
}

// bloomBits is the size of a Bloom filter: 10 bits a value are wrong for about
// one absent value in a hundred.
const bloomBits = 10

// bloomFilters returns filters for the columns that had one. A replaced column
// gets none, because some writers decide on a filter by the values.
func bloomFilters(file *parquet.File, chosen []bool) []parquet.BloomFilterColumn {
	var filters []parquet.BloomFilterColumn
	groups := file.Metadata().RowGroups
	if len(groups) == 0 {
		return nil
	}
	for i, chunk := range groups[0].Columns {
		if chunk.MetaData.BloomFilterOffset != 0 && !chosen[i] {
			filters = append(filters, parquet.SplitBlockFilter(bloomBits, chunk.MetaData.PathInSchema...))
		}
	}
	return filters
}

// sorting returns the order that all row groups are in, up to the first column that
// is replaced.
func sorting(file *parquet.File, chosen []bool) []parquet.SortingColumn {
	all := leaves(file.Root())
	groups := file.Metadata().RowGroups
	var order []parquet.SortingColumn
	if len(groups) == 0 {
		return nil
	}
	for i, by := range groups[0].SortingColumns {
		for _, group := range groups {
			if i >= len(group.SortingColumns) || group.SortingColumns[i] != by {
				return order
			}
		}
		if int(by.ColumnIdx) >= len(all) || by.ColumnIdx < 0 || chosen[by.ColumnIdx] {
			return order
		}
		path := all[by.ColumnIdx].column.Path()
		column := parquet.Ascending(path...)
		if by.Descending {
			column = parquet.Descending(path...)
		}
		if by.NullsFirst {
			column = parquet.NullsFirst(column)
		}
		order = append(order, column)
	}
	return order
}

// keepsSchema writes an empty file with the schema and compares the result: every value
// must keep its meaning.
func keepsSchema(file *parquet.File, schema *parquet.Schema) error {
	var empty bytes.Buffer
	w := parquet.NewGenericWriter[any](&empty, schema)
	if err := w.Close(); err != nil {
		return &Error{"its schema cannot be written"}
	}
	again, err := parquet.OpenFile(bytes.NewReader(empty.Bytes()), int64(empty.Len()))
	if err != nil {
		return &Error{"its schema cannot be written"}
	}
	was, is := file.Metadata().Schema, again.Metadata().Schema
	if len(was) != len(is) {
		return &Error{fmt.Sprintf("its schema of %d elements would become one of %d", len(was), len(is))}
	}
	for i := range was {
		if !sameElement(was[i], is[i], i == 0) {
			return &Error{fmt.Sprintf("element %d of its schema would not be kept", i)}
		}
	}
	return nil
}

// sameElement compares two elements of a schema. An annotation may be added in
// its other spelling, never taken away or changed.
func sameElement(was, is format.SchemaElement, root bool) bool {
	same := was.Name == is.Name && was.Type == is.Type && was.NumChildren == is.NumChildren && was.FieldID == is.FieldID &&
		(root || was.RepetitionType == is.RepetitionType)
	if was.Type.Valid && was.Type.V == format.FixedLenByteArray {
		same = same && was.TypeLength == is.TypeLength
	}
	if was.ConvertedType.Valid {
		same = same && was.ConvertedType == is.ConvertedType
	}
	if was.Scale.Valid || was.Precision.Valid {
		same = same && was.Scale.V == is.Scale.V && was.Precision.V == is.Precision.V
	}
	if was.LogicalType.Value != nil {
		same = same && reflect.DeepEqual(was.LogicalType, is.LogicalType)
	}
	return same
}
