package sotto

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	"github.com/sotto-dp/sotto/internal/reopening"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
)

// Reopened returns the configuration of an opening that a statement states, with which
// [Rewriter.Verify] and [Embedder.Verify] need theirs opened. The caller provides the table
// and the corpus, because a statement has only their digests, and the size of the sets if
// this version chooses another one.
func Reopened(o statement.Opening) Config {
	return Config{
		Unit: o.Unit, Mechanism: o.Mechanism, Epsilon: o.Spec.Epsilon, Parameters: o.Spec.Parameters, Published: o.Spec.Published,
		Accept: privacy.Refuted, Unknown: o.Placeholder, PerUser: o.PerUser, Raw: o.Raw,
	}
}

// Reopen opens exactly the mechanism of a report of rewrite, of this version or an earlier one, to
// read its release: to estimate, to restore, or to compare. The configuration has what a report
// does not: the table, the cache, and Parameters that name files. The error is a
// *[statement.ReportedError] if this version opens another table or mechanism than the report
// states. The draws of the returned rewriter are new ones, not those of the release.
func Reopen(ctx context.Context, r *statement.Reported, cfg Config) (*Rewriter, error) {
	switch r.Claim.Unit {
	case privacy.Token, "":
	case privacy.Word:
		cfg.Unit = privacy.Word
	case privacy.MarkedToken:
		cfg.Marked = true
	default:
		return nil, &statement.ReportedError{What: "the report is of a " + string(r.Claim.Unit) + ", not of words that were replaced"}
	}
	cfg.Mechanism, cfg.Accept = r.Mechanism, privacy.Refuted
	entry, err := cfg.entry(r.Mechanism)
	if err != nil {
		return nil, err
	}
	table, err := cfg.words()
	if err != nil {
		return nil, err
	}
	if err := r.OfTable(table); err != nil {
		return nil, err
	}
	if json.Unmarshal(r.Parameters["epsilon"], &cfg.Epsilon) != nil {
		return nil, errors.New("the report states no epsilon")
	}
	cfg.Published = string(r.Parameters["calibrate"]) == `"published"`
	found, _, err := reopening.Search(r.Candidates(entry), func(given mechanism.Values) (*Rewriter, error) {
		maps.Copy(given, cfg.Parameters)
		with := cfg
		with.Parameters = given
		return Open(ctx, with)
	}, func(one *Rewriter) error { return r.Differs(one.Settings()) })
	return found, err
}
