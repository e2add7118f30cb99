package models

import (
	"context"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// texts reads the whole corpus into memory: training makes many passes over it.
func (c *corpusFlags) texts(ctx context.Context, term *cli.Terminal) (texts [][]byte, err error) {
	if err := c.CheckFormat(); err != nil {
		return nil, err
	}
	if c.Format != "" && c.FormatOf("").Whole {
		return nil, cli.WrongUsage("use --format lines", "--format %s would make each file one sentence", c.Format)
	}
	for _, name := range c.files() {
		if texts, err = c.Read(ctx, term, name, texts); err != nil {
			return nil, err
		}
	}
	return texts, nil
}
