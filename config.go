package sotto

import (
	"context"
	"io"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Configuration is what [Open] opens: [Words], [Texts], or a [Config], the short way to one of
// them.
type Configuration interface {
	open(ctx context.Context) (*Rewriter, error)
}

// Config is the short way to [Words] and [Texts], with the fields that both have. Epsilon
// suffices: every other field has a default.
type Config struct {
	// Unit is what one draw protects: privacy.Token (the default), privacy.Word, or
	// privacy.Text (the default with a Corpus, and for mechanisms that only replace whole
	// texts). See Words and Texts.
	Unit privacy.Unit
	// Epsilon is the privacy parameter per unit, in nats, or in nats per unit of distance
	// for metric mechanisms.
	Epsilon float64
	// Notion is the kind of guarantee if no mechanism is named: privacy.Pure (the
	// default) or privacy.Metric.
	Notion privacy.Notion
	// Mechanism is a name of the catalogue. Empty means the default for Notion.
	Mechanism string
	// Parameters are the mechanism's own parameters by name. One that is left out has the
	// mechanism's default.
	Parameters mechanism.Values
	// Published makes Epsilon the paper's parameter of an exponential-type mechanism. By
	// default Epsilon is the certified metric epsilon.
	Published bool
	// Accept is the lowest standing that may be opened. The zero value means
	// privacy.Proved.
	Accept privacy.Standing
	// Table is the vocabulary with its vectors; nil means the embedded English table.
	Table *embedding.Table
	// Corpus holds the public texts that replace whole texts; nil means the embedded
	// English corpus.
	Corpus *corpus.Corpus
	// Certificate, if not nil, must be for this mechanism and table, or corpus, and cover
	// the claim. It becomes the statement's. Opening does not recompute it:
	// [audit.Certificate.Verify] does.
	Certificate *audit.Certificate
	// InsecureSeed makes every draw reproducible, which protects nothing from anyone who
	// knows the seed. It is for tests, and the statement records it.
	InsecureSeed *uint64

	// Open opens a file that a parameter names. If nil, such parameters are refused.
	// [OpenFile] suits programs whose parameters come from their operator.
	Open func(name string) (io.ReadCloser, error)
	// Cache keeps what is computed while opening; nil computes it each time.
	Cache mechanism.Cache
	// Progress follows long computations while opening; nil is allowed.
	Progress progress.Func
}

func (cfg Config) open(ctx context.Context) (*Rewriter, error) {
	unit := cfg.Unit
	if entry, _ := catalog.Find(cfg.Mechanism); unit == "" && (cfg.Corpus != nil || entry.WholeTexts()) {
		unit = privacy.Text
	}
	switch {
	case unit == privacy.Text:
		return Texts{
			Epsilon: cfg.Epsilon, Notion: cfg.Notion, Mechanism: cfg.Mechanism, Parameters: cfg.Parameters, Published: cfg.Published, Accept: cfg.Accept,
			Corpus: cfg.Corpus, Table: cfg.Table, Certificate: cfg.Certificate, InsecureSeed: cfg.InsecureSeed, Open: cfg.Open, Cache: cfg.Cache, Progress: cfg.Progress,
		}.open(ctx)
	case cfg.Corpus != nil:
		other := setting.UnitToken
		if unit == privacy.Word {
			other = setting.UnitWord
		}
		return nil, &ConflictError{setting.Corpus, false, other, "a corpus replaces whole texts"}
	}
	return Words{
		Unit: unit, Epsilon: cfg.Epsilon, Notion: cfg.Notion, Mechanism: cfg.Mechanism, Parameters: cfg.Parameters, Published: cfg.Published, Accept: cfg.Accept,
		Table: cfg.Table, Certificate: cfg.Certificate, InsecureSeed: cfg.InsecureSeed, Open: cfg.Open, Cache: cfg.Cache, Progress: cfg.Progress,
	}.open(ctx)
}

// Open opens a Rewriter. It returns a *ConflictError for settings in conflict, a
// *privacy.ParameterError for an invalid parameter, a *privacy.StandingError for a
// standing that is not accepted, an *UnknownMechanismError for an unknown mechanism, and
// a *BudgetError for a cap that cannot hold. Some mechanisms compute for minutes: if ctx
// ends, Open returns its error.
func Open(ctx context.Context, c Configuration) (*Rewriter, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.open(ctx)
}
