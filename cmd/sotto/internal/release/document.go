package release

import (
	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
)

// documentFlags cap the loss of a whole text.
type documentFlags struct {
	DocumentEpsilon *float64 `placeholder:"E" group:"privacy" help:"Cap on the loss of a whole text, in nats. Chooses --epsilon if that is left out."`
	DocumentDelta   float64  `default:"0" placeholder:"D" group:"privacy" help:"Delta of that cap; 0 (default) makes the cap pure."`
	DocumentTokens  int      `placeholder:"N" group:"privacy" help:"The longest text allowed, in tokens. Choose it without looking at the texts."`
	Over            string   `placeholder:"HOW" group:"privacy" help:"Treatment of longer texts: refuse (default), or clamp, which draws the tokens beyond at random."`
}

// check refuses an invalid cap, and flags that need one.
func (f *documentFlags) check() error {
	switch {
	case f.DocumentEpsilon == nil && (f.DocumentDelta != 0 || f.DocumentTokens != 0 || f.Over != ""):
		return cli.WrongUsage("", "--document-delta, --document-tokens and --over need --document-epsilon, the cap")
	case f.DocumentEpsilon == nil:
		return nil
	case f.DocumentTokens == 0:
		return cli.WrongUsage("try --document-tokens 500: it must not depend on the private texts",
			"--document-epsilon needs --document-tokens, the longest text allowed")
	case f.Over != "" && f.Over != string(sotto.Refuse) && f.Over != string(sotto.Clamp):
		return cli.WrongUsage("", "--over must be refuse or clamp, got %q", f.Over)
	case *f.DocumentEpsilon == 0: // 0 would mean no cap
		return privacy.Bad("document", "epsilon", *f.DocumentEpsilon, "positive and finite")
	}
	return nil
}

// apply sets the cap, if there is one.
func (f *documentFlags) apply(cfg *sotto.Config) {
	if f.DocumentEpsilon != nil {
		cfg.DocumentEpsilon, cfg.DocumentDelta, cfg.DocumentTokens, cfg.Over = *f.DocumentEpsilon, f.DocumentDelta, f.DocumentTokens, sotto.Over(f.Over)
	}
}
