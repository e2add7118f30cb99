package manual

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Title is the heading of a manual page.
type Title struct {
	Name    string // of the page: sotto-rewrite
	Section int
	Date    time.Time // of the release
	Version string
}

// Mdoc writes the page as a manual page in the language mdoc. see lists other pages of
// section 1.
func (p Page) Mdoc(w io.Writer, t Title, see []string) error {
	m := &mdoc{}
	m.heading(t, p.Purpose)
	m.macro("Sh SYNOPSIS")
	for _, s := range p.Synopses {
		m.macro("Bd -ragged -compact")
		m.text(s)
		m.macro("Ed")
	}
	m.macro("Sh DESCRIPTION")
	m.text(p.Purpose)
	if len(p.Arguments) > 0 {
		m.macro("Ss Arguments")
		m.list(p.Arguments)
	}
	if len(p.Commands) > 0 {
		m.macro("Ss Commands")
		m.list(p.Commands)
	}
	for _, s := range p.Flags {
		m.macro("Ss " + escape(s.Title))
		m.list(s.Entries)
	}
	if len(p.Parameters) > 0 {
		m.macro("Ss Parameters of mechanisms")
		m.text(ownParameters(p.Parameters))
	}
	if len(p.Codes) > 0 {
		m.macro("Sh EXIT STATUS")
		var codes []Entry
		for _, c := range p.Codes {
			codes = append(codes, Entry{fmt.Sprint(c.Number), c.Meaning + "."})
		}
		m.list(codes)
	}
	if len(p.Examples) > 0 {
		m.macro("Sh EXAMPLES")
		for i, e := range p.Examples {
			if i > 0 {
				m.macro("Pp")
			}
			m.text(e.Purpose + ":")
			m.literal(e.Command)
		}
	}
	m.see(see)
	_, err := io.WriteString(w, m.out.String())
	return err
}

// Topic writes a text of help, such as that on units, as a manual page.
func Topic(w io.Writer, t Title, purpose, body string) error {
	m := &mdoc{}
	m.heading(t, purpose)
	m.macro("Sh DESCRIPTION")
	m.literal(strings.TrimRight(body, "\n"))
	m.see([]string{"sotto"})
	_, err := io.WriteString(w, m.out.String())
	return err
}

// mdoc is a manual page that is being written.
type mdoc struct{ out strings.Builder }

func (m *mdoc) macro(s string) { m.out.WriteString("." + s + "\n") }

func (m *mdoc) heading(t Title, purpose string) {
	m.macro("Dd " + t.Date.Format("January 2, 2006"))
	m.macro(fmt.Sprintf("Dt %s %d", strings.ToUpper(t.Name), t.Section))
	m.macro("Os sotto " + t.Version)
	m.macro("Sh NAME")
	m.macro("Nm " + t.Name)
	m.macro("Nd " + escape(strings.TrimSuffix(purpose, ".")))
}

// text writes one paragraph. Each sentence begins a line, and lines are short, as readers
// of the source expect.
func (m *mdoc) text(s string) {
	for _, sentence := range strings.Split(strings.ReplaceAll(s, ". ", ".\n"), "\n") {
		line := ""
		for _, word := range strings.Fields(sentence) {
			if line != "" && len(line)+1+len(word) > 70 {
				m.out.WriteString(plain(line) + "\n")
				line = ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		if line != "" {
			m.out.WriteString(plain(line) + "\n")
		}
	}
}

func (m *mdoc) literal(s string) {
	m.macro("Bd -literal -offset indent")
	for _, line := range strings.Split(s, "\n") {
		m.out.WriteString(plain(line) + "\n")
	}
	m.macro("Ed")
}

func (m *mdoc) list(entries []Entry) {
	m.macro("Bl -tag -width Ds")
	for _, e := range entries {
		m.macro("It Xo")
		m.out.WriteString(plain(strings.TrimSpace(e.Term)) + "\n")
		m.macro("Xc")
		m.text(e.Meaning)
	}
	m.macro("El")
}

func (m *mdoc) see(pages []string) {
	if len(pages) == 0 {
		return
	}
	m.macro("Sh SEE ALSO")
	for i, name := range pages {
		end := " ,"
		if i == len(pages)-1 {
			end = ""
		}
		m.macro("Xr " + name + " 1" + end)
	}
}

// escape returns text that means itself within a macro's line and elsewhere.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\e`, `"`, `\(dq`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`).Replace(s)
}

// plain returns a line of text, which must not begin like a macro.
func plain(s string) string {
	if s = escape(s); strings.HasPrefix(s, ".") {
		return `\&` + s
	}
	return s
}
