package release

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// noteInput prints what the flags did not cover: columns that were copied, and lines that
// were protected one by one.
func (c *RewriteCmd) noteInput(w io.Writer, unit privacy.Unit, files []string) {
	if len(c.Field) > 0 && !c.pools() {
		fmt.Fprintln(w, "sotto: note: other columns and fields are copied as they are, and nothing protects them")
	}
	if unit == privacy.Text {
		c.WarnOfLines(w, files, "text")
	}
}

// prompts reports whether an input is answered as it comes. Texts whose lengths are hidden
// are, one by one, only for a person who types: one by one takes five times as long, and
// what a pipe holds when it is read depends on the lengths.
func prompts(term *cli.Terminal, name string, seeded, hidden bool) bool {
	return cli.IsStdin(name) && !seeded && (!hidden || cli.OnTerminal(term.In))
}

// checkHeaders refuses several files of which one does not fit the flags, before any of them
// is drawn and charged for. It reads no further than a header.
func (c *RewriteCmd) checkHeaders(ctx context.Context, term *cli.Terminal, files []string) error {
	if len(files) == 1 || c.Resume { // of a run, some may be done, and have changed since
		return nil
	}
	for _, name := range files {
		if !twice(name) {
			continue
		}
		if err := c.checkHeader(ctx, term, name); err != nil {
			return err
		}
	}
	return nil
}

// twice reports whether an input can be read twice, as a pipe cannot.
func twice(name string) bool {
	info, err := os.Stat(name)
	return !cli.IsStdin(name) && (err != nil || info.Mode().IsRegular())
}

func (c *RewriteCmd) checkHeader(ctx context.Context, term *cli.Terminal, name string) error {
	in, err := c.Source(ctx, term, name, nil, nil)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = in.Format.Open(in.Reader, text.Options{Fields: c.Field, By: c.User, Invalid: text.Invalid(c.Invalid)})
	return in.Fault(err, c.Output)
}

// nameless warns the operator that no record names a user, as one of a misspelt field does: all
// of them then count as one user. In a log it would depend on what the records hold.
func (c *RewriteCmd) nameless() string {
	return fmt.Sprintf("sotto: warning: no record has the field %q: all of them count as one user (do not publish this: it depends on the records)", c.User)
}
