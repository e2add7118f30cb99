package release

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
)

type OriginalsCmd struct {
	KeepMap string `path:"read" required:"" placeholder:"FILE" group:"input" help:"Map that rewrite --keep-map wrote. Whoever has it undoes the release."`
	Sent    string `path:"read" placeholder:"FILE" group:"input" help:"Copy that the text answers: only what this copy has is put back, not what other texts of the map have."`
	Output  string `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output, for its owner alone."`
	File    string `path:"read" arg:"" optional:"" placeholder:"FILE" help:"Plain text, such as the answer of a language model (default: standard input)."`
}

// Run puts the originals of a map back into a text. It is for whoever wrote them: nothing that it
// writes is a release.
func (c *OriginalsCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if _, err := os.Stat(c.KeepMap); err != nil { // without one, rewrite begins a map
		return fmt.Errorf("%s: %w", c.KeepMap, cli.PlainError(err))
	}
	m, err := opening.Kept(ctx, c.KeepMap)
	if err != nil {
		return err
	}
	sent := []byte(nil)
	if c.Sent != "" {
		if sent, err = cli.ReadInput(ctx, c.Sent); err != nil {
			return err
		}
	}
	answer, err := cli.ReadInput(ctx, cmp.Or(c.File, "-"))
	if err != nil {
		return err
	}
	back := m.All()
	if c.Sent != "" {
		back = back.In(sent)
	}
	write := func(out io.Writer) error {
		_, err := io.WriteString(out, back.Text(string(answer)))
		return err
	}
	if c.Output == "" || c.Output == "-" {
		return write(term.Out)
	}
	return cli.WritePrivate(term, c.Output, write)
}
