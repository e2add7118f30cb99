package parquet_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/sotto-dp/sotto/text"
)

// orderlessRows returns rows of some columns without an order, and their schema.
func orderlessRows() (*parquet.Schema, []parquet.Row) {
	money := func() parquet.Node { return parquet.Decimal(2, 38, parquet.FixedLenByteArrayType(16)) }
	group := parquet.Group{
		"text":  parquet.String(),
		"span":  parquet.Optional(parquet.IntervalNode()),
		"money": parquet.Optional(money()),
		"coded": parquet.Encoded(money(), &parquet.RLEDictionary),
		"long":  parquet.Decimal(2, 50, parquet.ByteArrayType),
		"old":   parquet.Leaf(parquet.Int96Type),
		"small": parquet.Decimal(2, 9, parquet.Int32Type),
		"fixed": parquet.Leaf(parquet.FixedLenByteArrayType(3)),
	}
	schema := parquet.NewSchema("row", group)
	names := schema.Columns()
	bits := rand.New(rand.NewPCG(3, 4))
	some := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(bits.Uint32())
		}
		return b
	}
	var rows []parquet.Row
	for i := range 3000 {
		row := make(parquet.Row, len(names))
		for c, path := range names {
			var v parquet.Value
			level := 0
			switch path[0] {
			case "text":
				v = parquet.ByteArrayValue([]byte("secret"))
			case "span", "money":
				if level = i % 2; level > 0 && i > 1500 {
					v = parquet.FixedLenByteArrayValue(some(map[string]int{"span": 12, "money": 16}[path[0]]))
				} else {
					level = 0
				}
			case "coded":
				v = parquet.FixedLenByteArrayValue(bytes.Repeat([]byte{byte(i % 5 * 60)}, 16))
			case "long":
				v = parquet.ByteArrayValue(some(1 + i%20))
			case "old":
				v = parquet.Int96Value(deprecated.Int96{uint32(i), bits.Uint32(), bits.Uint32()})
			case "small":
				v = parquet.Int32Value(int32(i - 50))
			case "fixed":
				v = parquet.FixedLenByteArrayValue(some(3))
			}
			row[c] = v.Level(0, level, c)
		}
		rows = append(rows, row)
	}
	return schema, rows
}

func orderlessFile(t *testing.T, schema *parquet.Schema, rows []parquet.Row) []byte {
	t.Helper()
	var in bytes.Buffer
	w := parquet.NewGenericWriter[any](&in, schema)
	for _, part := range [][]parquet.Row{rows[:1000], rows[1000:]} {
		if _, err := w.WriteRows(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return in.Bytes()
}

// TestColumnsWithoutOrderHaveNoBounds copies columns whose least and greatest value the driver
// would state wrongly: readers leave out rows by them, or refuse the file.
func TestColumnsWithoutOrderHaveNoBounds(t *testing.T) {
	schema, rows := orderlessRows()
	in, names := orderlessFile(t, schema, rows), schema.Columns()
	bounded := map[string]bool{"small": true, "fixed": true, "text": true}
	var out bytes.Buffer
	if err := transcribe(&out, bytes.NewReader(in), copying{Options: text.Options{Fields: []string{"text"}}, change: shout}); err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	pages := file.ColumnIndexes()
	for g, rg := range file.Metadata().RowGroups {
		for c, chunk := range rg.Columns {
			name, statistics := names[c][0], chunk.MetaData.Statistics
			if (statistics.MinValue != nil) != bounded[name] || (statistics.MaxValue != nil) != bounded[name] || statistics.Min != nil && !bounded[name] {
				t.Errorf("row group %d, %s: bounds %x to %x", g, name, statistics.MinValue, statistics.MaxValue)
			}
			index := pages[g*len(names)+c]
			if n := len(index.NullPages); n == 0 || len(index.MinValues) != n || len(index.MaxValues) != n || len(index.NullCounts) != n {
				t.Errorf("row group %d, %s: the index of %d pages has %d least and %d greatest values", g, name, n, len(index.MinValues), len(index.MaxValues))
			}
			for p, null := range index.NullPages {
				if !null && name == "money" && (index.MinValues[p][0] != 0x80 || index.MaxValues[p][0] != 0x7f) {
					t.Errorf("row group %d, %s: page %d is from %x to %x", g, name, p, index.MinValues[p], index.MaxValues[p])
				}
			}
		}
	}
	got := make([]parquet.Row, len(rows)+1)
	r := parquet.NewGenericReader[any](bytes.NewReader(out.Bytes()), schema)
	defer r.Close()
	n := 0
	for n < len(rows) {
		k, err := r.ReadRows(got[n:])
		if n += k; err != nil || k == 0 {
			break
		}
	}
	if n != len(rows) {
		t.Fatalf("%d rows of %d", n, len(rows))
	}
	for i, row := range rows {
		for c, want := range row {
			if names[c][0] != "text" && !parquet.Equal(got[i][c], want) {
				t.Fatalf("row %d, %s: %v, not %v", i, names[c][0], got[i][c], want)
			}
		}
	}
}
