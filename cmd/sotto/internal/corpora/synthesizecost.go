package corpora

import (
	"context"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
)

// price prints the cost of a release: its claim once, for any records. It opens the ledger
// for reading.
func (c *SynthesizeCmd) price(ctx context.Context, term *cli.Terminal, plan *synthesis.Plan, files []string, vectors recordVectors) error {
	claim := plan.Claim()
	payer, err := c.PayerOf(ctx, charging.Payment{Claim: claim}, open.Read)
	if err != nil {
		return err
	}
	if payer != nil {
		defer payer.Close()
	}
	var found synthesis.Problems
	err = c.eachInput(ctx, term, plan, files, func(rows text.Rows) error {
		return plan.Check(ctx, &found, vectors.input(rows, 0))
	})
	if err != nil {
		return err
	}
	if found.RowsDiffer() { // a run does not end for it: its exit code and its log may be read by others
		return cli.WrongUsage("give one row per record", "%s", c.rowsDiffer(*found.Given, found.Records))
	}
	epsilon := claim.Epsilon
	answer := &charging.Cost{Cost: sotto.Cost{
		Claim: claim, Texts: found.Records, Units: 1,
		EpsilonEach: &epsilon, EpsilonLongest: &epsilon, EpsilonTotal: &epsilon, DeltaTotal: claim.Delta,
	}}
	quote := payer.Quote()
	if quote != nil {
		if err := quote.Add(ctx, claim, 1, ""); err != nil {
			return err
		}
	}
	if err := answer.Ask(ctx, quote); err != nil {
		return err
	}
	return answer.Print(term, c.Account, c.JSON)
}
