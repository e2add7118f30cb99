package risk

import (
	"context"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// encode opens the corpus and encodes the sample, once.
func (r *attackRun) encode(ctx context.Context) error {
	if r.whole != nil {
		return nil
	}
	f, err := opening.OpenFeatures(ctx, r.sample.Codebook, r.sample.Embeddings, nil)
	if err != nil {
		return err
	}
	w := &wholeSample{features: f}
	for _, t := range r.raw {
		w.vectors = f.Encoder.Encode(w.vectors, t)
	}
	r.whole = w
	return nil
}

// wholeTexts attacks a mechanism that replaces whole texts.
func (r *attackRun) wholeTexts(ctx context.Context, row *attack.Row, e mechanism.Entry, spec mechanism.Spec, o attack.Options) error {
	if err := r.encode(ctx); err != nil {
		return err
	}
	f := r.whole.features
	retriever, err := e.NewRetriever(ctx, f.Corpus, spec)
	if err != nil {
		return err
	}
	row.SetClaim(retriever.Claim())
	r.codebook = codebookOf(f.Corpus)
	found, err := attack.OfTexts(ctx, retriever, f.Corpus, r.whole.vectors, o)
	if err != nil {
		return err
	}
	row.Among = found.Among
	row.SetLinked(found.Linked, found.Also)
	return r.guessTexts(ctx, row, f, retriever, found.Released)
}

// vectors attacks a mechanism that releases vectors of a codebook for whole texts.
func (r *attackRun) vectors(ctx context.Context, row *attack.Row, e mechanism.Entry, spec mechanism.Spec, o attack.Options) error {
	p, err := e.NewPerturber(ctx, r.table, spec)
	if err != nil {
		return err
	}
	coded, ok := p.(mechanism.Coded)
	if !ok {
		return cli.WrongUsage("attack a mechanism with a codebook", "%s releases vectors that are not of a codebook: their likelihoods are not compared", e.Name)
	}
	var weights []float64
	if w, ok := p.(mechanism.Weighted); ok {
		weights = w.WordWeights()
	}
	tokenizer := tokenize.NewTokenizer(r.table)
	average := func(t []byte) []float32 {
		ids, _ := tokenizer.Tokenize(nil, t)
		if len(ids) == 0 {
			ids = append(ids, r.table.Unknown())
		}
		return attack.Means(r.table, [][]embedding.ID{ids}, weights)
	}
	var vectors []int8
	for _, t := range r.raw {
		vectors = coded.Grid(vectors, average(t))
	}
	retriever, codebook := coded.Channel()
	row.SetClaim(p.Claim())
	found, err := attack.OfTexts(ctx, retriever, codebook, vectors, o)
	if err != nil {
		return err
	}
	row.Among = found.Among
	row.SetLinked(found.Linked, found.Also)
	return r.guessVectors(ctx, row, coded, average, found.Released)
}

// membership attacks a release of a whole corpus.
func (r *attackRun) membership(ctx context.Context, row *attack.Row, spec mechanism.Spec) error {
	if len(spec.Parameters) > 0 {
		return cli.WrongUsage("", "%s has no --param here", synthesis.Name)
	}
	column, err := synthesis.Bins("label", "1..1")
	if err != nil {
		return err
	}
	book, err := opening.Corpus(ctx, r.sample.Codebook)
	if err != nil {
		return err
	}
	p, err := synthesis.New(ctx, synthesis.Options{Epsilon: spec.Epsilon, Corpus: book, Columns: []synthesis.Column{column}, Progress: spec.Progress})
	if err != nil {
		return err
	}
	chance, err := p.Guess()
	if err != nil {
		return err
	}
	row.SetClaim(p.Claim())
	row.Among = 2
	r.codebook = codebookOf(book)
	row.SetLinked(attack.Certain(chance), nil)
	return nil
}
