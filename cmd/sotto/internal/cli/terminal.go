// Package cli is what every command of sotto shares: the terminal, files and formats that are
// read and written, and errors with their exit codes.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/alecthomas/kong"
	"github.com/schollz/progressbar/v3"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/progress"
)

// Terminal is where a command reads and writes.
type Terminal struct {
	In       *os.File
	Out, Err io.Writer
	Data     io.Writer       // standard output, for an output flag with value -
	Writable map[string]bool // the files that the command line declares as written
}

// RefuseBinary refuses to write data that is not text to standard output if that is a
// terminal. output is the name of the output, empty for standard output.
func (t *Terminal) RefuseBinary(output, what string) error {
	if output != "" || !OnTerminal(t.Out) {
		return nil
	}
	return WrongUsage("write it to a file with -o, or redirect standard output", "%s is binary data, which is not written to a terminal", what)
}

// Claim refuses a command line that would write a file it also reads, or write one file
// twice, before anything is opened. It replaces - for an output by the empty name. If a
// flag other than the output is -, standard output belongs to that flag, and what the
// command prints goes to standard error.
func (t *Terminal) Claim(node *kong.Node) error {
	c := &claims{}
	for _, v := range ValuesOf(node) {
		if err := c.add(v); err != nil {
			return err
		}
	}
	if c.taken && c.json != "" {
		c.stdout = append(c.stdout, c.json)
	}
	switch {
	case c.taken && len(c.stdout) > 1:
		return WrongUsage("give one of them a file", "%s and %s both write to standard output", c.stdout[0], c.stdout[1])
	case len(c.stdin) > 1:
		return WrongUsage("", "%s and %s both read standard input", c.stdin[0], c.stdin[1])
	}
	if also, ok := node.Target.Addr().Interface().(alsoUser); ok {
		c.uses = append(c.uses, also.AlsoUses()...)
	}
	t.Writable = map[string]bool{}
	for _, u := range c.uses {
		t.Writable[u.Name] = t.Writable[u.Name] || u.Writes
		if u.Writes && atomicfile.Dangling(u.Name) { // before anything is charged
			return WrongUsage("remove the link, or make that file", "%s is a symbolic link to a file that does not exist", u)
		}
	}
	if err := paths.Check(append(c.uses, c.redirected(t.In, FileOf(t.Out))...)); err != nil {
		var conflict *paths.ConflictError
		switch {
		case !errors.As(err, &conflict):
		case conflict.A.Writes:
			return WrongUsage("give each output a different name", "%v", err)
		case conflict.A.Public || conflict.B.Public:
			return WrongUsage("give a file that holds nothing of the texts", "%v", err)
		default:
			return WrongUsage("give each file once", "%v", err)
		}
		return err
	}
	if err := c.canWrite(); err != nil {
		return err
	}
	t.Data = t.Out
	if c.binary {
		if err := t.RefuseBinary("", "the file"); err != nil {
			return err
		}
	}
	if c.taken {
		t.Out = t.Err
	}
	return nil
}

// MayWrite refuses a file that no flag declared, which is a bug: it would not have been
// compared with the files that are read.
func (t *Terminal) MayWrite(name string) error {
	if !t.Writable[name] {
		return fmt.Errorf("%s: no flag declares this file as written", name)
	}
	return nil
}

// Progress returns a reporter that draws one bar per long computation on standard error,
// or nil if that is not a terminal. Work shorter than half a second draws nothing.
func (t *Terminal) Progress() progress.Func {
	if !OnTerminal(t.Err) {
		return nil
	}
	var bar *progressbar.ProgressBar
	var last string
	var since time.Time
	var rest estimate
	return func(r progress.Report) {
		if r.Stage != last {
			if bar != nil {
				_ = bar.Clear()
			}
			bar, last, since = nil, r.Stage, time.Now()
			rest = estimate{begin: since}
		}
		if bar == nil && time.Since(since) > 500*time.Millisecond {
			bar = newBar(t.Err, int64(r.Total), r.Stage, false)
		}
		if bar != nil {
			what := r.Stage
			if left, ok := rest.at(time.Now(), r.Done, r.Total); ok {
				what += fmt.Sprintf(", %v left", left.Round(time.Second))
			}
			bar.Describe(what)
			_ = bar.Set(r.Done)
			if r.Done >= r.Total {
				_ = bar.Clear()
			}
		}
	}
}

// ReadingBar returns a function that makes progress bars for reading. It is nil if nobody
// watches, or if the data goes to the same terminal.
func (t *Terminal) ReadingBar(output string) newBarFunc {
	if !OnTerminal(t.Err) || OnTerminal(t.Out) && output == "" {
		return nil
	}
	return func(what string, total int64) *progressbar.ProgressBar { return newBar(t.Err, total, what, true) }
}
