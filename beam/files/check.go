package files

import (
	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/text"
)

// Check returns an error for inputs whose outputs would have the same name, or for fields
// that the first input of a format does not have. It runs nothing.
func Check(ctx context.Context, cfg Config) error {
	if err := cfg.checkNames(); err != nil {
		return err
	}
	if cfg.Marks != nil {
		return errors.New("marks are of elements: files have none")
	}
	seen := map[*text.Format]bool{}
	for _, name := range cfg.Inputs {
		format := cfg.formatOf(name)
		if seen[format] {
			continue
		}
		seen[format] = true
		if err := check(ctx, name, format, cfg); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// check reads the beginning of a file and its first texts.
func check(ctx context.Context, name string, format *text.Format, cfg Config) error {
	in, err := openInput(ctx, name, format)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = format.Open(in.Reader, cfg.options())
	return err
}
