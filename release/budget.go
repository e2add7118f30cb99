package release

import (
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text/fault"
)

// CapFault is the reason why a cap on whole texts does not hold.
type CapFault int

// The faults, with the fields of [BudgetError] that each uses.
const (
	// TextTooLong: a text has Tokens tokens, or more if More is set; Allowed is the
	// largest number allowed.
	TextTooLong CapFault = iota + 1
	// EpsilonTooSmall: Tokens tokens leave Each per token, below privacy.MinEpsilon. A
	// cap of Possible would suffice.
	EpsilonTooSmall
	// EpsilonTooLarge: Tokens tokens of Each lose more than Cap together. The cap would
	// hold for Allowed tokens (0 for none), or with a smaller epsilon.
	EpsilonTooLarge
	// NoBound: no bound is known for the loss per token over all words. Pure mechanisms
	// have one, and so do metric ones over euclidean distance.
	NoBound
)

// Loss is an amount of privacy that is lost.
type Loss struct{ Epsilon, Delta float64 }

// BudgetError reports that a cap on whole texts does not hold. Its text is one line
// without a remedy: front ends word one from the fields.
type BudgetError struct {
	Fault     CapFault
	Mechanism string // empty for TextTooLong
	Tokens    int
	Allowed   int
	More      bool    // parts of the text may follow
	Each, Cap Loss    // of one token, of one text
	Possible  float64 // epsilon
}

// FaultKind returns fault.Cap: the error depends on the length of a text.
func (e *BudgetError) FaultKind() fault.Kind { return fault.Cap }

func (e *BudgetError) Error() string {
	switch e.Fault {
	case TextTooLong:
		more := ""
		if e.More {
			more = " or more"
		}
		return fmt.Sprintf("a text of %d tokens%s is longer than the %d tokens that the cap allows", e.Tokens, more, e.Allowed)
	case EpsilonTooSmall:
		return fmt.Sprintf("%s: %d tokens leave %.3g per token, below the least epsilon, %.3g", e.Mechanism, e.Tokens, e.Each.Epsilon, privacy.MinEpsilon)
	case EpsilonTooLarge:
		return fmt.Sprintf("%s: %d tokens of (epsilon = %.4g, delta = %.3g) each lose more than (epsilon = %g, delta = %g) together",
			e.Mechanism, e.Tokens, e.Each.Epsilon, e.Each.Delta, e.Cap.Epsilon, e.Cap.Delta)
	case NoBound:
		return fmt.Sprintf("%s: the loss per token has no known bound over all words, so a cap on whole texts cannot be kept", e.Mechanism)
	}
	return "the cap on whole texts cannot be kept"
}
