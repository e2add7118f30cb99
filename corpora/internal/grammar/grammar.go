// Package grammar reads the frames and lists of a field and draws texts from them.
//
// A field is a folder. about.txt has lines "name: value". frames/TOPIC.txt has a frame on
// each line, which is a whole text with gaps. lists/NAME.txt has a phrase on each line,
// which may have gaps too. Empty lines and lines that begin with # are skipped.
//
//	{name}          a line of lists/name.txt
//	{name:1}        the same line wherever the text has this label, and another one for each other label
//	{one|other|}    one of the alternatives, which may be empty and may have gaps
//	a(n) {name}     "a", or "an" before a vowel
//
// What fills a gap at the beginning of a sentence gets a capital letter; what is written
// there stays as it is. A line must make sense in every frame that draws it.
package grammar

import (
	"fmt"
)

// Grammar is the frames and lists of a field.
type Grammar struct {
	about  map[string]string
	topics []topic
	lists  map[string]*list
	faults []error
}

// A topic is a file of frames.
type topic struct {
	name   string
	frames []line
}

// A list is a file of phrases.
type list struct {
	file  string
	lines []line
}

// A line is a frame or a phrase of a list.
type line struct {
	Place
	text   string
	phrase phrase
}

// Place is a line of a file.
type Place struct {
	File string
	Line int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// About returns the value of a name in about.txt, empty for none.
func (g *Grammar) About(name string) string { return g.about[name] }

func (g *Grammar) fault(at Place, format string, args ...any) {
	g.faults = append(g.faults, fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...)))
}
