package auditing

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
)

// textLimit is the output of limits --unit text --json.
type textLimit struct {
	Unit        string   `json:"unit"`
	Epsilon     float64  `json:"epsilon"`
	Information float64  `json:"information_limit"` // nats
	Bits        float64  `json:"information_limit_bits"`
	Among       int      `json:"among"`
	Linkage     float64  `json:"linkage_limit"`
	Claimed     *float64 `json:"claimed_linkage"`
	Possible    bool     `json:"possible"`
}

// texts prints the limits of every mechanism with pure epsilon per whole text.
func (c *LimitsCmd) texts(term *cli.Terminal) (err error) {
	if c.Delta != 0 || c.Vocabulary != nil || c.Unchanged != nil || c.Frequencies != "" || c.Notion == "metric" || c.Embeddings != "" || c.Words != nil {
		return cli.WrongUsage("", "--unit text takes --epsilon, --among and --linked: its limits hold for any texts and any outputs")
	}
	if c.Linked != nil && !(*c.Linked >= 0 && *c.Linked <= 1) {
		return privacy.Bad("limits", "linked", *c.Linked, "in [0, 1]")
	}
	l := textLimit{Unit: "text", Epsilon: *c.Epsilon, Among: c.Among, Claimed: c.Linked, Possible: true}
	if l.Information, err = audit.InformationLimit(l.Epsilon); err != nil {
		return err
	}
	if l.Linkage, err = audit.LinkageLimit(l.Epsilon, l.Among); err != nil {
		return err
	}
	l.Bits = l.Information / math.Ln2
	// A claim is a counted share, so it is impossible only beyond rounding.
	l.Possible = l.Claimed == nil || *l.Claimed <= l.Linkage*(1+1e-9)
	if c.JSON {
		err = cli.PrintJSON(term, l)
	} else {
		err = l.print(term)
	}
	if err == nil && !l.Possible {
		return &cli.ExitError{Code: cli.ExitRefuted}
	}
	return err
}

func (l textLimit) print(term *cli.Terminal) error {
	if l.Claimed != nil && !l.Possible {
		fmt.Fprintf(term.Out, "impossible: %v of the releases linked is %s times what any attack can reach\n\n", *l.Claimed, times(*l.Claimed, l.Linkage))
	} else if l.Claimed != nil {
		fmt.Fprintf(term.Out, "possible: the limit does not contradict %v of the releases linked\n\n", *l.Claimed)
	}
	fmt.Fprintf(term.Out, "With (epsilon = %g)-differential privacy per whole text, for any mechanism and any texts:\n", l.Epsilon)
	fmt.Fprintf(term.Out, "- a release carries at most %s nats (%s bits) about its text, on average;\n", privacy.Above(l.Information, 4), privacy.Above(l.Bits, 4))
	fmt.Fprintf(term.Out, "- an attacker tells which of %d texts it came from with probability at most %s.\n\n", l.Among, atMost(l.Linkage, l.Claimed))
	_, err := fmt.Fprintf(term.Out, "To name one of n equally likely kinds of text for certain takes ln n nats: this is enough for %s kinds.\n"+
		"A text of 100 words has hundreds of nats. So a release can show what kind of text it replaced, but not its facts.\n", privacy.Above(math.Exp(l.Information), 4))
	return err
}
