// Package budget has the command ledger, which grants and shows budgets.
package budget

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
)

type LedgerCmd struct {
	Grant  ledgerGrant  `cmd:"" help:"Raise an account's budget, or open the account."`
	Show   ledgerShow   `cmd:"" help:"Show budgets: granted, spent, left."`
	Verify ledgerVerify `cmd:"" help:"Recompute the whole ledger and find any edit, gap or reordering."`
	Backup ledgerBackup `cmd:"" help:"Copy a ledger in SQLite while it is in use, and verify the copy."`
}

// ledgerFlags locate the ledger.
type ledgerFlags struct {
	Ledger string `path:"ledger" required:"" placeholder:"FILE|URL" group:"budget" help:"SQLite file, or postgres://user@host/database."`
}

type ledgerGrant struct {
	ledgerFlags
	Account string `arg:"" help:"Name of the account."`
	Epsilon string `short:"e" placeholder:"E" group:"budget" help:"Epsilon to add; a negative number takes epsilon back."`
	Delta   string `placeholder:"D" group:"budget" help:"Delta to add."`
	Period  string `placeholder:"TIME" group:"budget" help:"Length of the periods that each have this budget, such as 24h or 30d (default: one budget forever)."`
	Notion  string `placeholder:"KIND" group:"budget" help:"Guarantee that the account pays for: pure (default; approximate with --delta) or metric, bound to a table."`
	opening.TableFlags
	Distance string `placeholder:"NAME" group:"budget" help:"Metric of a metric account, as claims name it (default: euclidean)."`
	Key      string `placeholder:"KEY" group:"budget" help:"Name of this grant, such as may-2026: a grant repeated under it is made once."`
	JSON     bool   `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *ledgerGrant) Run(ctx context.Context, term *cli.Terminal) error {
	if c.Epsilon == "" {
		return cli.WrongUsage("try --epsilon 100 --period 30d", "ledger grant needs --epsilon, the budget to add")
	}
	g := ledger.Grant{Account: c.Account, Key: c.Key}
	if c.Key != "" {
		if err := ledger.CheckKey(c.Key); err != nil {
			return err
		}
	}
	var err error
	if g.Amount, err = ledger.ParseLimit(c.Epsilon, c.Delta); err != nil {
		return err
	}
	if g.Period, err = parsePeriod(c.Period); err != nil {
		return err
	}
	if err := ledger.CheckAccount(c.Account); err != nil { // before a file is created
		return err
	}
	switch c.Notion {
	case "", "pure", "approximate":
		if c.Embeddings != "" || c.Words != nil || c.Distance != "" {
			return cli.WrongUsage("add --notion metric for an account that is bound to a table", "only a metric account has a table and a distance")
		}
	case "metric":
		table, err := c.WordsAlone(ctx)
		if err != nil {
			return err
		}
		g.Basis = ledger.Basis{Table: table.Digest(), Distance: cmp.Or(c.Distance, "euclidean")}
	default:
		return cli.WrongUsage("", "--notion must be pure, approximate or metric, got %q", c.Notion)
	}
	mode, named := open.Create, ledger.CheckNewAccount(c.Account)
	if named != nil { // an account of an earlier version may have the name
		mode = open.Write
	}
	l, err := open.Ledger(ctx, c.Ledger, mode)
	if named != nil && errors.Is(err, fs.ErrNotExist) {
		return named
	}
	if err != nil {
		return err
	}
	defer l.Close()
	receipt, err := granted(ctx, l, g)
	if err != nil {
		return err
	}
	if err := c.print(ctx, term, l, g, receipt); err != nil {
		return cli.Made("the grant is made", err)
	}
	c.warn(ctx, term, l, g.Period)
	return nil
}

// granted makes a grant. An interrupt does not end one that is under way: the command would
// report that nothing was granted, which may be wrong.
func granted(ctx context.Context, l *ledger.Ledger, g ledger.Grant) (ledger.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return ledger.Receipt{}, err
	}
	receipt, err := l.Grant(context.WithoutCancel(ctx), g)
	if errors.Is(err, ledger.ErrKeyReused) {
		err = cli.WrongUsage("choose another --key for a new grant", "under this --key the account was granted something else")
	}
	return receipt, err
}

// print prints a grant that was made.
func (c *ledgerGrant) print(ctx context.Context, term *cli.Terminal, l *ledger.Ledger, g ledger.Grant, receipt ledger.Receipt) error {
	if c.JSON {
		account, err := l.Account(ctx, c.Account)
		if err != nil {
			return err
		}
		return cli.PrintJSON(term, struct {
			ledger.Description
			Replayed bool `json:"replayed"`
		}{account.Describe(l.Now()), receipt.Replayed})
	}
	each := ""
	if g.Period != 0 {
		each = " for each " + shortPeriod(g.Period)
	}
	if receipt.Replayed {
		each += " earlier under this key, and nothing now"
	}
	_, err := fmt.Fprintf(term.Out, "%s: %s granted%s; %s left\n", c.Account, g.Amount, each, receipt.Remaining)
	return err
}

// warn warns of a period without a budget, which refuses every charge whatever else was granted.
func (c *ledgerGrant) warn(ctx context.Context, term *cli.Terminal, l *ledger.Ledger, period time.Duration) {
	account, err := l.Account(ctx, c.Account)
	if err != nil || period == 0 {
		return // the grant is made and printed
	}
	for _, limit := range account.Limits {
		if limit.Period == period && limit.Granted == (ledger.Amount{}) {
			fmt.Fprintf(term.Err, "sotto: warning: each %s now has a budget of 0, so that every charge is refused: a large one lifts the limit (--period %[1]s --epsilon 1000000)\n", shortPeriod(period))
		}
	}
}

// parsePeriod reads a duration, or a number of days such as 30d.
func parsePeriod(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n <= int(ledger.MaxPeriod/(24*time.Hour)) {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, privacy.Bad("ledger", "period", strconv.Quote(s), "a time such as 24h or 30d")
	}
	return d, nil
}

// shortPeriod formats whole days as days.
func shortPeriod(d time.Duration) string {
	const day = 24 * time.Hour
	if d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

type ledgerShow struct {
	ledgerFlags
	Account *string `arg:"" optional:"" help:"One account (default: all)."`
	JSON    bool    `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *ledgerShow) Run(ctx context.Context, term *cli.Terminal) error {
	if c.Account != nil { // an empty name is a mistake, and does not mean all accounts
		if err := ledger.CheckAccount(*c.Account); err != nil {
			return err
		}
	}
	l, err := open.Ledger(ctx, c.Ledger, open.Read)
	if err != nil {
		return err
	}
	defer l.Close()
	var accounts []ledger.Account
	if c.Account == nil {
		accounts, err = l.Accounts(ctx)
	} else {
		accounts = make([]ledger.Account, 1)
		accounts[0], err = l.Account(ctx, *c.Account)
	}
	if err != nil {
		return err
	}
	described := []ledger.Description{}
	for _, a := range accounts {
		described = append(described, a.Describe(l.Now()))
	}
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"accounts": described})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "account\tnotion\tbudget\tgranted\tspent\tleft\tperiod ends")
	for _, a := range described {
		for _, limit := range a.Limits {
			budget, ends := "forever", "never"
			if limit.Period != nil {
				budget = "each " + shortPeriod(time.Duration(*limit.Period)*time.Second)
				ends = limit.Ends.Format(time.RFC3339)
			}
			notion := a.Notion
			if a.Table != "" {
				notion += " " + a.Table[:12]
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a.Account, notion+protected(a), budget, parts(limit.Granted), parts(limit.Spent), parts(limit.Remaining), ends)
		}
	}
	return w.Flush()
}

// protected formats what an account's sums protect, to follow its notion; empty for
// texts.
func protected(a ledger.Description) string {
	if a.Unit == nil || *a.Unit == privacy.Text {
		return ""
	}
	return fmt.Sprintf(" for a %s (%s)", *a.Unit, a.Neighbouring)
}

// parts formats an amount for a column: epsilon, and delta if there is one.
func parts(a ledger.Amount) string {
	if a.Delta == 0 {
		return a.EpsilonText()
	}
	return a.EpsilonText() + ", " + a.DeltaText()
}

type ledgerVerify struct {
	ledgerFlags
	Head string `placeholder:"HASH" group:"budget" help:"A head printed earlier and stored elsewhere: the chain must still contain it."`
	JSON bool   `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *ledgerVerify) Run(ctx context.Context, term *cli.Terminal) error {
	var anchor ledger.Hash
	if c.Head != "" {
		var err error
		if anchor, err = ledger.ParseHash(c.Head); err != nil {
			return cli.WrongUsage("", "--head must be a hash of 64 hexadecimal digits")
		}
	}
	l, err := open.Ledger(ctx, c.Ledger, open.Read)
	if err != nil {
		return err
	}
	defer l.Close()
	v, err := l.Verify(ctx, anchor)
	if err == nil && c.Head != "" && v.After < 0 { // Verify takes the hash of zeros for none
		err = ledger.ErrNoAnchor
	}
	if err != nil {
		return err
	}
	return printVerified(term, v, c.JSON)
}

// printVerified prints the result of a verification.
func printVerified(term *cli.Terminal, v ledger.Verification, asJSON bool) (err error) {
	if asJSON {
		var after *int64
		if v.After >= 0 {
			after = &v.After
		}
		return cli.PrintJSON(term, map[string]any{"verified": true, "entries": v.Head.Seq, "accounts": v.Accounts,
			"grants": v.Grants, "charges": v.Charges, "answers": v.Answers, "head": v.Head.Hash.String(), "entries_after_head": after})
	}
	entries := fmt.Sprintf("%d entries", v.Head.Seq)
	if v.Head.Seq == 1 {
		entries = "1 entry"
	}
	fmt.Fprintf(term.Out, "verified: %s, %s, %s, %s, %s\n", entries, cli.Plural(int(v.Accounts), "account"), cli.Plural(int(v.Grants), "grant"), cli.Plural(int(v.Charges), "charge"), cli.Plural(int(v.Answers), "answer"))
	if v.After >= 0 {
		_, err = fmt.Fprintf(term.Out, "the given head is in the chain, %d entries before its end\n", v.After)
	} else {
		_, err = fmt.Fprintln(term.Out, "a chain truncated at its end verifies too: store the head elsewhere and give it with --head next time")
	}
	if err == nil {
		_, err = fmt.Fprintf(term.Out, "head %s\n", v.Head.Hash)
	}
	return err
}
