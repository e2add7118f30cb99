package parquet

import (
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// codecs are the compressions that the driver decodes into the memory it reads from.
// Its LZ4_RAW is absent: it may decode into memory of its own, and the driver then takes
// the bytes of an earlier page, of any column or file, for those of the page.
var codecs = map[format.CompressionCodec]bool{
	format.Uncompressed: true,
	format.Snappy:       true,
	format.Gzip:         true,
	format.Brotli:       true,
	format.Zstd:         true,
}

// readableCodecs refuses a file with pages that cannot be decoded. All columns count, as
// those that are not chosen are copied. The driver decodes every row group with the codec
// of the first.
func readableCodecs(file *format.FileMetaData) error {
	for _, group := range file.RowGroups {
		for i, chunk := range group.Columns {
			codec := chunk.MetaData.Codec
			if !codecs[codec] {
				return &Error{fmt.Sprintf("column %d is compressed with %s, which cannot be read: %s", i+1, codecName(codec), writeAgain)}
			}
			if first := file.RowGroups[0].Columns; i < len(first) && first[i].MetaData.Codec != codec {
				return &Error{fmt.Sprintf("column %d is compressed with %s in one row group and with %s in another, which cannot be read: %s",
					i+1, codecName(first[i].MetaData.Codec), codecName(codec), writeAgain)}
			}
		}
	}
	return nil
}

const writeAgain = "write the file again with ZSTD or SNAPPY"

func codecName(codec format.CompressionCodec) string {
	if codec < format.Uncompressed || codec > format.Lz4Raw {
		return fmt.Sprintf("codec %d", codec)
	}
	return codec.String()
}
