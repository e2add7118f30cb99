package main

import (
	"bytes"
	"context"
	"io"

	"github.com/sotto-dp/sotto/text"
)

// texts reads the whole corpus into memory: training makes many passes over it.
func (c *corpusFlags) texts(ctx context.Context, term *terminal) (texts [][]byte, err error) {
	if err := c.checkFormat(); err != nil {
		return nil, err
	}
	if c.Format != "" && c.formatOf("").Whole {
		return nil, wrongUsage("use --format lines", "--format %s would make each file one sentence", c.Format)
	}
	for _, name := range c.files() {
		if texts, err = c.read(ctx, term, name, texts); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// read appends the texts of one file.
func (c *formatFlags) read(ctx context.Context, term *terminal, name string, texts [][]byte) ([][]byte, error) {
	err := c.eachBatch(ctx, term, name, func(b text.Batch) error {
		some, err := b.Texts()
		for _, t := range some {
			texts = append(texts, bytes.Clone(t))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return texts, nil
}

// eachBatch calls take with the batches of one file, and ends with ctx.
func (c *formatFlags) eachBatch(ctx context.Context, term *terminal, name string, take func(text.Batch) error) error {
	in, err := c.source(ctx, term, name, nil, nil)
	if err != nil {
		return err
	}
	defer in.close()
	batches, err := in.format.Open(in.Reader, text.Options{Fields: c.Field, Invalid: text.Invalid(c.Invalid)})
	for err == nil {
		var b text.Batch
		if b, err = batches.Next(); err != nil {
			break
		}
		if err = take(b); err == nil {
			err = ctx.Err()
		}
	}
	if err == io.EOF {
		return nil
	}
	return in.fault(err, "")
}
