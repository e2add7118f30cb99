package derived

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

// released is the part of a privacy statement that learning needs.
type released struct {
	Mechanism string `json:"mechanism"`
	provenance.Reported
	Documents  *int            `json:"documents"` // nil for synthesize
	Neighbours int             `json:"neighbours"`
	Clusters   int             `json:"clusters"` // of synthesize
	Written    json.RawMessage `json:"written"`  // by a language model: no texts of the corpus
	Drawn      *identity.Drawn `json:"drawn"`    // of synthesize
	Columns    []struct {
		Name string `json:"name"`
	} `json:"columns"` // of synthesize: its labels
	Parameters struct {
		Epsilon json.RawMessage `json:"epsilon"` // per release, if a claim is for several
	} `json:"parameters"`
	Corpus *struct {
		Texts  int    `json:"texts"`
		SHA256 string `json:"sha256"`
		About  string `json:"about"` // the digest of words for labels, empty without
	} `json:"corpus"`
}

// openReleases opens the corpus, and the channel of the report, if there is one.
func (c *LearnCmd) openReleases(ctx context.Context, term *cli.Terminal) (*opening.Features, error) {
	var r released
	var claim privacy.Claim
	var report []byte
	if c.Report != "" {
		data, err := cli.ReadInput(ctx, c.Report)
		if err != nil {
			return nil, err
		}
		if len(data) > opening.MaxReport || strictjson.Unique(data) != nil || json.Unmarshal(data, &r) != nil || json.Unmarshal(r.Claim, &claim) != nil || claim.Unit == "" {
			return nil, fmt.Errorf("%s: not a privacy statement", c.Report)
		}
		if r.Corpus == nil {
			return nil, cli.WrongUsage("give the report of rewrite --unit text, or of synthesize", "%s: the report is not of a release of texts of a corpus", c.Report)
		}
		report = data
	}
	f, err := c.features(ctx, c.Corpus)
	if err != nil || c.Report == "" {
		return f, err
	}
	if r.Corpus.SHA256 == f.Corpus.Digest() { // otherwise the words for labels are the learner's alone
		f.Drawn = f.Corpus
	}
	if r.Corpus.SHA256 != f.Drawn.Digest() || r.Corpus.Texts != f.Drawn.Len() {
		if w := f.Corpus.Words(); r.Corpus.About != "" && (w == nil || w.Digest() != r.Corpus.About) {
			return nil, c.SameWords(r.Corpus.About, w, c.Report)
		}
		own := f.Corpus.Len()
		return nil, fmt.Errorf("%s: the report is for another corpus (sha256 %.12s of %d texts, not %.12s of %d)",
			c.Report, r.Corpus.SHA256, r.Corpus.Texts, f.Source.Corpus, own)
	}
	if err := c.verifyClaim(ctx, &r, report, f.Drawn); err != nil {
		return nil, err
	}
	c.noteRows(term.Err, &r)
	var compact bytes.Buffer
	_ = json.Compact(&compact, r.Claim)
	f.Source.Claim, f.Randomness, f.Documents = compact.Bytes(), r.Randomness, r.Documents
	for _, column := range r.Columns { // synthesize counts texts with their labels
		f.Columns = append(f.Columns, column.Name)
	}
	f.Written = r.Drawn
	f.Labelled = r.Neighbours == 0 && slices.Contains(f.Columns, c.Label)
	if r.Written != nil {
		return f, nil
	}
	if r.Neighbours == 0 { // synthesize: the noise is in counts, not in texts
		if f.Cells, err = f.Drawn.Clusters(ctx, r.Clusters); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Report, err)
		}
		f.Along = f.Drawn.Words() != nil
		if f.Epsilon = claim.Epsilon; !(f.Epsilon > 0) {
			return nil, fmt.Errorf("%s: the epsilon of its claim is not positive: not a report of synthesize", c.Report)
		}
		return f, nil
	}
	f.Channel = learn.Channel{Epsilon: claim.Epsilon, Texts: r.Corpus.Texts, Neighbours: r.Neighbours}
	if e, err := strconv.ParseFloat(string(r.Parameters.Epsilon), 64); err == nil {
		f.Channel.Epsilon = e
	}
	return f, nil
}

// data returns the training data in the file: texts of the corpus if a report says how
// they were released, any texts otherwise. Those of a synthetic corpus are returned as
// releases, for learn.FitReleases.
func (c *LearnCmd) data(ctx context.Context, term *cli.Terminal, f *opening.Features) (d learn.Data, cells *learn.Releases, err error) {
	if c.Weight != "" && c.input() == "-" {
		return d, nil, cli.WrongUsage("give a file", "--weight reads its input twice, so it cannot read standard input")
	}
	rows, err := c.Labelled(ctx, term, c.input(), c.Label)
	if err != nil {
		return d, nil, err
	}
	if len(rows) == 0 {
		return d, nil, fmt.Errorf("%s: contains no text", cli.ShownInput(c.input()))
	}
	if f.Documents != nil && len(rows) > *f.Documents { // fewer may be a part of the release
		return d, nil, fmt.Errorf("%s: the report is for another release: it states %s, and %s has %d", c.Report, cli.Plural(*f.Documents, "text"), cli.ShownInput(c.input()), len(rows))
	}
	weights, err := c.weights(ctx, term, len(rows))
	if err != nil {
		return d, nil, err
	}
	if err := c.sameRows(ctx, term, f, rows, weights); err != nil {
		return d, nil, err
	}
	labels := make([]string, len(rows))
	for i, r := range rows {
		labels[i] = r.By
	}
	classes, of := cli.ClassesOf(labels)
	if len(classes) < 2 {
		return d, nil, fmt.Errorf("%s: all labels are the same: there is nothing to learn", cli.ShownInput(c.input()))
	}
	if !f.Channel.IsNone() || f.Cells != nil {
		r, err := c.releases(f, rows, classes, of, weights)
		if err != nil || r.Cells != nil {
			return d, r, err
		}
		d, err = r.Data(ctx, f.New(f.Vocabulary(nil)), term.Progress().Stage("searching origins"))
		return d, nil, err
	}
	var texts [][]byte
	for i, r := range rows {
		if weights[i] > 0 {
			texts = append(texts, r.Text)
		}
	}
	own := f.New(f.Vocabulary(texts))
	d = own.NewData(classes)
	for i, r := range rows {
		if err := ctx.Err(); err != nil {
			return d, nil, err
		}
		if weights[i] > 0 {
			d.Examples = append(d.Examples, learn.Example{Row: d.Add(own.Row(r.Text)), Class: of[i], Weight: weights[i]})
		}
	}
	return d, nil, nil
}

// sameRows refuses rows that are not those of a release of synthesize: its claim is
// about others. Of a release of texts the claim is not carried on then, as they may be a part.
func (c *LearnCmd) sameRows(ctx context.Context, term *cli.Terminal, f *opening.Features, rows []cli.LabelledText, weights []float64) error {
	if f.Written == nil { // no release, or a report of an earlier version
		return nil
	}
	if f.Documents != nil {
		var texts identity.Tally
		for _, row := range rows {
			texts.AddText(row.Text)
		}
		if other := opening.OtherRows(cli.ShownInput(c.input()), c.Report, f.Written, texts.Drawn()); other != nil {
			opening.WarnOfRows(term.Err, other)
			f.Source.Claim = nil
		}
		return nil
	}
	labels := make([][]string, len(rows))
	for _, column := range f.Columns {
		read := rows
		if column != c.Label {
			if cli.IsStdin(c.input()) || cli.Special(c.input()) {
				return cli.WrongUsage("give a file", "the columns of %s are read one after the other, so the release cannot come through a pipe", c.Report)
			}
			var err error
			if read, err = c.Labelled(ctx, term, c.input(), column); err != nil {
				return err
			}
			if len(read) != len(rows) {
				return fmt.Errorf("%s: it changed while it was read", c.input())
			}
		}
		for i, row := range read {
			labels[i] = append(labels[i], row.By)
		}
	}
	if c.Weight == "" {
		weights = nil
	}
	return opening.SameRows(c.input(), c.Report, f.Written, labels, func(row int) []byte { return rows[row].Text }, weights)
}

// weights reads the column of weights: numbers of 0 or more. Without a column all are 1.
func (c *LearnCmd) weights(ctx context.Context, term *cli.Terminal, n int) ([]float64, error) {
	if c.Weight == "" {
		return slices.Repeat([]float64{1}, n), nil
	}
	rows, err := c.Labelled(ctx, term, c.input(), c.Weight)
	if err != nil {
		return nil, err
	}
	if len(rows) != n {
		return nil, fmt.Errorf("%s: it changed while it was read", c.input())
	}
	return cli.Weights(rows, c.input())
}

// releases looks up the texts in the corpus.
func (c *LearnCmd) releases(f *opening.Features, rows []cli.LabelledText, classes []string, of []int, weights []float64) (*learn.Releases, error) {
	place := opening.Places(f.Corpus)
	r := &learn.Releases{Codebook: f.Corpus, Drawn: f.Drawn, Channel: f.Channel, Cells: f.Cells, Along: f.Along, Epsilon: f.Epsilon, Classes: classes}
	for i, row := range rows {
		at, ok := place(row.Text)
		if !ok {
			return nil, fmt.Errorf("%s: text %d is not a text of the corpus: the file does not match the report", cli.ShownInput(c.input()), i+1)
		}
		if weights[i] == 0 {
			continue
		}
		r.Texts, r.Class, r.Weights = append(r.Texts, at), append(r.Class, of[i]), append(r.Weights, weights[i])
	}
	return r, nil
}

// features opens the corpus with what makes its features.
func (c *LearnCmd) features(ctx context.Context, name string) (*opening.Features, error) {
	if c.EncoderProgram != "" {
		f, err := opening.ProgramFeatures(ctx, name, c.EncoderProgram, c.fail)
		if err == nil {
			c.program = f.Program
		}
		return f, err
	}
	words, err := c.AboutWords(ctx)
	if err != nil {
		return nil, err
	}
	f, err := opening.OpenFeatures(ctx, name, c.Embeddings, words)
	if errors.Is(err, opening.ErrNoEncoder) {
		err = &cli.UsageError{Err: err, Hint: "give its program with --encoder-program"}
	}
	return f, err
}
