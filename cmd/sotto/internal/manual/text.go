package manual

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Text writes the page as help, in lines of at most width characters where words allow.
func (p Page) Text(w io.Writer, width int) error {
	t := &printer{width: width}
	for _, s := range p.Synopses {
		t.wrap("Usage: ", "       ", s)
	}
	t.paragraph(p.Purpose)
	if len(p.Examples) > 0 {
		t.title("Examples")
		for _, e := range p.Examples {
			t.wrap("  # ", "  # ", e.Purpose)
			t.line("  " + e.Command)
		}
	}
	if len(p.Arguments) > 0 {
		t.title("Arguments")
		t.entries(p.Arguments)
	}
	if len(p.Commands) > 0 {
		t.title("Commands")
		t.entries(p.Commands)
	}
	for _, s := range p.Flags {
		t.title(s.Title)
		t.entries(s.Entries)
	}
	if len(p.Parameters) > 0 {
		t.title("Parameters of mechanisms")
		t.wrap("  ", "  ", ownParameters(p.Parameters))
	}
	if len(p.Codes) > 0 {
		t.title("Exit codes")
		for _, c := range p.Codes {
			t.wrap(fmt.Sprintf("  %-5d", c.Number), "       ", c.Meaning)
		}
	}
	_, err := w.Write(t.out.Bytes())
	return err
}

// ownParameters names flags, and refers the reader to what they mean for a mechanism.
func ownParameters(flags []string) string {
	return "Each mechanism has flags of its own, which \"sotto help mechanisms NAME\" describes. Those of all: " +
		strings.Join(flags, ", ") + "."
}

// printer lays out text.
type printer struct {
	out   bytes.Buffer
	width int
}

func (t *printer) line(s string) { t.out.WriteString(strings.TrimRight(s, " ") + "\n") }

func (t *printer) title(s string) { t.line("\n" + s) }

func (t *printer) paragraph(s string) {
	if s != "" {
		t.line("")
		t.wrap("", "", s)
	}
}

// meaningColumn is where meanings begin. A longer term has a line of its own.
const meaningColumn = 28

func (t *printer) entries(list []Entry) {
	rest := strings.Repeat(" ", meaningColumn)
	for _, e := range list {
		first := "  " + e.Term + "  "
		if n := utf8.RuneCountInString(first); n <= meaningColumn {
			first += strings.Repeat(" ", meaningColumn-n)
		} else {
			t.line(first)
			first = rest
		}
		t.wrap(first, rest, e.Meaning)
	}
}

// wrap writes the words of s in lines that begin with first, then with rest.
func (t *printer) wrap(first, rest, s string) {
	line, empty := first, true
	for _, word := range strings.Fields(s) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > t.width {
			t.line(line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	t.line(line)
}
