package sotto

import (
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/textcap"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Config configures Open. Epsilon suffices, or DocumentEpsilon with DocumentTokens: every
// other field has a default. Fields that exclude each other, and fields that need another
// one, give a *[ConflictError].
type Config struct {
	// Unit is what one draw protects: privacy.Token (the default), privacy.Word,
	// privacy.Mark (marks that come with each text, replaced within their types: see Types),
	// privacy.DistinctMark (the same, with one draw for all marks of one value), or
	// privacy.Text (the default with a Model or a Corpus, and for mechanisms that only
	// replace whole texts). With privacy.Word each distinct word of a text is drawn once,
	// and its replacement is used wherever the word is. That reveals which positions hold
	// the same word.
	Unit privacy.Unit
	// Epsilon is the privacy parameter per unit, in nats, or in nats per unit of distance
	// for metric mechanisms. 0 lets the cap of a document choose it.
	Epsilon float64
	// Notion is the kind of guarantee if no mechanism is named: privacy.Pure (the
	// default), which opens neighbours, or privacy.Metric, which opens packing over as
	// many words of the embedded table as channels ship for. For whole texts privacy.Pure
	// opens retrieval, or adept with a Model.
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
	// With a Model it is nil or the table whose vectors the model started from.
	Table *embedding.Table
	// Corpus holds the public texts that replace whole texts; nil means the embedded
	// English corpus. It needs Unit privacy.Text or a mechanism of that unit. The table
	// of its encoder is Table or is found by its name.
	Corpus *corpus.Corpus
	// Untimed declares that nobody whom the claim protects against sees how long a draw
	// takes. Then only some texts of a large batch are compared with the corpus, since a
	// draw from the whole corpus needs no set. How many depends only on the number of
	// texts. By default all are compared, so that time does not show which draws need a
	// set.
	Untimed bool
	// Raw makes an [Embedder] release vectors of a codebook unscaled. By default they are
	// scaled to be unbiased; the statement gives the factor.
	Raw bool
	// PerUser, if not 0, makes the claim one per user and run: at most PerUser texts of a
	// user are released, each at Epsilon/PerUser. PerUser is 1 to MostPerUser. It is for
	// texts of a corpus only, read by streams with Users. [Rewriter.Claim] stays per
	// text.
	PerUser int
	// Model rewrites whole texts through its latent vectors. The claim is then per text,
	// and the number of tokens is not revealed.
	Model *autoencoder.Model
	// Pieces is the number of pieces that each text of a Model is cut into; short texts
	// get empty pieces. Each piece is drawn separately and costs Epsilon. 0 means 1. A
	// text that does not fit is refused, not truncated.
	Pieces int
	// Beam is the beam width of a Model's decoder. 0 means 1, greedy decoding.
	Beam int

	// DocumentEpsilon, if not 0, caps the loss of a whole text, in nats: any two texts of
	// the same length stay within (DocumentEpsilon, DocumentDelta) of each other,
	// whatever their words. The cap is spread evenly over DocumentTokens tokens. An
	// uneven spread is not offered: the cost of a token would reveal which token it was.
	DocumentEpsilon float64
	DocumentDelta   float64 // 0 means a pure guarantee
	// DocumentTokens is the length of the longest text allowed, 1 to MostDocumentTokens.
	// It must not be computed from the private texts.
	DocumentTokens int
	Over           Over // treatment of longer texts; empty means Refuse

	// Unknown is written where the table's entry <unk> is drawn; empty means <unk>. It must
	// be one word that the table lacks, so that it is read as unknown again.
	Unknown string

	// Marked rewrites only the tokens inside spans that come with each text, as a detector of
	// names writes them, and copies the rest of the text as it is: see [Stream.Spans] and
	// [Rewriter.ReadSpans]. The claim is conditional on the spans, and the loss of a whole
	// text is infinite.
	Marked bool
	// MarkedEpsilon, if not 0, is the epsilon inside the spans of Marked. What is outside
	// them is then drawn too, at Epsilon, instead of being copied. Both claims are
	// conditional on the spans.
	MarkedEpsilon float64

	// Types are for Unit privacy.Mark and privacy.DistinctMark, whose texts come with spans as
	// those of Marked do. Epsilon is for types in order, and may be 0. Nothing else of a
	// mechanism can be configured.
	Types Types

	// Scoped extends Unit privacy.Word to all texts of a named scope, which the caller
	// stores: see [Pending.Distinct].
	Scoped bool
	// Certificate, if not nil, must be for this mechanism, table and channel format and
	// cover the claim. It becomes the statement's. Open does not recompute it:
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

// Bounds on a Config.
const (
	MostPieces         = 1024
	MostBeam           = 64
	MostDocumentTokens = textcap.MostTokens
)

// Progress reports the progress of a long computation.
type Progress = progress.Report

// unit returns the configured unit.
func (cfg *Config) unit() privacy.Unit {
	switch {
	case cfg.Unit != "":
		return cfg.Unit
	case cfg.Model != nil || cfg.Corpus != nil:
		return privacy.Text
	case cfg.Scoped:
		return privacy.Word
	}
	if entry, ok := catalog.Find(cfg.Mechanism); ok && entry.NewRetriever != nil && entry.New == nil {
		return privacy.Text
	}
	return privacy.Token
}

// marks reports whether marks are replaced within their types.
func (cfg *Config) marks() bool { return cfg.Unit == privacy.Mark || cfg.Unit == privacy.DistinctMark }

// Member returns the name of the mechanism that the configuration opens: the given one,
// or the default of its notion. A notion without a default is an error.
func (cfg Config) Member() (string, error) {
	if cfg.Mechanism != "" {
		return cfg.Mechanism, nil
	}
	use, must := mechanism.UseWords, "pure or metric"
	switch {
	case cfg.Model != nil:
		use = mechanism.UseLatent
	case cfg.unit() == privacy.Text:
		use = mechanism.UseTexts
	case cfg.marks():
		use = mechanism.UseMarks
	}
	if cfg.unit() == privacy.Text || cfg.marks() {
		must = "pure"
	}
	if entry, ok := catalog.Default(use, cfg.Notion); ok {
		return entry.Name, nil
	}
	return "", privacy.Bad("sotto", "notion", fmt.Sprintf("%q", cfg.Notion), must)
}

// entry returns the mechanism of that name if the configuration accepts its standing.
func (cfg *Config) entry(name string) (mechanism.Entry, error) {
	entry, ok := catalog.Find(name)
	if !ok {
		return entry, &UnknownMechanismError{Name: name}
	}
	return entry, privacy.Terms{Least: cfg.Accept}.Admit(name, entry.Standing)
}

// Spec returns the part of the configuration that the mechanism uses, for callers such as
// audits that open the mechanism directly.
func (cfg Config) Spec() mechanism.Spec {
	each := privacy.Share(cfg.Epsilon, max(1, cfg.PerUser))
	spec := mechanism.Spec{Epsilon: each, Parameters: cfg.Parameters, Published: cfg.Published, Open: cfg.Open, Cache: cfg.Cache, Untimed: cfg.Untimed, Progress: cfg.Progress}
	return spec
}

// words returns the vocabulary.
func (cfg *Config) words() (*embedding.Table, error) {
	if cfg.Table != nil {
		return cfg.Table, nil
	}
	return builtin.English()
}

// UnknownMechanismError reports a name that the catalogue lacks.
type UnknownMechanismError struct{ Name string }

func (e *UnknownMechanismError) Error() string {
	return fmt.Sprintf("mechanism %q is not in the catalogue", e.Name)
}
