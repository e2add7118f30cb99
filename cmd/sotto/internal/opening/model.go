package opening

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

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
