package release

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/text"
)

// check refuses the flags where every record is drawn for, and where there are many
// outputs.
func (f *faultFlags) check(c *RewriteCmd) error {
	asked := ""
	switch {
	case f.Errors != "":
		asked = "--errors"
	case f.Missing == "keep":
		asked = "--missing keep"
	}
	switch {
	case asked == "":
		return nil
	case c.Whole():
		return cli.WrongUsage("", "%s cannot be used where whole texts are protected: every record is replaced, so that none shows whether it could be read", asked)
	case c.marks():
		return cli.WrongUsage("repair the records first", "%s cannot be used with --spans: line i of the spans is for record i", asked)
	case f.Errors != "" && cli.IsFolder(c.Output):
		return cli.WrongUsage("write one file", "--errors cannot be used with a folder")
	}
	return nil
}

// checkFormats refuses formats whose records have no faults of their own.
func (f *faultFlags) checkFormats(c *cli.FormatFlags, files []string) error {
	for _, name := range files {
		if c.FormatOf(name) != text.JSONL && (f.Errors != "" || f.Missing == "keep") {
			return cli.WrongUsage("", "--missing keep and --errors are for jsonl")
		}
	}
	return nil
}

// begin begins the file of faults.
func (f *faultFlags) begin(ctx context.Context, term *cli.Terminal) (err error) {
	if f.Errors == "" {
		return nil
	}
	f.file, err = createFaultFile(ctx, term, f.Errors)
	return err
}

// stream sets how a stream treats the records of a file.
func (f *faultFlags) stream(s *sotto.Stream, shown string) {
	s.KeepMissing = f.Missing == "keep"
	if f.file != nil {
		s.Fault = func(fault *text.InputError) error { return f.file.add(shown, fault) }
	}
}

// finish writes the file of faults, and reports whether there are any.
func (f *faultFlags) finish(term *cli.Terminal, quiet bool) error {
	if f.file == nil {
		return nil
	}
	if err := f.file.commit(); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(f.Errors), cli.PlainError(err))
	}
	if f.file.any && !quiet {
		fmt.Fprintf(term.Err, "sotto: records that cannot be read are left out and listed in %s\n", cli.OutputName(f.Errors))
	}
	return nil
}

func (f *faultFlags) discard() {
	if f.file != nil && f.file.pending != nil {
		_ = f.file.pending.Cleanup()
	}
}

// faultFile lists records that were left out, a JSON document each. Only its owner may
// read it: the places of faults depend on the input.
type faultFile struct {
	w       io.Writer
	pending *atomicfile.File // nil for a pipe, a device or standard output
	close   func() error
	any     bool
}

func createFaultFile(ctx context.Context, term *cli.Terminal, name string) (*faultFile, error) {
	f := &faultFile{w: term.Data, close: func() error { return nil }}
	switch {
	case name == "-":
	case cli.Special(name):
		device, err := cli.OpenDevice(ctx, name, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
		}
		f.w, f.close = cli.Waiting(ctx, device), device.Close
	default:
		if err := term.MayWrite(name); err != nil {
			return nil, err
		}
		p, err := atomicfile.CreatePrivate(cli.Target(name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
		}
		f.w, f.pending, f.close = p, p, p.CloseAtomicallyReplace
	}
	return f, nil
}

// add lists one record.
func (f *faultFile) add(shown string, fault *text.InputError) error {
	f.any = true
	line, err := json.Marshal(struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Reason string `json:"reason"`
	}{shown, fault.Line, fault.What})
	if err == nil {
		_, err = f.w.Write(append(line, '\n'))
	}
	if err != nil {
		err = fmt.Errorf("the file of --errors: %w", cli.PlainError(err))
	}
	return err
}

func (f *faultFile) commit() error { return f.close() }
