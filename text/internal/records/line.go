package records

import "bytes"

// Newline ends a line.
var Newline = []byte{'\n'}

// Mark is a byte order mark.
var Mark = []byte("\xef\xbb\xbf")

// CutLine returns where the line that begins at at ends, without its \n or \r\n,
// and where the next begins. A \r at the end of the data is part of a line end too: the
// last line is read like the others where its \n is missing.
func CutLine(data []byte, at int) (end, next int) {
	end, next = len(data), len(data)
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		end, next = at+i, at+i+1
	}
	if end > at && data[end-1] == '\r' {
		end--
	}
	return end, next
}

// Blank reports whether a line is empty to JSON. Other white space is not: it would be
// copied.
func Blank(line []byte) bool { return len(bytes.Trim(line, " \t\r\n")) == 0 }
