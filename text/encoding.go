package text

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// Invalid chooses what happens to input that is not UTF-8 or holds NUL bytes. The
// tokenizer accepts any bytes; this check keeps a file in another encoding from
// being rewritten as nonsense.
type Invalid string

// The zero value is FailInvalid. ReplaceInvalid reads the texts with U+FFFD in
// place of each invalid sequence and each NUL; other fields are copied as they are.
const (
	FailInvalid    Invalid = "fail"
	ReplaceInvalid Invalid = "replace"
)

// Check returns an *InputError for the first byte of data that is not text. line
// is the line on which data begins. It returns nil for ReplaceInvalid.
func (i Invalid) Check(data []byte, line int) error {
	if i == ReplaceInvalid || isText(data) {
		return nil
	}
	at, begins := firstInvalid(data), line == 1
	line += bytes.Count(data[:at], records.Newline)
	place := at - bytes.LastIndexByte(data[:at], '\n') // from 1
	what := "not UTF-8"
	if data[at] == 0 {
		what = "NUL"
	}
	kind, text := looksLike(data, begins)
	if !text {
		return &InputError{Kind: fault.Encoding, Line: line, What: fmt.Sprintf("byte %d is %s; this looks like %s: convert it to text first", place, what, kind)}
	}
	return &InputError{Kind: fault.Encoding, Line: line, What: fmt.Sprintf("byte %d is %s; this looks like %s: convert it to UTF-8, or replace what is invalid", place, what, kind), Encoding: true}
}

// Read returns the text itself or, for ReplaceInvalid, the text with invalid
// sequences replaced.
func (i Invalid) Read(text []byte) []byte {
	if i != ReplaceInvalid || isText(text) {
		return text
	}
	return bytes.ReplaceAll(bytes.ToValidUTF8(text, replacement), []byte{0}, replacement)
}

var replacement = []byte("\ufffd")

func isText(data []byte) bool { return firstInvalid(data) == len(data) }

// firstInvalid returns the position of the first NUL or invalid sequence, or the
// length of data if there is none. It skips eight ASCII characters at once, also
// after non-ASCII ones, which utf8.Valid does not.
func firstInvalid(data []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for at := 0; at < len(data); {
		if len(data)-at >= 8 {
			// A byte is 0 if subtracting 1 borrows into its high bit.
			if w := binary.LittleEndian.Uint64(data[at:]); (w|(w-ones))&highs == 0 {
				at += 8
				continue
			}
		}
		for end := min(at+8, len(data)); at < end; {
			switch c := data[at]; {
			case c == 0:
				return at
			case c < utf8.RuneSelf:
				at++
			case c >= 0xc2 && c < 0xe0 && at+1 < len(data) && data[at+1]&0xc0 == 0x80:
				at += 2
			default:
				r, n := utf8.DecodeRune(data[at:])
				if r == utf8.RuneError && n == 1 {
					return at
				}
				at += n
			}
		}
	}
	return len(data)
}

// signatures are the first bytes of other kinds of files; holds, if there is one, is in what
// follows them, and text says that it is text in another encoding.
var signatures = []struct {
	begin, holds, kind string
	text               bool
}{
	{"\xff\xfe\x00\x00", "", "UTF-32", true},
	{"\x00\x00\xfe\xff", "", "UTF-32", true},
	{"\xff\xfe", "", "UTF-16", true},
	{"\xfe\xff", "", "UTF-16", true},
	{"\x1f\x8b", "", "gzip, whose names end in .gz", false},
	{"\x28\xb5\x2f\xfd", "", "Zstandard, whose names end in .zst", false},
	{"PK\x03\x04", "word/", "a document of a word processor (.docx)", false},
	{"PK\x03\x04", "xl/", "a spreadsheet (.xlsx)", false},
	{"PK\x03\x04", "opendocument.spreadsheet", "a spreadsheet (.ods)", false},
	{"PK\x03\x04", "opendocument.text", "a document of a word processor (.odt)", false},
	{"PK\x03\x04", "", "a ZIP archive, such as a spreadsheet", false},
	{"\xd0\xcf\x11\xe0", "", "an old document or spreadsheet (.doc, .xls, .msg)", false},
	{"PAR1", "", "Parquet", false},
	{"%PDF-", "", "PDF", false},
}

// looksLike guesses the kind of data that is not UTF-8, and whether it is text; begins
// reports whether data is the start of a file.
func looksLike(data []byte, begins bool) (kind string, text bool) {
	for _, s := range signatures {
		if begins && bytes.HasPrefix(data, []byte(s.begin)) && bytes.Contains(data[:min(len(data), 4096)], []byte(s.holds)) {
			return s.kind, s.text
		}
	}
	const sample = 64 << 10
	data = data[:min(len(data), sample)]
	var nul [2]int // at even and odd places
	var high, control, broken, multibyte int
	for at := 0; at < len(data); {
		r, n := utf8.DecodeRune(data[at:])
		switch c := data[at]; {
		case c == 0:
			nul[at%2]++
		case r == utf8.RuneError && n == 1:
			broken++
			high++
		case n > 1:
			multibyte++
			high += n
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f':
			control++
		}
		at += n
	}
	few, many := min(nul[0], nul[1]), max(nul[0], nul[1])
	switch {
	case few+many > len(data)/2:
		return "UTF-32 or binary data", true
	case many > len(data)/4 && few < many/4:
		return "UTF-16", true
	case few+many+control > len(data)/50:
		return "binary data", false
	case few+many > 0:
		return "text with stray NUL bytes", true
	case multibyte > broken:
		return "UTF-8 with damaged characters", true
	case high <= len(data)/3:
		return "Latin-1 or Windows-1252", true
	}
	return "another 8-bit or double-byte encoding", true
}
