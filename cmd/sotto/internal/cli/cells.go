package cli

import (
	"bytes"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"golang.org/x/text/width"
)

// cellWriter is a [tabwriter.Writer] that aligns the cells that cell returns as a terminal
// shows them: letters of Chinese, Japanese and Korean are two columns wide, and marks that
// combine with a letter take none. tabwriter counts each as one.
type cellWriter struct {
	*tabwriter.Writer
	out   io.Writer
	text  bytes.Buffer
	cells []string
}

// A cell is a placeholder until the text is aligned: firstCell and its number, and a
// filler for each further column.
const (
	firstCell = 0xF0000 // for private use, as filler is
	filler    = 0x10FFFD
)

func NewCellWriter(out io.Writer) *cellWriter {
	w := &cellWriter{out: out}
	w.Writer = tabwriter.NewWriter(&w.text, 0, 0, 2, ' ', 0)
	return w
}

// Cell returns what to write for a text.
func (w *cellWriter) Cell(text string) string {
	columns := columnsOf(text)
	if columns == 0 || len(w.cells) == filler-firstCell {
		return text
	}
	w.cells = append(w.cells, text)
	return string(rune(firstCell+len(w.cells)-1)) + strings.Repeat(string(rune(filler)), columns-1)
}

func (w *cellWriter) Flush() error {
	if err := w.Writer.Flush(); err != nil {
		return err
	}
	var aligned strings.Builder
	for _, r := range w.text.String() {
		switch at := int(r) - firstCell; {
		case r == filler:
		case at >= 0 && at < len(w.cells):
			aligned.WriteString(w.cells[at])
		default:
			aligned.WriteRune(r)
		}
	}
	w.text.Reset()
	w.cells = nil
	_, err := io.WriteString(w.out, aligned.String())
	return err
}

// columnsOf returns the width of a text in a terminal.
func columnsOf(text string) (columns int) {
	for _, r := range text {
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			continue
		}
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			columns += 2
		default:
			columns++
		}
	}
	return columns
}
