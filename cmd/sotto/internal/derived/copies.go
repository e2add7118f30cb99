package derived

import (
	"fmt"
	"io"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// copies reads the texts of one file of a release. The report of words identifies all of them, in
// all files together. One of an earlier version does not, but rewrite spells words in one way: a
// text that is spelled in another is not of the release, or was changed since, and the claim of
// the report is not about it.
type copies struct {
	from     *opening.Reopened
	reader   *tokenize.ReleaseReader
	tally    identity.Tally
	read     int // texts so far
	textless int // records without a text so far
	first    int // of the texts that are spelled otherwise, from 1; 0 if there is none
}

func readCopies(from *opening.Reopened) *copies {
	return &copies{from: from, reader: tokenize.NewReleaseReader(from.Table, from.Placeholder)}
}

// of returns the texts of a record, if it has any.
func (c *copies) of(r text.Record) [][]byte {
	if len(r.Texts) == 0 {
		c.textless++
	}
	return r.Texts
}

// ids appends the entries of a text.
func (c *copies) ids(dst []embedding.ID, text []byte) []embedding.ID {
	before := len(dst)
	dst = c.reader.Read(dst, text)
	c.read++
	c.tally.AddText(text)
	if c.first == 0 && !c.reader.Wrote(dst[before:], text) {
		c.first = c.read
	}
	return dst
}

// otherRows returns how the texts of all files differ from those of the report, with a warning; nil
// if they are the same, or if the report does not identify them.
func otherRows(w io.Writer, report string, files []string, all ...*copies) error {
	found := new(identity.Tally).Drawn()
	shown := make([]string, len(files))
	for i, c := range all {
		shown[i], found = cli.ShownInput(files[i]), found.Plus(c.tally.Drawn())
	}
	other := opening.OtherRows(strings.Join(shown, ", "), report, all[0].from.Drawn, found)
	if other != nil {
		opening.WarnOfRows(w, other)
	}
	return other
}

// released reports whether the texts are those of the release. other is of otherRows.
func (c *copies) released(other error) bool {
	return other == nil && (c.from.Drawn != nil || c.first == 0)
}

// input returns what the file is, with a warning where it is not the release. other is of otherRows.
func (c *copies) input(w io.Writer, file, report string, other error) provenance.Input {
	switch {
	case c.released(other):
		return c.from.Released(file)
	case other != nil:
		return clearInput(file, "texts")
	}
	fmt.Fprintf(w, "sotto: warning: %s: text %d is not spelled as rewrite writes it: the file is not the copy that %s is about, or was changed since, and nothing is claimed for it\n",
		cli.ShownInput(file), c.first, report)
	return clearInput(file, "texts")
}
