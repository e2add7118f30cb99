package parquet

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// keepsPairs refuses key-value metadata that the driver would write otherwise: it keeps one
// value of a key. A damaged file may have a text in place of a key, so no error quotes one.
func keepsPairs(pairs []format.KeyValue) error {
	seen := map[string]bool{}
	for _, pair := range pairs {
		if seen[pair.Key] {
			return &Error{"its metadata has a key more than once, and one value would be kept: write the file again with each key once"}
		}
		seen[pair.Key] = true
	}
	return nil
}

// noFooter says why a footer cannot be read. The driver reads none with a key that has no
// value, which the format allows.
func noFooter(in io.ReaderAt, size int64) error {
	const unreadable = "its footer is damaged, encrypted or absent"
	tail := make([]byte, 8)
	if _, err := in.ReadAt(tail, size-8); err != nil || string(tail[4:]) != "PAR1" {
		return broken(unreadable)
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	if length > size-8 {
		return broken(unreadable)
	}
	footer := make([]byte, length)
	if _, err := in.ReadAt(footer, size-8-length); err != nil {
		return broken(unreadable)
	}
	var protocol thrift.CompactProtocol
	var meta struct {
		Pairs []struct {
			Key   string              `thrift:"1,required"`
			Value thrift.Null[string] `thrift:"2,optional"`
		} `thrift:"5,optional"`
	}
	if thrift.Unmarshal(&protocol, footer, &meta) == nil {
		for i, pair := range meta.Pairs {
			if !pair.Value.Valid {
				return &Error{fmt.Sprintf("key %d of its metadata has no value, which cannot be read: write the file again without this key", i+1)}
			}
		}
	}
	return broken(unreadable)
}
