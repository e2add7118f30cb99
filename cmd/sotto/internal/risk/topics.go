package risk

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/text/about"
	"github.com/sotto-dp/sotto/tune"
)

// sampleFlags give public texts, from which figures are measured, and the model of a
// reader who attacks them.
type sampleFlags struct {
	cli.FormatFlags
	Texts  string `path:"file" placeholder:"FILE" group:"input" help:"Public texts like yours: a sample to attack, and with --label to measure how often a release has the topic of its text."`
	Label  string `placeholder:"PATH" group:"input" help:"Column or JSON path of their labels."`
	Public bool   `group:"privacy" help:"Declare that these texts are public: private ones must not choose epsilon."`
	LM     string `name:"lm" path:"file" placeholder:"FILE" group:"input" help:"The reader's language model for an attack on words, instead of --corpus."`
	Reader string `placeholder:"KIND" group:"advanced" help:"Reader of words: ngram, or adapted, which learns from the release and takes longer (default: ngram; sotto attack: adapted)."`
	Among  int    `default:"200" placeholder:"N" group:"advanced" help:"Texts from which the reader names the released one (default: 200)."`
	Order  int    `placeholder:"N" group:"advanced" help:"Words of the longest n-gram of the model of --corpus: 2 to 4 (default: 3; with --reader adapted 4)."`
}

func (c *sampleFlags) check() error {
	switch {
	case c.Texts == "" && (c.Label != "" || c.Public || len(c.Field) > 0 || c.Format != "" || c.Invalid != "" || c.LM != "" || c.Order != 0 || c.Reader != ""):
		return cli.WrongUsage("", "--label, --public, --field, --format, --invalid, --lm, --order and --reader need --texts")
	case c.Texts == "":
		return nil
	case !c.Public:
		return cli.WrongUsage("", "--texts needs --public: "+provenance.NotPublic)
	}
	return c.CheckFormat()
}

// attacked returns the sample to attack a mechanism for words, or for whole texts, which
// releases those of a corpus where it is coded. named is the argument of --corpus.
func (c *sampleFlags) attacked(table opening.TableFlags, named string, words, coded bool) (*attackSample, error) {
	s := &attackSample{LM: c.LM, Texts: c.Texts, FormatFlags: c.FormatFlags, Public: c.Public, TableFlags: table, Among: []int{c.Among}, Order: c.Order, Reader: c.Reader, Seed: 1}
	switch {
	case c.Among < 2:
		return nil, cli.WrongUsage("", "--among must be 2 or more, got %d", c.Among)
	case words && named != "":
		s.Corpus = []string{named}
	case !words && (c.LM != "" || c.Order != 0 || c.Reader != ""):
		return nil, cli.WrongUsage("", "--lm, --order and --reader are for attacks on words")
	case coded:
		s.Codebook = named
	case named != "":
		return nil, cli.WrongUsage("", "--corpus is for words, and for mechanisms that release texts of a corpus")
	}
	if s.Reader == readerAdapted && s.LM == "" {
		s.Order = cmp.Or(s.Order, language.MostTrained)
	}
	return s, s.checkModel(words, false)
}

// topicParts is the number of parts of the texts. For each part a classifier is fitted to
// the others.
const topicParts = 2

// texts returns the texts from which figures of mechanisms for whole texts are computed,
// with topics where labels are given.
func (c *sampleFlags) texts(ctx context.Context, term *cli.Terminal, name string) (texts tune.Texts, book *corpus.Corpus, err error) {
	if c.Label == "" {
		book, err = opening.Corpus(ctx, name)
		return tune.Texts{Codebook: book}, book, err
	}
	f, err := opening.OpenFeatures(ctx, name, "", nil)
	if err != nil {
		return texts, nil, err
	}
	rows, err := c.Labelled(ctx, term, c.Texts, c.Label)
	if err != nil {
		return texts, nil, err
	}
	topics, err := topicsOf(ctx, term, f, rows)
	if err != nil {
		return texts, nil, fmt.Errorf("%s: %w", cli.ShownInput(c.Texts), err)
	}
	return tune.Texts{Codebook: f.Corpus, Topics: topics}, f.Corpus, nil
}

// knowledge returns the share of the texts whose label words for labels teach without any
// text but those of the corpus.
func (c *sampleFlags) knowledge(ctx context.Context, term *cli.Terminal, name string, words *about.Words) (*float64, error) {
	if words == nil {
		return nil, nil
	}
	f, err := opening.OpenFeatures(ctx, name, "", nil)
	if err != nil {
		return nil, err
	}
	rows, err := c.Labelled(ctx, term, c.Texts, c.Label)
	if err != nil {
		return nil, err
	}
	labels, predictions := make([]string, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		labels[i] = r.By
	}
	classes, _ := cli.ClassesOf(labels)
	own := f.New(f.Vocabulary(nil))
	m, err := learn.FromWords(ctx, own, f.Corpus, learn.Labelling{Words: words, Classes: classes, Components: f.Corpus.AboutDim()})
	if err != nil {
		return nil, fmt.Errorf("--about: %w", err)
	}
	for i, r := range rows {
		predictions[i] = m.Predict(own.Row(r.Text))
	}
	found := learn.Compare(labels, predictions)
	return &found.Accuracy, nil
}

// topicsOf fits classifiers to parts of the texts, and applies each to the texts of the
// corpus and to the texts it was not fitted to.
func topicsOf(ctx context.Context, term *cli.Terminal, f *opening.Features, rows []cli.LabelledText) (*tune.Topics, error) {
	texts := make([][]byte, len(rows))
	labels := make([]string, len(rows))
	for i, r := range rows {
		texts[i], labels[i] = r.Text, r.By
	}
	own := f.New(f.Vocabulary(texts))
	classes, class := cli.ClassesOf(labels)
	if len(classes) < 2 {
		return nil, fmt.Errorf("the labels have %s, want 2 or more", cli.Plural(len(classes), "kind"))
	}
	all := own.NewData(classes)
	predicted := func(m *learn.Model, row learn.Row) int { return slices.Index(classes, m.Predict(row)) }
	of := make([]int, len(rows)) // the part of each text, in rotation per label
	seen := make([]int, len(classes))
	for i, r := range rows {
		all.Add(own.Row(r.Text))
		of[i] = seen[class[i]] % topicParts
		seen[class[i]]++
	}
	topics := &tune.Topics{Parts: make([]tune.TopicPart, topicParts)}
	for p := range topics.Parts {
		part, data := &topics.Parts[p], all
		for i := range rows {
			if of[i] != p {
				data.Examples = append(data.Examples, learn.Example{Row: i, Class: class[i], Weight: 1})
			}
		}
		m, _, err := learn.Fit(ctx, data, learn.Options{Progress: term.Progress().Stage("fitting")})
		if err != nil {
			return nil, err
		}
		for i, r := range rows {
			if of[i] == p {
				part.Vectors = f.Encoder.Encode(part.Vectors, r.Text)
				part.Labels = append(part.Labels, class[i])
				part.Predicted = append(part.Predicted, predicted(m, all.Row(i)))
			}
		}
		part.Codebook = make([]int, f.Corpus.Len())
		for i := range part.Codebook {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			part.Codebook[i] = predicted(m, own.TextRow(f.Corpus, i))
		}
	}
	return topics, nil
}
