package release

import (
	"context"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	runs "github.com/sotto-dp/sotto/run"
)

// affordFolder is afford for the files of a run that are not done.
func (c *RewriteCmd) affordFolder(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, payer *charging.Payer, files []string, outputs map[string]string, log *runs.Log) error {
	if payer == nil {
		return nil
	}
	var todo []copied
	for _, name := range files {
		one, err := c.undone(ctx, name, outputs[name], log)
		if err != nil {
			return err
		}
		if one != nil {
			todo = append(todo, *one)
		}
	}
	return c.afford(ctx, term, r, payer, todo)
}

// undone returns a file of the run that must be drawn, nil if it is done. One that was
// interrupted has its key: what was charged for its draws is not charged again.
func (c *RewriteCmd) undone(ctx context.Context, name, output string, log *runs.Log) (*copied, error) {
	in, content, done, err := c.settled(ctx, name, output, log)
	if err != nil {
		return nil, err
	}
	_ = in.Close()
	if done != nil {
		return nil, nil
	}
	attempt, draws, err := log.Next(output, content)
	if err != nil {
		return nil, err
	}
	one := &copied{name: name, keyed: true}
	if log.Interrupted(output) == attempt.Number {
		one.key = &draws
	}
	return one, nil
}
