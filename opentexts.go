package sotto

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// openCorpus opens a mechanism over the texts of the corpus.
func (cfg *Config) openCorpus(ctx context.Context, entry mechanism.Entry, noParts error) (*Rewriter, error) {
	if entry.NewRetriever == nil {
		return nil, privacy.Bad(entry.Name, "unit", "text", "left out: this mechanism does not replace whole texts by public ones")
	}
	if cfg.PerUser < 0 || cfg.PerUser > release.MostPerUser {
		return nil, privacy.Bad(entry.Name, "per-user", cfg.PerUser, fmt.Sprintf("1 to %d", release.MostPerUser))
	}
	o := unit.Retrieval{Entry: entry, Corpus: cfg.Corpus, Seed: cfg.InsecureSeed, PerUser: cfg.PerUser, Total: cfg.Epsilon, NoParts: noParts}
	var err error
	if o.Corpus == nil {
		if o.Corpus, err = corpus.English(); err != nil {
			return nil, err
		}
	}
	if o.Encoder, err = o.Corpus.Encoder(cfg.Table); err != nil {
		return nil, err
	}
	spec := cfg.Spec()
	spec.BroughtVectors = o.Encoder == nil
	if o.Retriever, err = entry.NewRetriever(ctx, o.Corpus, spec); err != nil {
		return nil, err
	}
	known := audit.KnownTextsCertificate(entry.Name, o.Retriever, o.Corpus)
	if known != nil {
		known.OpenedWith(spec)
	}
	o.Certificate, err = cfg.certify(o.Retriever.Claim(), known,
		func(c *audit.Certificate) error { return c.FitsTexts(entry.Name, o.Retriever, o.Corpus) })
	if err != nil {
		return nil, err
	}
	texts := unit.OfCorpus(o)
	return &Rewriter{loop: release.By(texts), corpus: texts}, nil
}

// openModel opens a mechanism over the latent vectors of the model.
func (cfg *Config) openModel(ctx context.Context, entry mechanism.Entry, noParts error) (*Rewriter, error) {
	if entry.NewLatent == nil {
		return nil, privacy.Bad(entry.Name, "model", nil, "left out: this mechanism uses none")
	}
	pieces, beam := max(1, cfg.Pieces), max(1, cfg.Beam)
	if cfg.Pieces < 0 || pieces > MostPieces {
		return nil, privacy.Bad(entry.Name, "pieces", cfg.Pieces, fmt.Sprintf("1 to %d", MostPieces))
	}
	if cfg.Beam < 0 || beam > MostBeam {
		return nil, privacy.Bad(entry.Name, "beam", cfg.Beam, fmt.Sprintf("1 to %d", MostBeam))
	}
	card := cfg.Model.Card()
	if began := card.Table; cfg.Table != nil && (began == nil || began.SHA256 != cfg.Table.Digest()) {
		return nil, fmt.Errorf("%s: the model is for another table", entry.Name)
	}
	p, err := entry.NewLatent(ctx, mechanism.Latent{Dim: cfg.Model.Dimensions(), MedianL1: card.Latent.MedianL1, MedianL2: card.Latent.MedianL2}, cfg.Spec())
	if err != nil {
		return nil, err
	}
	m := unit.OfModel(unit.Latent{Entry: entry, Model: cfg.Model, Perturber: p, Seed: cfg.InsecureSeed, Pieces: pieces, Beam: beam, NoParts: noParts})
	return &Rewriter{loop: release.By(m)}, nil
}
