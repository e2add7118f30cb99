package sotto

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/reopening"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
)

// Reopened returns the configuration of an opening that a statement states, with which
// [Rewriter.Verify] needs its rewriter opened. The caller provides the table or the corpus, nil
// for the embedded one, because a statement has only their digests, and in o.Spec the size of the
// sets if this version chooses another one, and what opens files.
func Reopened(o statement.Opening, table *embedding.Table, book *corpus.Corpus) Configuration {
	if o.Unit == privacy.Text || book != nil {
		return Texts{
			Mechanism: o.Mechanism, Epsilon: o.Spec.Epsilon, Parameters: o.Spec.Parameters, Published: o.Spec.Published, Accept: privacy.Refuted,
			PerUser: o.PerUser, Corpus: book, Open: o.Spec.Open,
		}
	}
	return Words{
		Unit: o.Unit, Mechanism: o.Mechanism, Epsilon: o.Spec.Epsilon, Parameters: o.Spec.Parameters, Published: o.Spec.Published, Accept: privacy.Refuted,
		Unknown: o.Placeholder, Table: table, Open: o.Spec.Open,
	}
}

// ReopenedVectors is Reopened for [Embedder.Verify].
func ReopenedVectors(o statement.Opening, of Of, table *embedding.Table, book *corpus.Corpus) Vectors {
	return Vectors{
		Of: of, Mechanism: o.Mechanism, Epsilon: o.Spec.Epsilon, Parameters: o.Spec.Parameters, Published: o.Spec.Published, Accept: privacy.Refuted,
		Raw: o.Raw, Table: table, Corpus: book, Open: o.Spec.Open,
	}
}

// Reopen opens exactly the mechanism of a report of rewrite, of this version or an earlier one, to
// read its release: to estimate, to restore, or to compare. The configuration has what a report
// does not: the table, the cache, and Parameters that name files. The error is a
// *[statement.ReportedError] if this version opens another table or mechanism than the report
// states. The draws of the returned rewriter are new ones, not those of the release.
func Reopen(ctx context.Context, r *statement.Reported, cfg Words) (*Rewriter, error) {
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
	entry, err := accepted(r.Mechanism, mechanism.UseWords, cfg.Notion, "", cfg.Accept)
	if err != nil {
		return nil, err
	}
	table, err := tableOr(cfg.Table)
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
	if err != nil {
		return nil, err
	}
	return found, r.Contradicts(found.Claim())
}
