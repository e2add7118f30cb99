package release

import (
	"context"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	runs "github.com/sotto-dp/sotto/run"
)

// affordFolder is afford for the files of a run that are not done. It returns those that are, by
// their names.
func (c *RewriteCmd) affordFolder(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, payer *charging.Payer, files []string, outputs map[string]string, log *runs.Log) (done map[string]*runs.Whole, err error) {
	if payer == nil {
		return nil, nil
	}
	done = map[string]*runs.Whole{}
	var todo []copied
	for _, name := range files {
		one, whole, err := c.undone(ctx, name, outputs[name], log)
		if err != nil {
			return nil, err
		}
		if whole != nil {
			done[name] = whole
		} else {
			todo = append(todo, one)
		}
	}
	return done, c.afford(ctx, term, r, payer, todo)
}

// undone returns a file of the run that must be drawn, or its output if it is done. One that was
// interrupted has its key: what was charged for its draws is not charged again. Only what an
// earlier attempt was made of is compared with the file: the digest that names the draws is that
// of the bytes just before they are read, and is not handed on.
func (c *RewriteCmd) undone(ctx context.Context, name, output string, log *runs.Log) (one copied, done *runs.Whole, err error) {
	one = copied{name: name, keyed: true}
	if !log.Begun(output) {
		_, err = log.Settle(ctx, output, name, "", c.Again)
		return one, nil, refusal(err)
	}
	in, content, done, err := c.settled(ctx, name, output, log)
	if err != nil {
		return one, nil, err
	}
	_ = in.Close()
	if done != nil {
		return one, done, nil
	}
	attempt, draws, err := log.Next(output, content)
	if err == nil && log.Interrupted(output) == attempt.Number {
		one.key = &draws
	}
	return one, nil, err
}
