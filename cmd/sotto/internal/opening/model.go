package opening

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// ModelFlags choose the model that rewrites whole texts.
type ModelFlags struct {
	Model  string `path:"read" placeholder:"FILE" group:"privacy" help:"Model of sotto train autoencoder: rewrites whole texts (adept), each with epsilon."`
	Pieces int    `placeholder:"N" group:"privacy" help:"With --model: pieces per text, each costing epsilon (default: 1); texts that do not fit are refused."`
	Beam   int    `placeholder:"N" group:"advanced" help:"With --model: beam width of the decoder (default: 1, greedy)."`
}

// Check refuses flags that cannot be used with a model.
func (c *ModelFlags) Check(m *MechanismFlags) error {
	if c.Model == "" {
		if c.Pieces != 0 || c.Beam != 0 {
			return cli.WrongUsage("", "--pieces and --beam need --model")
		}
		return nil
	}
	if m.Words != nil {
		return cli.WrongUsage("", "--words cannot be used with --model: the vocabulary is the model's")
	}
	m.Unworded = true
	return nil
}

// Apply opens the model, if there is one.
func (c *ModelFlags) Apply(ctx context.Context, cfg *sotto.Config) (err error) {
	if c.Model != "" {
		cfg.Model, err = Model(ctx, c.Model)
	}
	cfg.Pieces, cfg.Beam = c.Pieces, c.Beam
	return err
}

// Model reads a model's file.
func Model(ctx context.Context, name string) (*autoencoder.Model, error) {
	data, err := cli.ReadInput(ctx, name)
	if err != nil {
		return nil, err
	}
	m, err := autoencoder.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}
