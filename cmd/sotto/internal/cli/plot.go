package cli

import (
	"context"
	"path/filepath"
)

// picture is a chart that can be drawn as SVG and PNG.
type picture interface {
	SVG() string
	PNG() ([]byte, error)
}

// CheckPlots refuses names without a known extension.
func CheckPlots(names []string) error {
	for _, name := range names {
		if ext := filepath.Ext(name); ext != ".svg" && ext != ".png" {
			return WrongUsage("", "--plot must end in .svg or .png, got %q", name)
		}
	}
	return nil
}

// DrawAll writes a picture to every name.
func DrawAll(ctx context.Context, term *Terminal, names []string, p picture) error {
	for _, name := range names {
		data := []byte(p.SVG())
		if filepath.Ext(name) == ".png" {
			var err error
			if data, err = p.PNG(); err != nil {
				return err
			}
		}
		if err := WriteWhole(ctx, term, name, data); err != nil {
			return err
		}
	}
	return nil
}
