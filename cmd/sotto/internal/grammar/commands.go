package grammar

import (
	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// Commands returns the part of the grammar that args can reach, for help and completion.
func Commands(args ...string) (*kong.Application, error) {
	parser, err := newParser(args, &cli.Terminal{})
	if err != nil {
		return nil, err
	}
	return parser.Model, nil
}
