package parquet_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/text"
	own "github.com/sotto-dp/sotto/text/parquet"
)

func TestMetadataThatCannotBeKept(t *testing.T) {
	plain := file(t, []row{{Text: "a"}}, 1, parquet.KeyValueMetadata("k1", "one"), parquet.KeyValueMetadata("k2", "two"), parquet.KeyValueMetadata("empty", ""))
	if _, err := convert(t, plain); err != nil {
		t.Errorf("an empty value: %v", err)
	}
	twice := bytes.Replace(plain, []byte("\x02k2"), []byte("\x02k1"), 1)
	if _, err := convert(t, twice); err == nil || err.Error() != `its metadata has a key more than once, and one value would be kept: write the file again with each key once` {
		t.Errorf("a key twice: %v", err)
	}
	if err := scan(bytes.NewReader(twice), text.Options{Fields: []string{"text"}}, func([][]byte) {}); err != nil {
		t.Errorf("a key twice, only read: %v", err)
	}

	// The pair is a struct of two strings, of which the second is taken away.
	with, without := []byte("\x18\x02k2\x18\x03two\x00"), []byte("\x18\x02k2\x00")
	if bytes.Count(plain, with) != 1 {
		t.Fatal("the pair is written in another way")
	}
	none := bytes.Replace(plain, with, without, 1)
	size := none[len(none)-8 : len(none)-4]
	binary.LittleEndian.PutUint32(size, binary.LittleEndian.Uint32(size)-uint32(len(with)-len(without)))
	want := `key 3 of its metadata has no value, which cannot be read: write the file again without this key`
	if _, err := own.Format.Open(bytes.NewReader(none), text.Options{Fields: []string{"text"}}); err == nil || err.Error() != want {
		t.Errorf("a key without a value: %v", err)
	}

	for at := range 12 { // other footers
		damaged := slices.Clone(plain)
		damaged[len(damaged)-1-at] ^= 0xff
		if _, err := own.Format.Open(bytes.NewReader(damaged), text.Options{Fields: []string{"text"}}); err != nil && !strings.Contains(err.Error(), "its footer is damaged, encrypted or absent") {
			t.Errorf("byte %d from the end: %v", at, err)
		}
	}
}

func convert(t *testing.T, in []byte) ([]byte, error) {
	t.Helper()
	var out bytes.Buffer
	err := transcribe(&out, bytes.NewReader(in), copying{Options: text.Options{Fields: []string{"text"}}, change: shout})
	return out.Bytes(), err
}
