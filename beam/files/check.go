package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/run"
	"github.com/sotto-dp/sotto/text"
)

// Check returns an error for inputs whose outputs would have the same name, for a file that is
// given twice, and for one that cannot be cut into parts or lacks the fields. Of remote files it
// reads the first of each format. It writes nothing.
func Check(ctx context.Context, cfg Config) error {
	if err := cfg.checkNames(); err != nil {
		return err
	}
	if cfg.Marks != nil {
		return errors.New("marks are of elements: files have none")
	}
	inputs, cfg := cfg.share()
	seen := map[*text.Format]bool{}
	for _, name := range inputs {
		format := cfg.formatOf(name)
		if seen[format] && (format.Seeks || !local(name)) {
			continue
		}
		seen[format] = true
		if err := check(ctx, name, format, cfg); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// check reads the beginning of a file: its header, and the first part.
func check(ctx context.Context, name string, format *text.Format, cfg Config) error {
	if local(name) {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return errFolder
		}
	}
	in, err := openInput(ctx, name, format)
	if err != nil {
		return err
	}
	defer in.Close()
	if format.Seeks {
		_, err = format.Open(in.Reader, cfg.options())
		return err
	}
	parts, err := format.Cut(in.Reader, cfg.options())
	if err != nil {
		return err
	}
	first, err := parts.Next()
	if err == io.EOF { // an empty file
		return nil
	}
	if err != nil {
		return err
	}
	err = (&partJob{cfg: cfg, format: format}).read(slices.Concat(first.Header, first.Data))
	if errors.As(err, new(*text.FieldError)) {
		return err
	}
	return nil // records that cannot be read are left out
}

var errFolder = &run.Refusal{What: "a folder", Remedy: "give the files in it, as in 'FOLDER/*'", Usage: true}

// checkTwice refuses a local file that is given as two inputs: each of its texts would lose twice
// what is promised.
func (c Config) checkTwice() error {
	var uses []paths.Use
	for _, in := range c.Inputs {
		uses = append(uses, paths.Use{Flag: "input", Name: in, Texts: true})
	}
	return paths.Check(uses)
}
