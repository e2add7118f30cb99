package risk

import (
	"context"
	"errors"
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text/tokenize"
	"golang.org/x/text/unicode/norm"
)

// begin reads the sample and, for words, the model. label is the field of a label that is
// attacked too, empty for none.
func (c *attackSample) begin(ctx context.Context, term *cli.Terminal, words bool, label string) (*attackRun, error) {
	run := &attackRun{sample: c, term: term}
	var err error
	if run.table, err = c.Table(ctx); err != nil {
		return nil, err
	}
	rows, err := c.Labelled(ctx, term, c.Texts, label)
	if err != nil {
		return nil, err
	}
	tokenizer := tokenize.NewTokenizer(run.table)
	for _, r := range rows {
		run.raw = append(run.raw, r.Text)
		run.texts = append(run.texts, attack.Read(tokenizer, r.Text))
	}
	if len(run.texts) < 2 {
		return nil, cli.WrongUsage("", "--texts needs two texts or more, got %d", len(run.texts))
	}
	if label != "" {
		if run.labels, err = c.readLabels(ctx, term, label, rows); err != nil {
			return nil, err
		}
	}
	if words {
		err = run.open(ctx)
	}
	run.public = c.Public && (run.model == nil || run.model.Card().Public)
	return run, err
}

// document returns the output of attack without rows.
func (r *attackRun) document() attackedTexts {
	d := attackedTexts{Texts: len(r.texts), Known: r.known, Confidence: attack.Confidence, Seed: r.sample.Seed,
		Embeddings: statement.EmbeddingsOf(r.table)}
	if r.model != nil {
		card := r.model.Card()
		d.Unknown = r.unknown()
		d.Model = &attackModel{card.Order, card.Corpus.Tokens, r.model.Digest()}
		d.Reader = readerNgram
		if r.adapted != nil {
			d.Reader = readerAdapted
		}
	}
	r.reveal(&d)
	return d
}

// unknown returns the share of the words of the sample that the table lacks, nil without words.
func (r *attackRun) unknown() *float64 {
	words := 0
	for _, t := range r.texts {
		words += len(t.Words)
	}
	if words == 0 {
		return nil
	}
	share := float64(attack.Unknown(r.texts, r.table.Unknown())) / float64(words)
	return &share
}

// open reads or trains the model, and counts the texts that are in its corpus.
func (r *attackRun) open(ctx context.Context) (err error) {
	c := r.sample
	if c.LM != "" {
		r.model, err = opening.LanguageModel(ctx, c.LM, r.table, c.Public)
		return err
	}
	if c.Reader == readerAdapted {
		r.adapted = &attack.Adapted{Table: r.table}
	}
	r.model, err = language.Train(ctx, r.table, r.corpus(ctx), language.Options{Order: c.Order, Public: c.Public, Progress: r.term.Progress()})
	return err
}

// corpus yields the texts of the model, keeps them for a reader who adapts, and counts those
// of the sample among them.
func (r *attackRun) corpus(ctx context.Context) iter.Seq2[[]embedding.ID, error] {
	own := map[string]int{}
	for _, text := range r.raw {
		if key := appendKey(nil, text); len(key) > 0 {
			own[string(key)]++
		}
	}
	return func(yield func([]embedding.ID, error) bool) {
		tokenizer := tokenize.NewTokenizer(r.table)
		var ids []embedding.ID
		var key []byte
		read := func(text []byte) {
			ids, _ = tokenizer.Tokenize(ids, text)
			key = appendKey(key, text)
		}
		end := func() error {
			r.known += own[string(key)]
			delete(own, string(key))
			if r.adapted != nil {
				r.adapted.Texts = append(r.adapted.Texts, slices.Clone(ids))
			}
			if !yield(ids, nil) {
				return cli.ErrEnough
			}
			ids, key = ids[:0], key[:0]
			return nil
		}
		for _, name := range r.sample.Corpus {
			switch err := r.sample.corpusFlags(name).EachText(ctx, r.term, name, read, end); {
			case errors.Is(err, cli.ErrEnough):
				return
			case err != nil:
				yield(nil, err)
				return
			}
		}
	}
}

// appendKey appends the letters and signs of a text, in lower case and without spaces: texts
// that differ in other words alone must not be equal, though a table may lack these words.
func appendKey(dst, text []byte) []byte {
	for _, r := range string(norm.NFC.Bytes(text)) {
		if !unicode.IsSpace(r) {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// attack attacks one setting.
func (r *attackRun) attack(ctx context.Context, e mechanism.Entry, spec mechanism.Spec) (attack.Row, error) {
	row := attack.Row{Mechanism: e.Name, Epsilon: spec.Epsilon, Intervals: map[string]*attack.Share{}}
	options := r.options(spec)
	var err error
	switch {
	case e.Name == synthesis.Name:
		err = r.membership(ctx, &row, spec)
	case e.New != nil:
		err = r.words(ctx, &row, e, spec, options)
	case e.NewRetriever != nil:
		err = r.wholeTexts(ctx, &row, e, spec, options)
	default:
		err = r.vectors(ctx, &row, e, spec, options)
	}
	return row, err
}

func (r *attackRun) options(spec mechanism.Spec) attack.Options {
	return attack.Options{Model: r.model, Adapted: r.adapted, Among: r.sample.Among[0], Also: r.sample.Among[1:], Seed: r.sample.Seed, Progress: spec.Progress}
}

// channel opens a mechanism for words.
func (r *attackRun) channel(ctx context.Context, e mechanism.Entry, spec mechanism.Spec) (mechanism.Channel, error) {
	m, err := e.New(ctx, r.table, spec)
	if err != nil {
		return nil, err
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return nil, cli.WrongUsage("", "%s adds noise to vectors: the chances of its outputs are not known exactly", e.Name)
	}
	return channel, nil
}

// linkedWords returns the linkage of texts by a mechanism for words, and nothing else of
// its row.
func (r *attackRun) linkedWords(ctx context.Context, e mechanism.Entry, spec mechanism.Spec) (*attack.Share, error) {
	channel, err := r.channel(ctx, e, spec)
	if err != nil {
		return nil, err
	}
	return attack.LinkedWords(ctx, channel, r.texts, r.options(spec))
}

// words attacks a mechanism for words.
func (r *attackRun) words(ctx context.Context, row *attack.Row, e mechanism.Entry, spec mechanism.Spec, o attack.Options) error {
	channel, err := r.channel(ctx, e, spec)
	if err != nil {
		return err
	}
	w, err := attack.OfWords(ctx, channel, r.texts, o)
	if err != nil {
		return err
	}
	row.SetClaim(channel.Claim())
	row.Among, row.Approximate = w.Among, !w.Exact
	row.Set("recovered", w.Alone, &row.Recovered)
	row.Set("recovered_in_context", w.InContext, &row.RecoveredInContext)
	row.Set("recovered_rare", w.Rare, &row.RecoveredRare)
	row.Set("recovered_capitalised", w.Capitalised, &row.RecoveredCapitalised)
	row.Set("linked_pair", w.Pair, &row.LinkedPair)
	row.Set("recovered_rare_alone", w.RareAlone, nil)
	row.Set("blind", w.Blind, nil)
	row.Set("blind_rare", w.RareBlind, nil)
	row.SetLinked(w.Linked, w.Also)
	if r.public {
		row.Expose(w.Exposed, r.table)
	}
	return r.guessWords(ctx, row, channel, w)
}

// reveal sets what the document says about the privacy of its figures.
func (r *attackRun) reveal(d *attackedTexts) {
	d.Codebook, d.Provenance = r.codebook, r.read()
	d.OperatorOnly = d.Provenance.Kind() != provenance.Public
	d.Privacy = d.Provenance.Of(provenance.Figures)
	if d.OperatorOnly {
		d.Privacy += ". They are for the owner of the texts alone: do not choose epsilon by them."
		return
	}
	d.Privacy += ". A reader with a better model recovers more."
}
