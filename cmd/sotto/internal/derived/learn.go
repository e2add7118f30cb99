package derived

import (
	"bytes"
	"encoding/json"

	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

// trained describes the training of a model.
type trained struct {
	Examples int            `json:"examples"`
	Labels   []string       `json:"labels"`
	Channel  *learn.Channel `json:"channel"` // null for texts that were not randomised
	Ridge    float64        `json:"ridge"`
	// Knowledge is what the words for labels count for beside what was learnt.
	Knowledge float64       `json:"public_knowledge_weight,omitempty"`
	Scores    []learn.Score `json:"scores,omitempty"`
	// Means are those of the classes' unit vectors, of releases that are vectors.
	Means []learn.Mean `json:"means,omitempty"`
}

// Run fits a classifier, or applies one.
func (c *LearnCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	return c.Guard(ctx, func(ctx context.Context) error { return c.run(ctx, term) })
}

// Guard runs what learns, with the error of an --encoder-program that failed meanwhile.
func (c *LearnCmd) Guard(ctx context.Context, run func(context.Context) error) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	c.fail = fail
	err := run(ctx)
	if own := new(program.Error); errors.As(context.Cause(ctx), &own) {
		return own
	}
	return err
}

func (c *LearnCmd) run(ctx context.Context, term *cli.Terminal) error {
	switch {
	case c.Model != "":
		return c.apply(ctx, term)
	case c.Vectors != "":
		return c.fromVectors(ctx, term)
	}
	result, m, err := c.Learn(ctx, term)
	if err != nil {
		return err
	}
	if c.Output != "" {
		if err := writeModel(ctx, term, c.Output, m, result.Warning != ""); err != nil {
			return err
		}
	}
	return c.print(term, result)
}

// Learn fits a classifier to a release of texts, and measures it if there is a test.
func (c *LearnCmd) Learn(ctx context.Context, term *cli.Terminal) (*Learnt, *learn.Model, error) {
	from, err := c.openReleases(ctx, term)
	if err != nil {
		return nil, nil, err
	}
	m, known, scores, examples, err := c.fit(ctx, term, from)
	if err != nil {
		return nil, nil, err
	}
	m.Source = from.Source
	m.Source.Examples, m.Source.Smooth = examples, c.Smooth
	read := c.fitted(from)
	m.Source.Provenance = WithoutFolders(read)
	result := &Learnt{Trained: &trained{Examples: examples, Labels: m.Classes, Ridge: m.Ridge, Knowledge: m.Knowledge, Scores: scores}, revealed: revealsModel(read, c.Test)}
	if !m.Channel.IsNone() {
		result.Trained.Channel = &m.Channel
	}
	if c.Test != "" {
		if result.Result, err = c.measure(ctx, term, m, from.Rows(c.Smooth, m.Vocabulary), c.Test); err != nil {
			return nil, nil, err
		}
		if known != nil {
			alone, err := c.measure(ctx, term, known, from.Rows(c.Smooth, known.Vocabulary), c.Test)
			if err != nil {
				return nil, nil, err
			}
			result.PublicKnowledge = &alone.Accuracy
		}
	}
	return result, m, errors.Join(ctx.Err(), opening.FinishEncoder(c.program))
}

// fit fits a classifier. It also returns what public knowledge teaches alone, nil for none,
// and the number of examples.
func (c *LearnCmd) fit(ctx context.Context, term *cli.Terminal, f *opening.Features) (m, known *learn.Model, scores []learn.Score, examples int, err error) {
	data, releases, err := c.data(ctx, term, f)
	if err != nil {
		return nil, nil, nil, 0, err
	}
	options := learn.Options{Ridge: c.Ridge, Progress: term.Progress().Stage("fitting")}
	vocabulary, classes := data.Vocabulary, data.Classes
	if releases != nil {
		vocabulary, classes = f.Vocabulary(nil), releases.Classes
	}
	if known, err = f.Knowledge(ctx, vocabulary, classes); err != nil {
		return nil, nil, nil, 0, err
	}
	options.Knowledge = known
	if releases != nil {
		m, scores, err = learn.FitReleases(ctx, *releases, f.New(vocabulary), options)
		return m, known, scores, len(releases.Texts), err
	}
	m, scores, err = learn.Fit(ctx, data, options)
	return m, known, scores, len(data.Examples), err
}

func (c *LearnCmd) check() error {
	if err := c.CheckFormat(); err != nil {
		return err
	}
	switch {
	case len(c.File) > 1:
		return cli.WrongUsage("join them first", "learn reads one file, got %d", len(c.File))
	case c.Smooth < 0:
		return cli.WrongUsage("", "--smooth must be 0 or more, got %d", c.Smooth)
	case c.Model != "" && (c.Report != "" || c.Test != "" || c.Output != "" || c.Weight != "" || len(c.Ridge) > 0 || c.Smooth > 0):
		return cli.WrongUsage("give the texts as FILE, and --label to measure", "--model cannot be used with --report, --test, --weight, --ridge, --smooth or -o: these fit a model")
	case c.EncoderProgram != "" && (c.About != "" || c.Embeddings != ""):
		return cli.WrongUsage("", "--encoder-program cannot be used with --about or --embeddings: it makes the vectors")
	case c.About != "" && c.Vectors != "":
		return cli.WrongUsage("", "--about cannot be used with --vectors: words for labels are read in texts")
	case c.Model == "" && c.Label == "":
		return cli.WrongUsage("", "learn needs --label, the column or path of the labels")
	case c.Model == "" && c.Vectors == "" && c.Test == "" && c.Output == "" && !c.JSON:
		return cli.WrongUsage("", "learn needs --test FILE, to measure the model, -o FILE, to write it, or --json, to describe it")
	}
	return c.checkVectors()
}

// writeModel writes a model. One of clear texts or labels is as private as they are.
func writeModel(ctx context.Context, term *cli.Terminal, name string, m *learn.Model, clear bool) error {
	if clear && name != "-" && !cli.Special(name) {
		return cli.WritePrivate(term, name, m.Write)
	}
	return cli.WriteOutput(ctx, term, name, m.Write)
}

// checkVectors refuses flags that cannot be used with released vectors, or need them.
func (c *LearnCmd) checkVectors() error {
	switch {
	case c.Vectors == "" && c.LabelLoss != 0:
		return cli.WrongUsage("", "--label-epsilon needs --vectors")
	case c.Labels != "" && c.LabelLoss == 0:
		return cli.WrongUsage("", "--labels needs --label-epsilon: it is the set that labels were drawn from")
	case c.Vectors != "" && (c.Model != "" || c.Weight != "" || c.Smooth > 0):
		return cli.WrongUsage("leave them out: released vectors are read with their report alone", "--vectors cannot be used with --model, --weight or --smooth")
	case c.Vectors != "" && c.Report == "":
		return cli.WrongUsage("give what embed --report wrote", "--vectors needs --report, which names their second moment")
	}
	return nil
}

// fromVectors fits a classifier to released vectors.
func (c *LearnCmd) fromVectors(ctx context.Context, term *cli.Terminal) error {
	data, err := cli.ReadInput(ctx, c.Report)
	if err != nil {
		return err
	}
	var r releasedVectors
	if len(data) > opening.MaxReport || strictjson.Unique(data) != nil || json.Unmarshal(data, &r) != nil || r.Mechanism == "" {
		return fmt.Errorf("%s: not a privacy statement", c.Report)
	}
	if r.Debias == nil || r.Of != sotto.Documents {
		return cli.WrongUsage("give the report of embed with the default mechanism", "%s: the report is not of unit vectors of texts", c.Report)
	}
	source, err := r.source()
	if err != nil {
		return fmt.Errorf("%s: %w", c.Report, err)
	}
	if r.Corpus == nil && (c.Corpus != "" || c.EncoderProgram != "") {
		return cli.WrongUsage("leave them out", "--corpus and --encoder-program are for vectors of the encoder of a corpus: %s is of averages of words", c.Report)
	}
	units, err := c.verifyVectorClaim(ctx, term, data, &r, source)
	if err != nil {
		return err
	}
	v, err := c.labelledVectors(ctx, term, &r)
	if err != nil {
		return err
	}
	v.LabelEpsilon = c.LabelLoss
	m, scores, err := learn.FitVectors(ctx, *v, learn.Options{Ridge: c.Ridge})
	if err != nil {
		return err
	}
	means, err := v.Means()
	if err != nil {
		return err
	}
	m.Source = learn.Source{Vectors: source, Examples: len(v.Class)}
	var compact bytes.Buffer
	_ = json.Compact(&compact, r.Claim)
	m.Source.Claim = compact.Bytes()
	read := c.fittedVectors(provenance.Reported{Claim: m.Source.Claim, Randomness: r.Randomness})
	m.Source.Provenance = WithoutFolders(read)
	result := &Learnt{Trained: &trained{Examples: len(v.Class), Labels: m.Classes, Ridge: m.Ridge, Scores: scores, Means: means}, revealed: revealsModel(read, c.Test)}
	if c.Test != "" {
		if units == nil { // not opened for the claim, or not to be opened
			if units, err = c.unitsOf(ctx, c.Report, source); err != nil {
				return err
			}
		}
		if result.Result, err = c.measure(ctx, term, m, units, c.Test); err != nil {
			return err
		}
	}
	if c.Output != "" {
		if err := writeModel(ctx, term, c.Output, m, result.Warning != ""); err != nil {
			return err
		}
	}
	return c.print(term, result)
}
