package embedding

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unsafe"
)

// maxLine bounds a line of a text file: 4,096 values of 64 bytes and a word.
const maxLine = 1 << 19

// readText reads "word v1 ... vd" lines; a first line of two whole numbers is a
// header "words dimensions". A byte order mark before it is ignored.
func readText(r *bufio.Reader, b *builder) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	announced, line := -1, 0
	for lines.Scan() {
		line++
		text := bytes.TrimRight(lines.Bytes(), " \t\r")
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte(byteOrderMark)) // else it is part of the first word
			if words, dim, ok := header(text); ok {
				announced = words
				if err := b.dimensions("line 1", dim); err != nil {
					return err
				}
				b.expect(words)
				continue
			}
		}
		if err := readLine(text, line, b); err != nil {
			return err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fault(fmt.Sprintf("line %d", line+1), "longer than %d bytes", maxLine)
	case err != nil:
		return unexpected(err, fmt.Sprintf("after line %d", line), "a compressed block")
	case line == 0:
		return fault("", "is empty, must have a word and its vector per line")
	case announced >= 0 && announced != len(b.src.Words):
		return fault("line 1", "the header says %d words, the file holds %d", announced, len(b.src.Words))
	}
	return nil
}

// header reads two whole numbers.
func header(text []byte) (words, dim int, ok bool) {
	fields := bytes.Fields(text)
	if len(fields) != 2 {
		return 0, 0, false
	}
	words, err1 := strconv.Atoi(string(fields[0]))
	dim, err2 := strconv.Atoi(string(fields[1]))
	return words, dim, err1 == nil && err2 == nil && words >= 0
}

func readLine(text []byte, line int, b *builder) error {
	word, rest, _ := bytes.Cut(text, []byte{' '})
	if tab := bytes.IndexByte(text, '\t'); tab >= 0 && tab < len(word) {
		word, rest = text[:tab], text[tab+1:]
	}
	if err := b.add("line", line, word); err != nil {
		return err
	}
	values := 0
	for len(rest) > 0 {
		if rest[0] == ' ' || rest[0] == '\t' {
			rest = rest[1:]
			continue
		}
		end := bytes.IndexAny(rest, " \t")
		if end < 0 {
			end = len(rest)
		}
		// Safe: the string is not used after the call.
		v, err := strconv.ParseFloat(unsafe.String(&rest[0], end), 32)
		if err != nil {
			return fault(fmt.Sprintf("line %d", line), "value %d is not a finite number", values+1)
		}
		if err := b.value("line", line, float32(v)); err != nil {
			return err
		}
		values++
		rest = rest[end:]
	}
	if b.src.Dim == 0 {
		return b.dimensions(fmt.Sprintf("line %d", line), values)
	}
	if values != b.src.Dim {
		return fault(fmt.Sprintf("line %d", line), "%d values, want %d as in the lines before", values, b.src.Dim)
	}
	return nil
}

// maxWord bounds a word of a binary file, in bytes.
const maxWord = 4096

// readWord2Vec reads the binary form: a header line "words dimensions", then for
// each word its spelling, a space, and the values as little-endian float32.
func readWord2Vec(r *bufio.Reader, b *builder) error {
	head, err := r.ReadSlice('\n')
	words, dim, ok := header(head)
	if err != nil || !ok {
		if len(head) == 0 && errors.Is(err, io.EOF) {
			return fault("", "is empty, want a header in its first line")
		}
		return fault("byte 0", "must begin with a line of two numbers, words and dimensions")
	}
	if err := b.dimensions("byte 0", dim); err != nil {
		return err
	}
	b.expect(words)
	vector := make([]byte, 4*dim)
	for place := 1; place <= words; place++ {
		where := fmt.Sprintf("word %d", place)
		word, err := readWord(r, ' ')
		if err != nil {
			if errors.Is(err, errLongWord) {
				return fault(where, "longer than %d bytes", maxWord)
			}
			if errors.Is(err, io.EOF) && len(word) == 0 {
				return fault(where, "the header says %d words, the file holds %d", words, place-1)
			}
			return unexpected(err, where, "a word")
		}
		if err := b.add("word", place, bytes.TrimLeft(word, "\n")); err != nil {
			return err
		}
		if _, err := io.ReadFull(r, vector); err != nil {
			return unexpected(err, where, "a vector")
		}
		if err := addVector(vector, place, b); err != nil {
			return err
		}
	}
	if rest, _ := io.ReadAll(io.LimitReader(r, 16)); len(bytes.TrimSpace(rest)) > 0 {
		return fault("", "holds more than the %d words that the header says", words)
	}
	return nil
}

var errLongWord = errors.New("word too long")

// readWord reads up to the delimiter and removes it.
func readWord(r *bufio.Reader, delimiter byte) ([]byte, error) {
	var word []byte
	for {
		c, err := r.ReadByte()
		if err != nil {
			return word, err
		}
		if c == delimiter {
			return word, nil
		}
		if word = append(word, c); len(word) > maxWord {
			return word, errLongWord
		}
	}
}
