package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/text"
)

// released is the part of a privacy statement that learning needs.
type released struct {
	provenance.Reported
	Documents  *int            `json:"documents"` // nil for synthesize
	Neighbours int             `json:"neighbours"`
	Clusters   int             `json:"clusters"` // of synthesize
	Written    json.RawMessage `json:"written"`  // by a language model: no texts of the corpus
	Parameters struct {
		Epsilon json.RawMessage `json:"epsilon"` // per release, if a claim is for several
	} `json:"parameters"`
	Corpus *struct {
		Texts  int    `json:"texts"`
		SHA256 string `json:"sha256"`
	} `json:"corpus"`
}

// openReleases opens the corpus, and the channel of the report, if there is one.
func (c *learnCmd) openReleases(ctx context.Context) (*features, error) {
	var r released
	var claim privacy.Claim
	if c.Report != "" {
		data, err := readInput(ctx, c.Report)
		if err != nil {
			return nil, err
		}
		if len(data) > maxReport || strictjson.Unique(data) != nil || json.Unmarshal(data, &r) != nil || json.Unmarshal(r.Claim, &claim) != nil || claim.Unit == "" {
			return nil, fmt.Errorf("%s: not a privacy statement", c.Report)
		}
		if r.Corpus == nil {
			return nil, wrongUsage("give the report of rewrite --unit text, or of synthesize", "%s: the report is not of a release of texts of a corpus", c.Report)
		}
	}
	f, err := openFeatures(ctx, c.Corpus, c.Embeddings)
	if err != nil || c.Report == "" {
		return f, err
	}
	if r.Corpus.SHA256 != f.corpus.Digest() || r.Corpus.Texts != f.corpus.Len() {
		own := f.corpus.Len()
		return nil, fmt.Errorf("%s: the report is for another corpus (sha256 %.12s of %d texts, not %.12s of %d)",
			c.Report, r.Corpus.SHA256, r.Corpus.Texts, f.source.Corpus, own)
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, r.Claim)
	f.source.Claim, f.randomness, f.documents = compact.Bytes(), r.Randomness, r.Documents
	f.labelled = claim.Unit == privacy.Record || claim.Unit == privacy.User && r.Neighbours == 0 // synthesize counts texts with their labels
	if r.Written != nil {
		return f, nil
	}
	if r.Neighbours == 0 { // synthesize: the noise is in counts, not in texts
		if f.cells, err = f.corpus.Clusters(ctx, r.Clusters); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Report, err)
		}
		return f, nil
	}
	f.channel = learn.Channel{Epsilon: claim.Epsilon, Texts: r.Corpus.Texts, Neighbours: r.Neighbours}
	if e, err := strconv.ParseFloat(string(r.Parameters.Epsilon), 64); err == nil {
		f.channel.Epsilon = e
	}
	return f, nil
}

// labelledText is a text with the value of a field.
type labelledText struct {
	by   string
	text []byte
}

// labelled reads the texts of a file, each with the value of a field if by is not empty.
func (c *formatFlags) labelled(ctx context.Context, term *terminal, name, by string) (rows []labelledText, err error) {
	in, err := c.source(ctx, term, name, nil, nil)
	if err != nil {
		return nil, err
	}
	defer in.close()
	if by != "" && in.format.Seeks {
		rows, err = c.readColumns(ctx, in, by)
		return rows, in.fault(err, "")
	}
	texts, err := in.format.Open(in.Reader, text.Options{Fields: c.Field, By: by, Invalid: text.Invalid(c.Invalid)})
	for err == nil {
		var b text.Batch
		if b, err = texts.Next(); err == nil {
			rows, err = appendRecords(ctx, rows, b, by, in.shown)
		}
	}
	if err != io.EOF {
		return nil, in.fault(err, "")
	}
	return rows, nil
}

// readColumns is labelled for a format that stores texts and field separately.
func (c *formatFlags) readColumns(ctx context.Context, in *source, by string) (found []labelledText, err error) {
	if len(c.Field) != 1 {
		return nil, wrongUsage("", "%s: labels need one --field, the column of the texts", in.shown)
	}
	rows, err := in.format.Rows(in.Reader, []string{c.Field[0], by})
	for err == nil {
		var b text.RowBatch
		if b, err = rows.Next(); err != nil {
			break
		}
		for i, row := range b.Rows() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			what := ""
			switch {
			case row[0] == nil:
				what = "no text"
			case row[1] == nil:
				what = fmt.Sprintf("no value in column %q", by)
			case text.Invalid(c.Invalid).Check(row[0], 1) != nil:
				what = "a text that is not UTF-8"
			}
			if what != "" {
				return nil, fmt.Errorf("%s: row %d has %s", in.shown, b.First()+i+1, what)
			}
			found = append(found, labelledText{string(row[1]), bytes.Clone(text.Invalid(c.Invalid).Read(row[0]))})
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return found, nil
}

func appendRecords(ctx context.Context, rows []labelledText, b text.Batch, by, shown string) ([]labelledText, error) {
	records, err := b.Records()
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if by != "" && len(r.Texts) != 1 {
			return nil, wrongUsage("give one column or path with --field", "%s: record %d has %d texts, want one", shown, len(rows)+1, len(r.Texts))
		}
		for _, t := range r.Texts {
			rows = append(rows, labelledText{r.By, bytes.Clone(t)})
		}
	}
	return rows, nil
}

// data returns the training data in the file: texts of the corpus if a report says how
// they were released, any texts otherwise. Those of a synthetic corpus are returned as
// releases, for learn.FitReleases.
func (c *learnCmd) data(ctx context.Context, term *terminal, f *features) (d learn.Data, cells *learn.Releases, err error) {
	if c.Weight != "" && c.input() == "-" {
		return d, nil, wrongUsage("give a file", "--weight reads its input twice, so it cannot read standard input")
	}
	rows, err := c.labelled(ctx, term, c.input(), c.Label)
	if err != nil {
		return d, nil, err
	}
	if len(rows) == 0 {
		return d, nil, fmt.Errorf("%s: contains no text", shownInput(c.input()))
	}
	if f.documents != nil && len(rows) > *f.documents { // fewer may be a part of the release
		return d, nil, fmt.Errorf("%s: the report is for another release: it states %s, and %s has %d", c.Report, plural(*f.documents, "text"), shownInput(c.input()), len(rows))
	}
	weights, err := c.weights(ctx, term, len(rows))
	if err != nil {
		return d, nil, err
	}
	labels := make([]string, len(rows))
	for i, r := range rows {
		labels[i] = r.by
	}
	classes, of := classesOf(labels)
	if len(classes) < 2 {
		return d, nil, fmt.Errorf("%s: all labels are the same: there is nothing to learn", shownInput(c.input()))
	}
	if !f.channel.IsNone() || f.cells != nil {
		r, err := c.releases(f, rows, classes, of, weights)
		if err != nil || r.Cells != nil {
			return d, r, err
		}
		d, err = r.Data(ctx, f.new(), term.progress().Stage("searching origins"))
		return d, nil, err
	}
	own := f.new()
	d = learn.Data{Dim: own.Dim(), Blocks: own.Blocks(), Classes: classes}
	for i, r := range rows {
		if err := ctx.Err(); err != nil {
			return d, nil, err
		}
		if weights[i] == 0 {
			continue
		}
		d.Examples = append(d.Examples, learn.Example{Row: len(d.Features) / d.Dim, Class: of[i], Weight: weights[i]})
		d.Features = own.Append(d.Features, r.text)
	}
	return d, nil, nil
}

// classesOf returns the distinct labels in ascending order, and the place of each label
// among them.
func classesOf(labels []string) (classes []string, of []int) {
	classes = slices.Compact(slices.Sorted(slices.Values(labels)))
	of = make([]int, len(labels))
	for i, l := range labels {
		of[i], _ = slices.BinarySearch(classes, l)
	}
	return classes, of
}

// weights reads the column of weights: numbers of 0 or more. Without a column all are 1.
func (c *learnCmd) weights(ctx context.Context, term *terminal, n int) ([]float64, error) {
	weights := slices.Repeat([]float64{1}, n)
	if c.Weight == "" {
		return weights, nil
	}
	rows, err := c.labelled(ctx, term, c.input(), c.Weight)
	if err != nil {
		return nil, err
	}
	if len(rows) != n {
		return nil, fmt.Errorf("%s: it changed while it was read", c.input())
	}
	for i, r := range rows {
		if weights[i], err = strconv.ParseFloat(r.by, 64); err != nil || !(weights[i] >= 0 && weights[i] <= 1e15) {
			return nil, fmt.Errorf("%s: the weight of record %d is not a number of 0 or more", c.input(), i+1)
		}
	}
	return weights, nil
}

// releases looks up the texts in the corpus.
func (c *learnCmd) releases(f *features, rows []labelledText, classes []string, of []int, weights []float64) (*learn.Releases, error) {
	places := make(map[string]int, f.corpus.Len())
	var own []byte
	for i := range f.corpus.Len() {
		own = f.corpus.AppendText(own[:0], i)
		places[spaced(own)] = i
	}
	r := &learn.Releases{Codebook: f.corpus, Channel: f.channel, Cells: f.cells, Classes: classes}
	for i, row := range rows {
		at, ok := places[spaced(row.text)]
		if !ok {
			return nil, fmt.Errorf("%s: text %d is not a text of the corpus: the file does not match the report", shownInput(c.input()), i+1)
		}
		if weights[i] == 0 {
			continue
		}
		r.Texts, r.Class, r.Weights = append(r.Texts, at), append(r.Class, of[i]), append(r.Weights, weights[i])
	}
	return r, nil
}

// spaced joins the words of a text by single spaces: formats of lines and columns cannot
// hold line breaks or tabs.
func spaced(text []byte) string { return string(bytes.Join(bytes.Fields(text), []byte(" "))) }
