package release

import (
	"fmt"
	"io"
	"slices"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// noteInput prints what the flags did not cover: columns that were copied, and lines that
// were protected one by one although each file may be one text. It depends on the flags and
// on the names of the files, not on what they hold.
func (c *RewriteCmd) noteInput(w io.Writer, unit privacy.Unit, files []string) {
	if len(c.Field) > 0 && !c.pools() {
		fmt.Fprintln(w, "sotto: note: other columns and fields are copied as they are, and nothing protects them")
	}
	lines := func(name string) bool { return c.FormatOf(name) == text.Lines }
	if unit == privacy.Text && c.Format == "" && len(files) > 1 && !slices.ContainsFunc(files, func(name string) bool { return !lines(name) }) {
		fmt.Fprintln(w, "sotto: warning: each line was a text of its own: if each file is one text, use --format text")
	}
}
