package opening

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/statement"
)

// Reopened is the channel of a privacy statement, over its table.
type Reopened struct {
	Name    string
	Table   *embedding.Table
	Channel mechanism.Channel
	Claim   privacy.Claim // for one word
	// Placeholder is how the release spells the entry for unknown words; empty: as the table.
	Placeholder string
	Drawn       *identity.Drawn // its texts; nil if the report does not identify them
	tokens      *int            // of the release; nil if the report does not state them

	randomness string // of the release
}

// CheckTokens refuses a release of more tokens than its report states: it is of another run,
// or was changed, so its tokens were not all drawn by this channel. Fewer may be a part of it.
func (r *Reopened) CheckTokens(report string, read int) error {
	if r.tokens == nil || read <= *r.tokens {
		return nil
	}
	return fmt.Errorf("%s: the report is for another release: it states %s, and more were read", report, cli.Plural(*r.tokens, "token"))
}

// Released is a file of the release, whose texts have the claim of the report.
func (r *Reopened) Released(file string) provenance.Input {
	claim, err := json.Marshal(r.Claim)
	if err != nil {
		panic(err) // not reachable: a claim always marshals
	}
	return provenance.Reported{Claim: claim, Randomness: r.randomness}.Of(cli.ShownInput(file), "texts")
}

// MaxReport is far above the size of any report.
const MaxReport = 1 << 20

func readReport(ctx context.Context, name string) (*statement.Reported, error) {
	data, err := cli.ReadInput(ctx, name)
	if err != nil {
		return nil, err
	}
	r, err := statement.ReadReported(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// ReportFlags name the channel of a release.
type ReportFlags struct {
	Report     string            `path:"read" required:"" placeholder:"FILE" group:"input" help:"Report of rewrite --report, which names the channel."`
	Embeddings string            `path:"table" placeholder:"NAME|FILE" group:"input" help:"The table that was used (default: by its name in the report)."`
	Never      string            `path:"table" placeholder:"FILE" group:"input" help:"The list of words that never come out, if the report has one that is not the shipped one."`
	Param      map[string]string `path:"values" placeholder:"K=V" group:"privacy" help:"A parameter of the mechanism that is not in the report, such as channel=FILE (repeatable)."`
}

// Reopen opens exactly the channel of the report, or returns an error with the difference.
// cannot describes what another report does not allow.
func (c *ReportFlags) Reopen(ctx context.Context, term *cli.Terminal, cannot string) (*Reopened, error) {
	r, err := readReport(ctx, c.Report)
	if err != nil {
		return nil, err
	}
	if r.Claim.Unit == privacy.Word {
		return nil, cli.WrongUsage("rewrite without --consistent", "%s: words were drawn once per text, so %s", c.Report, cannot)
	}
	if r.Clamped > 0 {
		return nil, cli.WrongUsage("rewrite without --over clamp", "%s: the last %s of longer texts were drawn from the whole vocabulary, so %s", c.Report, cli.Plural(r.Clamped, "token"), cannot)
	}
	entry, ok := catalog.Find(r.Mechanism)
	if !ok {
		return nil, UnknownMechanism(r.Mechanism)
	}
	if r.Claim.Unit == privacy.MarkedToken {
		return nil, cli.WrongUsage("", "%s: only marked places were rewritten, and the release does not show which, so %s", c.Report, cannot)
	}
	if entry.New == nil || r.Claim.Unit == privacy.Vector {
		return nil, cli.WrongUsage("give the report of a release of words", "%s: the report is not of words that a mechanism replaced (mechanism %s), so %s", c.Report, r.Mechanism, cannot)
	}
	table, err := c.reopenTable(ctx, r)
	if err != nil {
		return nil, err
	}
	cfg := sotto.Words{Table: table, Parameters: c.Param, Cache: cli.UserCache(), Open: sotto.OpenFile, Progress: term.Progress()}
	again, err := sotto.Reopen(ctx, r, cfg)
	if err != nil {
		return nil, c.named(err)
	}
	m := again.Mechanism()
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return nil, cli.WrongUsage("", "%s: %s has no exact output distributions, so %s", c.Report, r.Mechanism, cannot)
	}
	return &Reopened{r.Mechanism, table, channel, m.Claim(), r.Placeholder, r.Drawn, r.Tokens, r.Randomness}, nil
}

func (c *ReportFlags) reopenTable(ctx context.Context, r *statement.Reported) (*embedding.Table, error) {
	name := c.Embeddings
	if name == "" {
		name = r.Embeddings.Name
	}
	table, err := Table(ctx, name)
	if err != nil {
		return nil, err
	}
	if table, err = Stated(ctx, table, r.Embeddings.Words, r.Embeddings.Never, c.Never); err != nil {
		return nil, err
	}
	return table, c.named(r.OfTable(table))
}

// named adds the report's name to a difference from it.
func (c *ReportFlags) named(err error) error {
	var differs *statement.ReportedError
	if errors.As(err, &differs) {
		return fmt.Errorf("%s: %w", c.Report, err)
	}
	return err
}
