package parquet_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sotto-dp/sotto/text"
	own "github.com/sotto-dp/sotto/text/parquet"
)

// random has columns that no codec makes smaller, so that a decoder that expects a common
// ratio finds too much room or too little.
type random struct {
	Key   [16]byte `parquet:"key,uuid"`
	N     int64    `parquet:"n"`
	Text  string   `parquet:"text"`
	Short int32    `parquet:"short"`
	Bytes []byte   `parquet:"bytes"`
	Again string   `parquet:"again,dict"`
}

func randomRows(n int) []random {
	bits := rand.New(rand.NewPCG(1, 2))
	rows := make([]random, n)
	for i := range rows {
		r := &rows[i]
		binary.LittleEndian.PutUint64(r.Key[:], bits.Uint64())
		binary.LittleEndian.PutUint64(r.Key[8:], bits.Uint64())
		r.N, r.Short = int64(bits.Uint64()), int32(bits.Uint32())
		r.Text, r.Again = fmt.Sprintf("secret %x", bits.Uint64()), fmt.Sprintf("%x", bits.Uint64N(1000))
		r.Bytes = make([]byte, 1+bits.IntN(60))
		for j := range r.Bytes {
			r.Bytes[j] = byte(bits.Uint32())
		}
	}
	return rows
}

func randomFile(t testing.TB, rows []random, groups int, options ...parquet.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[random](&out, options...)
	for group := range slices.Chunk(rows, len(rows)/groups) {
		if _, err := w.Write(group); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCodecsKeepCopiedColumns compares every value of what is copied, for sizes of pages
// around those that buffers come in.
func TestCodecsKeepCopiedColumns(t *testing.T) {
	for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd} {
		for _, version := range []int{1, 2} {
			for _, n := range []int{32, 256, 512, 3 * 1024, 9 * 1000} {
				rows := randomRows(n)
				in := randomFile(t, rows, 3, parquet.Compression(codec), parquet.DataPageVersion(version), parquet.PageBufferSize(1<<16))
				var out bytes.Buffer
				if err := transcribe(&out, bytes.NewReader(in), copying{Options: text.Options{Fields: []string{"text"}}, change: shout}); err != nil {
					t.Fatalf("%v, version %d: %v", codec, version, err)
				}
				got, err := parquet.Read[random](bytes.NewReader(out.Bytes()), int64(out.Len()))
				if err != nil || len(got) != len(rows) {
					t.Fatalf("%v, version %d: %d rows of %d, %v", codec, version, len(got), len(rows), err)
				}
				for i, want := range rows {
					want.Text = strings.ToUpper(want.Text)
					if g := got[i]; g.Key != want.Key || g.N != want.N || g.Text != want.Text || g.Short != want.Short || !bytes.Equal(g.Bytes, want.Bytes) || g.Again != want.Again {
						t.Fatalf("%v, version %d: row %d of %d is %+v, not %+v", codec, version, i, n, g, want)
					}
				}
			}
		}
	}
}

// TestCodecsDecodeIntoThePageOfTheDriver is what the driver relies on: it reads the memory that it
// gave, of at least the size of the page, and not what a codec returns. Streams of other writers
// do not state their size.
func TestCodecsDecodeIntoThePageOfTheDriver(t *testing.T) {
	bits := rand.New(rand.NewPCG(5, 6))
	for i := range 120 {
		page := make([]byte, []int{1, 4095, 4096, 65536, 131073, 262144}[i%6])
		for j := range page {
			if i%4 == 0 || i%4 == 1 && j%3000 < 1500 {
				page[j] = byte(bits.Uint32())
			}
		}
		var stream bytes.Buffer
		w, err := zstd.NewWriter(&stream, zstd.WithWindowSize(zstd.MinWindowSize<<(i%7)))
		if err != nil {
			t.Fatal(err)
		}
		for part := range slices.Chunk(page, 1+bits.IntN(len(page))) {
			if _, err := w.Write(part); err != nil || w.Flush() != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		encoded := map[compress.Codec][]byte{&parquet.Zstd: stream.Bytes()}
		for _, codec := range []compress.Codec{&parquet.Snappy, &parquet.Gzip, &parquet.Brotli} {
			if encoded[codec], err = codec.Encode(nil, page); err != nil {
				t.Fatal(err)
			}
		}
		for codec, data := range encoded {
			given := make([]byte, len(page), len(page)+[]int{0, 1, 64}[i%3])
			if _, err := codec.Decode(given, data); err != nil || !bytes.Equal(given, page) {
				t.Errorf("%v: a page of %d bytes is decoded elsewhere (%v)", codec, len(page), err)
			}
		}
	}
}

// withCodec changes what the footer says of the last column, from a row group on.
func withCodec(t testing.TB, file []byte, from int, codec format.CompressionCodec) []byte {
	t.Helper()
	size := int(binary.LittleEndian.Uint32(file[len(file)-8:]))
	body, footer := file[:len(file)-8-size], file[len(file)-8-size:len(file)-8]
	var protocol thrift.CompactProtocol
	var meta format.FileMetaData
	if err := thrift.Unmarshal(&protocol, footer, &meta); err != nil {
		t.Fatal(err)
	}
	for _, group := range meta.RowGroups[from:] {
		group.Columns[len(group.Columns)-1].MetaData.Codec = codec
	}
	footer, err := thrift.Marshal(&protocol, meta)
	if err != nil {
		t.Fatal(err)
	}
	out := append(slices.Clone(body), footer...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), "PAR1"...)
}

func TestOtherCodecsAreRefused(t *testing.T) {
	rows := randomRows(300)
	plain := randomFile(t, rows, 1)
	for name, in := range map[string][]byte{
		"LZ4_RAW":   randomFile(t, rows, 1, parquet.Compression(&parquet.Lz4Raw)),
		"LZ4":       withCodec(t, plain, 0, format.Lz4),
		"LZO":       withCodec(t, plain, 0, format.LZO),
		"codec 8":   withCodec(t, plain, 0, 8),
		"codec -12": withCodec(t, plain, 0, -12),
		"UNCOMPRESSED in one row group and with SNAPPY in another": withCodec(t, randomFile(t, rows, 3), 2, format.Snappy),
	} {
		want := " is compressed with " + name + ", which cannot be read: write the file again with ZSTD or SNAPPY"
		from := func() *bytes.Reader { return bytes.NewReader(in) }
		_, opened := own.Format.Open(from(), text.Options{Fields: []string{"text"}})
		_, asRows := own.Format.Rows(from(), []string{"text", "n"})
		_, cut := own.Format.Cut(from(), text.Options{})
		_, vectors := own.ReadVectors(from(), 3)
		for how, err := range map[string]error{"texts": opened, "rows": asRows, "parts": cut, "vectors": vectors} {
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s, %s: %v", how, name, err)
			}
		}
	}
}
