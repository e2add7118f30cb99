package evaluating

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/auditing"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/derived"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/evaluation"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/synthesis"
)

// ofCorpus evaluates a release of synthesize.
func (c *ReportCmd) ofCorpus(ctx context.Context, term *cli.Terminal, data []byte, book *corpus.Corpus) (*evaluation.Evaluation, error) {
	if c.Texts != "" {
		return nil, cli.WrongUsage("leave it out", "--texts is for whole texts: the membership of a record is attacked without a sample")
	}
	s, err := synthesis.ReadStatement(data)
	if err == nil {
		err = s.Verify()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Report, err)
	}
	if book, err = c.AlongOf(ctx, book, s.Corpus.About, c.Report, nil, term.Progress()); err != nil {
		return nil, err
	}
	if err := s.VerifyCorpus(ctx, book); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Report, err)
	}
	r, err := c.read(ctx, term, s.Columns, book)
	if err != nil {
		return nil, err
	}
	if s.Written == nil {
		if err := c.match(r); err != nil {
			return nil, err
		}
	}
	if err := c.sameRows(s.Drawn, r); err != nil {
		return nil, err
	}
	e, err := evaluation.OfCorpus(ctx, s, *r, term.Progress())
	if err != nil {
		return nil, err
	}
	if c.Label == "" && len(s.Columns) == 1 {
		c.Label = s.Columns[0].Name
	}
	return e, c.learn(ctx, term, e, s.Corpus.About != "", c.provenance(s.Claim, s.Randomness, book))
}

// ofTexts evaluates a release of rewrite --unit text.
func (c *ReportCmd) ofTexts(ctx context.Context, term *cli.Terminal, data []byte, book *corpus.Corpus) (*evaluation.Evaluation, error) {
	v, err := auditing.VerifyTexts(ctx, data, c.Report, book, term.Progress().Stage("verifying"))
	if err != nil {
		return nil, err
	}
	if c.Weight != "" {
		return nil, cli.WrongUsage("leave it out: whole texts have no weights, and nothing protects what their other columns hold", "--weight needs a report of synthesize --weights")
	}
	r, err := c.read(ctx, term, nil, book)
	if err == nil {
		err = c.match(r)
	}
	if err != nil {
		return nil, err
	}
	if len(r.Texts) > v.Report.Documents { // fewer may be a part of the release
		return nil, fmt.Errorf("%s: the report is for another release: it states %s, and %s has %d", c.Report, cli.Plural(v.Report.Documents, "text"), c.File, len(r.Texts))
	}
	if err := c.sameTexts(v.Report.Drawn, r); err != nil {
		return nil, err
	}
	sample, err := c.sample(ctx, term, book)
	if err != nil {
		return nil, err
	}
	e, err := evaluation.OfTexts(ctx, evaluation.WholeTexts{
		Statement: v.Report, NotVerified: v.NotVerified(v.Report.Drawn != nil), Entry: v.Entry, Spec: v.Spec, Retriever: v.Retriever, Sample: sample,
	}, *r, term.Progress())
	if err != nil {
		return nil, err
	}
	return e, c.learn(ctx, term, e, false, c.provenance(v.Report.Claim, v.Report.Randomness, book))
}

// sample returns the vectors of the public texts to attack.
func (c *ReportCmd) sample(ctx context.Context, term *cli.Terminal, book *corpus.Corpus) (vectors []int8, err error) {
	if c.Texts == "" {
		return nil, nil
	}
	texts, err := c.FormatFlags.Read(ctx, term, c.Texts, nil)
	if err != nil {
		return nil, err
	}
	if len(texts) < 2 {
		return nil, fmt.Errorf("%s: an attack needs at least 2 texts", cli.ShownInput(c.Texts))
	}
	if book.Card().Encoder.Kind == corpus.Brought || c.EncoderProgram != "" {
		encoder, err := opening.Encode(ctx, book, c.EncoderProgram)
		if err != nil {
			return nil, err
		}
		made, err := encoder.Vectors(ctx, texts)
		for _, v := range made {
			vectors = corpus.Quantize(vectors, v)
		}
		return vectors, err
	}
	encoder, err := opening.Encoder(ctx, book, "")
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		vectors = encoder.Encode(vectors, t)
	}
	return vectors, nil
}

// read reads the texts of the release and nothing else of it but the columns that the claim
// covers: the other fields of whole texts are the private ones.
func (c *ReportCmd) read(ctx context.Context, term *cli.Terminal, columns []synthesis.ColumnFigures, book *corpus.Corpus) (*evaluation.Released, error) {
	r := &evaluation.Released{Corpus: book}
	passes := [][]cli.LabelledText{}
	pass := func(by string) ([]cli.LabelledText, error) {
		rows, err := c.Labelled(ctx, term, c.File, by)
		if err == nil && len(passes) > 0 && len(rows) != len(passes[0]) {
			err = fmt.Errorf("%s: it changed while it was read", c.File)
		}
		passes = append(passes, rows)
		return rows, err
	}
	for _, column := range columns {
		rows, err := pass(column.Name)
		if err != nil {
			return nil, err
		}
		for i, row := range rows {
			if !slices.Contains(column.Values, row.By) {
				return nil, fmt.Errorf("%s: the release does not match %s: row %d has a label that is not in the report", c.File, c.Report, i+1)
			}
		}
		r.First.Columns = append(r.First.Columns, column.Name)
	}
	if len(columns) == 0 {
		if _, err := pass(""); err != nil {
			return nil, err
		}
	}
	texts, n := passes[0], len(columns)
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s: contains no text", c.File)
	}
	weights, err := c.weights(pass)
	if err != nil {
		return nil, err
	}
	r.First.Columns = append(r.First.Columns, "text")
	for i, t := range texts {
		labels := make([]string, n)
		for j := range labels {
			labels[j] = passes[j][i].By
		}
		one := evaluation.Text{Body: t.Text, Weight: 1}
		if weights != nil {
			one.Weight = weights[i]
		}
		r.Texts, r.Labels = append(r.Texts, one), append(r.Labels, labels)
		if i < c.First {
			r.First.Rows = append(r.First.Rows, append(slices.Clone(labels), string(t.Text)))
		}
	}
	return r, nil
}

// weights reads the column of weights, nil for none.
func (c *ReportCmd) weights(pass func(by string) ([]cli.LabelledText, error)) ([]float64, error) {
	if c.Weight == "" {
		return nil, nil
	}
	rows, err := pass(c.Weight)
	if err != nil {
		return nil, err
	}
	return cli.Weights(rows, c.File)
}

// match refuses texts that are not in the corpus: they are of another release, or private.
func (c *ReportCmd) match(r *evaluation.Released) error {
	place := opening.Places(r.Corpus)
	for i, t := range r.Texts {
		if _, ok := place(t.Body); !ok {
			return fmt.Errorf("%s: text %d is not a text of the corpus: the file does not match the report", c.File, i+1)
		}
	}
	return nil
}

// sameRows refuses rows that are not those of the release: its guarantee is about others.
func (c *ReportCmd) sameRows(stated *identity.Drawn, r *evaluation.Released) error {
	var weights []float64
	if c.Weight != "" {
		for _, t := range r.Texts {
			weights = append(weights, t.Weight)
		}
	}
	return opening.SameRows(c.File, c.Report, stated, r.Labels, func(row int) []byte { return r.Texts[row].Body }, weights)
}

// sameTexts refuses texts that are not those that the report identifies. Others of the corpus may
// be a part of the release, or another one.
func (c *ReportCmd) sameTexts(stated *identity.Drawn, r *evaluation.Released) error {
	var texts identity.Tally
	for _, t := range r.Texts {
		texts.AddText(t.Body)
	}
	err := opening.OtherRows(cli.ShownInput(c.File), c.Report, stated, texts.Drawn())
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w\n       give the release as it was written, all its rows", err)
}

// provenance is what the page is computed from, without a test.
func (c *ReportCmd) provenance(claim privacy.Claim, randomness string, book *corpus.Corpus) provenance.Inputs {
	data, _ := json.Marshal(claim) // a claim of a report, which was read from JSON
	read := provenance.Inputs{provenance.Reported{Claim: data, Randomness: randomness}.Of(filepath.Base(c.File), "texts"), opening.PublicInput(book)}
	read = read.Add(derived.WithoutFolders(c.AboutFlag.Inputs())...)
	if c.Texts != "" {
		read = read.Add(provenance.Input{Kind: provenance.Public, Name: filepath.Base(c.Texts), What: []string{"texts"}})
	}
	return read
}
