package sotto

import (
	"context"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/release"
)

// Texts configures [Open] to protect whole texts with all their words: each becomes a public
// text of a corpus, or is rewritten through a model. Epsilon suffices.
type Texts struct {
	// Epsilon is the privacy parameter per text, in nats.
	Epsilon float64
	// Notion is privacy.Pure or empty if no mechanism is named: then retrieval opens, or
	// adept with a Model.
	Notion privacy.Notion
	// Mechanism, Parameters, Published, Accept: see [Config].
	Mechanism  string
	Parameters mechanism.Values
	Published  bool
	Accept     privacy.Standing

	// Corpus holds the public texts that replace texts; nil means the embedded English
	// corpus. The table of its encoder is Table or is found by its name.
	Corpus *corpus.Corpus
	Table  *embedding.Table
	// Encode, if not nil, makes the vectors of texts, for a Corpus that was built with its
	// vectors. The claim depends on it being public and reading one text at a time. Without
	// it, such a Corpus needs a stream with Vectors, or [Rewriter.ReadVectors].
	Encode corpus.TextEncoder
	// PerUser, if not 0, makes the claim one per user and run: at most PerUser texts of a
	// user are released, each at Epsilon/PerUser. PerUser is 1 to MostPerUser. It is for
	// texts of a corpus only, read by streams with Users. [Rewriter.Claim] stays per
	// text.
	PerUser int
	// Untimed declares that nobody whom the claim protects against sees how long a draw
	// takes. Then only some texts of a large batch are compared with the corpus, since a
	// draw from the whole corpus needs no set. How many depends only on the number of
	// texts. By default all are compared, so that time does not show which draws need a
	// set.
	Untimed bool

	// Model rewrites texts through its latent vectors, in place of a corpus. The number of
	// tokens is not revealed. Table is nil or the one whose vectors the model started from.
	Model *autoencoder.Model
	// Pieces is the number of pieces that each text of a Model is cut into, 1 to MostPieces;
	// short texts get empty pieces. Each piece is drawn separately and costs Epsilon. 0
	// means 1. A text that does not fit is refused, not truncated.
	Pieces int
	// Beam is the beam width of a Model's decoder, 1 to MostBeam. 0 means 1, greedy decoding.
	Beam int

	// Certificate, InsecureSeed, Open, Cache, Progress: see [Config].
	Certificate  *audit.Certificate
	InsecureSeed *uint64
	Open         func(name string) (io.ReadCloser, error)
	Cache        mechanism.Cache
	Progress     progress.Func
}

// Bounds on Texts.
const (
	MostPieces = 1024
	MostBeam   = 64
)

// textConflicts are the combinations of Texts that are refused.
var textConflicts = []conflict{
	{setting.Pieces, true, setting.Model, "a model's texts are cut into pieces"},
	{setting.Beam, true, setting.Model, "it is the beam width of the model's decoder"},
	{setting.Corpus, false, setting.Model, "texts are replaced by those of a corpus, or rewritten through a model"},
	{setting.PerUser, false, setting.Model, "it needs a corpus"},
	{setting.Model, false, setting.Certificate, "certificates for models do not exist"},
}

// textParts refuses parts of one text.
var textParts = &ConflictError{setting.UseParts, false, setting.UnitText, "each part would be protected as a separate text"}

// given returns the settings in use.
func (t *Texts) given() map[string]bool {
	return map[string]bool{
		setting.Pieces: t.Pieces != 0, setting.Beam: t.Beam != 0, setting.Corpus: t.Corpus != nil, setting.PerUser: t.PerUser != 0,
		setting.Model: t.Model != nil, setting.Certificate: t.Certificate != nil,
	}
}

func (t Texts) open(ctx context.Context) (*Rewriter, error) {
	if err := refuse(textConflicts, t.given()); err != nil {
		return nil, err
	}
	use, over := mechanism.UseTexts, t.overCorpus
	if t.Model != nil {
		use, over = mechanism.UseLatent, t.throughModel
	}
	entry, err := accepted(t.Mechanism, use, t.Notion, "pure", t.Accept)
	if err != nil {
		return nil, err
	}
	return over(ctx, entry, textParts)
}

// spec returns what opens the mechanism, for one text.
func (t *Texts) spec() mechanism.Spec {
	each := privacy.Share(t.Epsilon, max(1, t.PerUser))
	return mechanism.Spec{Epsilon: each, Parameters: t.Parameters, Published: t.Published, Open: t.Open, Cache: t.Cache, Untimed: t.Untimed, Progress: t.Progress}
}

// overCorpus opens a mechanism over the texts of the corpus.
func (t *Texts) overCorpus(ctx context.Context, entry mechanism.Entry, noParts error) (*Rewriter, error) {
	if entry.NewRetriever == nil {
		return nil, privacy.Bad(entry.Name, "unit", "text", "token or word: this mechanism does not replace whole texts by public ones")
	}
	if t.PerUser < 0 || t.PerUser > release.MostPerUser {
		return nil, privacy.Bad(entry.Name, "per-user", t.PerUser, fmt.Sprintf("1 to %d", release.MostPerUser))
	}
	o := unit.Retrieval{Entry: entry, Seed: t.InsecureSeed, PerUser: t.PerUser, Total: t.Epsilon, NoParts: noParts}
	var err error
	if o.Encoding, err = encodingOf(ctx, entry.Name, t.Corpus, t.Table, t.Encode); err != nil {
		return nil, err
	}
	spec := t.spec()
	spec.BroughtVectors = o.Encoder == nil
	if o.Retriever, err = entry.NewRetriever(ctx, o.Corpus, spec); err != nil {
		return nil, err
	}
	known := audit.KnownTextsCertificate(entry.Name, o.Retriever, o.Corpus)
	if known != nil {
		known.OpenedWith(spec)
	}
	o.Certificate, err = certify(t.Certificate, o.Retriever.Claim(), known,
		func(c *audit.Certificate) error { return c.FitsTexts(entry.Name, o.Retriever, o.Corpus) })
	if err != nil {
		return nil, err
	}
	texts := unit.OfCorpus(o)
	return &Rewriter{loop: release.By(texts), corpus: texts}, nil
}

// encodingOf returns how texts get vectors like those of a corpus, nil for the embedded one. table
// is that of its encoder, nil to find it, and encode the caller's encoder.
func encodingOf(ctx context.Context, who string, c *corpus.Corpus, table *embedding.Table, encode corpus.TextEncoder) (e unit.Encoding, err error) {
	if e.Corpus = c; c == nil {
		if e.Corpus, err = corpus.English(); err != nil {
			return e, err
		}
	}
	if e.Encoder, err = e.Corpus.Encoder(table); err != nil {
		return e, err
	}
	switch e.Encode = encode; {
	case encode != nil && e.Encoder != nil:
		return e, privacy.Unwanted(who, "encode", "with this corpus: it has its own encoder")
	case encode != nil && encode.Dim() != e.Corpus.Dim():
		return e, privacy.Bad(who, "components of the encoder's vectors", encode.Dim(), fmt.Sprintf("%d, as in the corpus", e.Corpus.Dim()))
	case encode != nil:
		e.Probes, err = corpus.Probes(ctx, encode)
	}
	return e, err
}

// throughModel opens a mechanism over the latent vectors of the model.
func (t *Texts) throughModel(ctx context.Context, entry mechanism.Entry, noParts error) (*Rewriter, error) {
	if entry.NewLatent == nil {
		return nil, privacy.Unwanted(entry.Name, "model", "here: this mechanism uses none")
	}
	if t.Encode != nil {
		return nil, privacy.Unwanted(entry.Name, "encode", "with a model: that reads words")
	}
	pieces, beam := max(1, t.Pieces), max(1, t.Beam)
	if t.Pieces < 0 || pieces > MostPieces {
		return nil, privacy.Bad(entry.Name, "pieces", t.Pieces, fmt.Sprintf("1 to %d", MostPieces))
	}
	if t.Beam < 0 || beam > MostBeam {
		return nil, privacy.Bad(entry.Name, "beam", t.Beam, fmt.Sprintf("1 to %d", MostBeam))
	}
	card := t.Model.Card()
	if began := card.Table; t.Table != nil && (began == nil || began.SHA256 != t.Table.Digest()) {
		return nil, fmt.Errorf("%s: the model is for another table", entry.Name)
	}
	p, err := entry.NewLatent(ctx, mechanism.Latent{Dim: t.Model.Dimensions(), MedianL1: card.Latent.MedianL1, MedianL2: card.Latent.MedianL2}, t.spec())
	if err != nil {
		return nil, err
	}
	m := unit.OfModel(unit.Latent{Entry: entry, Model: t.Model, Perturber: p, Seed: t.InsecureSeed, Pieces: pieces, Beam: beam, NoParts: noParts})
	return &Rewriter{loop: release.By(m)}, nil
}
