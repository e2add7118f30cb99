package main

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/autoencoder"
)

// modelFlags choose the model that rewrites whole texts.
type modelFlags struct {
	Model  string `path:"read" placeholder:"FILE" group:"privacy" help:"Model of sotto train autoencoder: rewrites whole texts (adept), each with epsilon."`
	Pieces int    `placeholder:"N" group:"privacy" help:"With --model: pieces per text, each costing epsilon (default: 1); texts that do not fit are refused."`
	Beam   int    `placeholder:"N" group:"advanced" help:"With --model: beam width of the decoder (default: 1, greedy)."`
}

// check refuses flags that cannot be used with a model.
func (c *modelFlags) check(m *mechanismFlags) error {
	if c.Model == "" {
		if c.Pieces != 0 || c.Beam != 0 {
			return wrongUsage("", "--pieces and --beam need --model")
		}
		return nil
	}
	if m.Words != nil {
		return wrongUsage("", "--words cannot be used with --model: the vocabulary is the model's")
	}
	m.unworded = true
	return nil
}

// apply opens the model, if there is one.
func (c *modelFlags) apply(ctx context.Context, cfg *sotto.Config) (err error) {
	if c.Model != "" {
		cfg.Model, err = openModel(ctx, c.Model)
	}
	cfg.Pieces, cfg.Beam = c.Pieces, c.Beam
	return err
}

// openModel reads a model's file.
func openModel(ctx context.Context, name string) (*autoencoder.Model, error) {
	data, err := readInput(ctx, name)
	if err != nil {
		return nil, err
	}
	m, err := autoencoder.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}
