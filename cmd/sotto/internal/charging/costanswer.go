package charging

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Cost is the answer: for the operator, since it depends on the texts.
type Cost struct {
	sotto.Cost
	// EpsilonRecord is the largest loss of a record, for all its texts together. Null where no
	// record has several, or where it is not computed: for Parquet, distinct words and metric claims.
	EpsilonRecord *float64 `json:"epsilon_record"`
	// AccountLeft is what the account has left before the run; null without an account.
	AccountLeft     *ledger.Amount `json:"account_left"`
	AccountSuffices *bool          `json:"account_suffices"`
	// Seconds estimates how long drawing takes on this machine, from draws for public
	// texts. Null where there is no such estimate.
	Seconds *float64 `json:"seconds"`
	// Reader says what a reader with a language model was measured to recover from public
	// texts at this setting. It does not depend on these texts.
	Reader string `json:"reader,omitempty"`

	Table *embedding.Table `json:"-"` // of the words of the claim; nil where it is for none, and for the embedded one
}

// Ask adds what the account has left, if there is one.
func (a *Cost) Ask(ctx context.Context, q *Quote) error {
	if q == nil {
		return nil
	}
	left, err := q.Affords(ctx)
	suffices := err == nil
	if err != nil && !errors.As(err, new(*ShortError)) {
		return err
	}
	a.AccountLeft, a.AccountSuffices = &left, &suffices
	return nil
}

// Print writes the answer to standard output: as JSON, or for people with warnings on
// standard error. If the account does not suffice, the exit code is that of the run.
func (a *Cost) Print(term *cli.Terminal, account string, asJSON bool) error {
	var err error
	if asJSON {
		err = cli.PrintJSON(term, a)
	} else {
		err = a.print(term, account)
	}
	if err == nil && a.AccountSuffices != nil && !*a.AccountSuffices {
		err = &cli.ExitError{Code: cli.ExitBudget} // the answer says why
	}
	return err
}

// standIn names the word of a table without <unk> that its unknown words are read as, and which
// is counted with them.
func (a *Cost) standIn() string {
	if a.Table == nil || a.Claim.Unit.Whole() {
		return ""
	}
	word := a.Table.Word(a.Table.Unknown())
	if word == "<unk>" {
		return ""
	}
	return fmt.Sprintf(" or takes them for %q, its word for such ones", word)
}

func (a *Cost) print(term *cli.Terminal, account string) error {
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "units\t%s\n", drawnOf(a.Cost))
	fmt.Fprintf(w, "epsilon of each\t%s\n", eachOf(a.Cost))
	switch a.Claim.Unit {
	case privacy.Record: // one text is part of it
	case privacy.User:
		fmt.Fprintf(w, "epsilon of each user\tat most %s\n", cli.Nats(&a.Claim.Epsilon))
	default:
		fmt.Fprintf(w, "epsilon of the longest text\tat most %s\n", cli.Nats(a.EpsilonLongest))
	}
	if a.EpsilonRecord != nil {
		fmt.Fprintf(w, "epsilon of the largest record\tat most %s\n", cli.Nats(a.EpsilonRecord))
	}
	fmt.Fprintf(w, "epsilon of all together\t%s\n", cli.Nats(a.EpsilonTotal)+perDistance(a.Cost))
	if a.AccountLeft != nil {
		suffices := "enough"
		if !*a.AccountSuffices {
			suffices = "not enough: the run would end with exit code 4"
		}
		fmt.Fprintf(w, "account %s has left\t%s, %s\n", account, a.AccountLeft, suffices)
	}
	if a.Unknown != nil && *a.Unknown > 0 {
		who := "the table"
		if a.Claim.Unit.Whole() {
			who = "the encoder of the outputs"
		}
		fmt.Fprintf(w, "unknown\t%s of the words: %s does not know them%s, and their meaning is lost\n", cli.Percent(*a.Unknown), who, a.standIn())
	}
	if a.Unchanged != nil {
		of := "of the known words, expected"
		if a.Sampled {
			of = "of a sample of the table's words"
		}
		fmt.Fprintf(w, "stays as it is\t%s %s\n", cli.Percent(*a.Unchanged), of)
	}
	if a.Recovered != nil {
		fmt.Fprintf(w, "a best guess names\t%s of the known words, each output by itself; sotto attack adds context\n", cli.Percent(*a.Recovered))
	}
	if a.Seconds != nil {
		about := "below 0.01"
		if *a.Seconds >= 0.01 {
			about = "about " + strconv.FormatFloat(*a.Seconds, 'g', 2, 64)
		}
		fmt.Fprintf(w, "time\t%s s for the draws: an estimate, from draws for public texts on this machine just now\n", about)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := cli.PrintPieces(term, a.Table, a.Claim.Unit); err != nil {
		return err
	}
	if a.Reader != "" {
		fmt.Fprintf(term.Out, "\n%s\n", a.Reader)
	}
	Warn(term.Err, a.Cost)
	_, err := fmt.Fprintln(term.Out, "\nNothing was drawn, and nothing was charged. These figures depend on what was read: do not publish them.")
	return err
}
