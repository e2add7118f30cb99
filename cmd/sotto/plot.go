package main

import (
	"context"
	"path/filepath"
)

// picture is what charts can be drawn as.
type picture interface {
	SVG() string
	PNG() ([]byte, error)
}

// checkPlots refuses names whose ending does not say how to draw.
func checkPlots(names []string) error {
	for _, name := range names {
		if ext := filepath.Ext(name); ext != ".svg" && ext != ".png" {
			return wrongUsage("", "plot is %q, must end in .svg or .png", name)
		}
	}
	return nil
}

// drawAll writes a picture under every name.
func drawAll(ctx context.Context, term *terminal, names []string, p picture) error {
	for _, name := range names {
		data := []byte(p.SVG())
		if filepath.Ext(name) == ".png" {
			var err error
			if data, err = p.PNG(); err != nil {
				return err
			}
		}
		if err := writeWhole(ctx, term, name, data); err != nil {
			return err
		}
	}
	return nil
}
