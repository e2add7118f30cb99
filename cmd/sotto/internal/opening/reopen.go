package opening

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/statement"
)

// Reopened is the channel of a privacy statement, over its table.
type Reopened struct {
	Name    string
	Table   *embedding.Table
	Channel mechanism.Channel
	Claim   privacy.Claim // for one word
	tokens  *int          // of the release; nil if the report does not state them

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

// reported is the part of a privacy statement that reopening needs.
type reported struct {
	Mechanism  string                     `json:"mechanism"`
	Parameters map[string]json.RawMessage `json:"parameters"`
	Given      []string                   `json:"given"` // nil in reports of versions that did not state it
	Embeddings statement.Embeddings       `json:"embeddings"`
	Claim      privacy.Claim              `json:"claim"`
	Tokens     *int                       `json:"tokens"` // nil where it does not show
	Randomness string                     `json:"randomness"`
	Clamped    int                        `json:"clamped_tokens"` // words beyond a cap, drawn from the whole vocabulary
}

// MaxReport is far above the size of any report.
const MaxReport = 1 << 20

func readReport(ctx context.Context, name string) (r reported, err error) {
	data, err := cli.ReadInput(ctx, name)
	if err != nil {
		return r, err
	}
	if len(data) > MaxReport || strictjson.Unique(data) != nil || json.Unmarshal(data, &r) != nil || r.Mechanism == "" || r.Embeddings.SHA256 == "" {
		return r, fmt.Errorf("%s: not a report of rewrite", name)
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
	m, err := c.reopenMechanism(ctx, entry, table, r, term)
	if err != nil {
		return nil, err
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return nil, cli.WrongUsage("", "%s: %s has no exact output distributions, so %s", c.Report, r.Mechanism, cannot)
	}
	return &Reopened{r.Mechanism, table, channel, m.Claim(), r.Tokens, r.Randomness}, nil
}

func (c *ReportFlags) reopenTable(ctx context.Context, r reported) (*embedding.Table, error) {
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
	if got := table.Digest(); got != r.Embeddings.SHA256 {
		return nil, fmt.Errorf("%s: the report is for another table (sha256 %.12s of %d words, not %.12s of %d)",
			c.Report, r.Embeddings.SHA256, r.Embeddings.Words, got, table.Len())
	}
	return table, nil
}

// reopenMechanism opens the mechanism of a report over its table.
func (c *ReportFlags) reopenMechanism(ctx context.Context, entry mechanism.Entry, table *embedding.Table, r reported, term *cli.Terminal) (mechanism.Mechanism, error) {
	cfg := sotto.Config{Table: table, Mechanism: entry.Name, Accept: privacy.Refuted, Cache: cli.UserCache(), Open: sotto.OpenFile, Progress: term.Progress()}
	if json.Unmarshal(r.Parameters["epsilon"], &cfg.Epsilon) != nil {
		return nil, fmt.Errorf("the report states no epsilon")
	}
	cfg.Published = string(r.Parameters["calibrate"]) == `"published"`
	m, _, err := Search(r.candidates(entry), func(given mechanism.Values) (mechanism.Mechanism, error) {
		maps.Copy(given, c.Param)
		cfg.Parameters = given
		w, err := sotto.Open(ctx, cfg)
		if err != nil {
			return nil, err
		}
		return w.Mechanism(), nil
	}, func(m mechanism.Mechanism) error {
		if what := differs(r.Parameters, m); what != "" {
			return fmt.Errorf("%s: %s", c.Report, what)
		}
		return nil
	})
	return m, err
}

// candidates returns the parameter sets that may have been given to the mechanism of a
// report, in the order in which to try them. The first is the set that the report lists as
// given; older reports have no such list. A version may choose other values than the one
// that wrote the report, so values that the mechanism chooses are then given as well, in
// all combinations, the ones with fewer given values first.
func (r *reported) candidates(entry mechanism.Entry) []mechanism.Values {
	sure, chosen := mechanism.Values{}, []string{}
	stated := func(name string) string { return string(bytes.Trim(r.Parameters[name], `"`)) }
	for _, p := range entry.Parameters {
		_, fixed := p.Fixed()
		chooses := !fixed && (p.Kind == mechanism.Number || p.Kind == mechanism.Integer)
		switch {
		case stated(p.Name) == "":
		case slices.Contains(r.Given, p.Name) || r.Given == nil && !chooses:
			sure[p.Name] = stated(p.Name)
		case chooses:
			chosen = append(chosen, p.Name)
		}
	}
	var all []mechanism.Values
	for subset := range 1 << len(chosen) {
		given := maps.Clone(sure)
		for i, name := range chosen {
			if subset>>i&1 == 1 {
				given[name] = stated(name)
			}
		}
		all = append(all, given)
	}
	slices.SortStableFunc(all, func(a, b mechanism.Values) int { return len(a) - len(b) })
	return all
}

// differs returns the first parameter in which a mechanism differs from the reported one.
func differs(stated map[string]json.RawMessage, m mechanism.Mechanism) string {
	own := map[string]string{}
	for name, v := range audit.ParametersOf(m.Settings()) {
		if data, err := json.Marshal(v); err == nil {
			own[name] = string(data)
		}
	}
	names := slices.Collect(maps.Keys(own))
	for name := range stated {
		if _, ok := own[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		var compact bytes.Buffer
		_ = json.Compact(&compact, stated[name])
		if was := compact.String(); was != own[name] {
			return fmt.Sprintf("the report is for another channel: its %s is %s, this program opens %s", name, orNone(was), orNone(own[name]))
		}
	}
	return ""
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
