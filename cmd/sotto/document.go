package main

import "github.com/sotto-dp/sotto"

// documentFlags cap what a whole text may lose.
type documentFlags struct {
	DocumentEpsilon *float64 `placeholder:"E" help:"Cap for a whole text, in nats; chooses --epsilon where that is left out."`
	DocumentDelta   float64  `default:"0" placeholder:"D" help:"Delta of that cap; without one it is pure."`
	DocumentTokens  int      `placeholder:"N" help:"The longest text allowed, in tokens; not to be taken from the texts."`
	Over            string   `placeholder:"HOW" help:"What becomes of longer texts: refuse (default) or clamp, which draws the rest at random."`
}

// document is the cap that was asked for, or nil.
func (f *documentFlags) document() (*sotto.Document, error) {
	if f.DocumentEpsilon == nil {
		if f.DocumentDelta != 0 || f.DocumentTokens != 0 || f.Over != "" {
			return nil, wrongUsage("", "--document-delta, --document-tokens and --over need --document-epsilon, the cap")
		}
		return nil, nil
	}
	if f.DocumentTokens == 0 {
		return nil, wrongUsage("try --document-tokens 500: it must not depend on the private texts",
			"--document-epsilon needs --document-tokens, the longest text allowed")
	}
	if f.Over != "" && f.Over != string(sotto.Refuse) && f.Over != string(sotto.Clamp) {
		return nil, wrongUsage("", "over is %q, must be refuse or clamp", f.Over)
	}
	return &sotto.Document{
		Epsilon: *f.DocumentEpsilon, Delta: f.DocumentDelta, Tokens: f.DocumentTokens, Over: sotto.Over(f.Over),
	}, nil
}
