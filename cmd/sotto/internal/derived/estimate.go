// Package derived has the commands that compute from releases: estimate, restore and learn.
package derived

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/estimate"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Run counts the words of private text and corrects for the channel of the report.
func (c *EstimateCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	source, err := c.Reopen(ctx, term, "the counts cannot be corrected")
	if err != nil {
		return err
	}
	observed := newObserved(source.Table)
	files := c.File
	if len(files) == 0 {
		files = []string{"-"}
	}
	read := make([]*copies, len(files))
	for i, name := range files {
		texts := readCopies(source)
		read[i] = texts
		if err := c.EachCopy(ctx, term, name, c.By, func(r text.Record) error { return observed.add(texts, r, c.By) }); err != nil {
			return err
		}
	}
	if observed.tokens(0) == 0 {
		return fmt.Errorf("%s: the file has no tokens to count", strings.Join(files, ", "))
	}
	if err := source.CheckTokens(c.Report, observed.tokens(0)); err != nil {
		return err
	}
	words, err := wordsOf(source.Table, c.Word)
	if err != nil {
		return err
	}
	e, err := estimate.New(ctx, source.Channel, source.Table, term.Progress())
	if err != nil {
		return err
	}
	result, err := c.estimate(ctx, e, source.Table, observed, words)
	var inseparable *estimate.InseparableError
	if errors.As(err, &inseparable) {
		return &cli.ExitError{Code: cli.ExitFailed, Err: fmt.Errorf("%w (--nonnegative gives biased ones; a release by -m response has unbiased ones)", err)}
	}
	if err != nil {
		return err
	}
	result.Mechanism = source.Name
	other := otherRows(term.Err, c.Report, files, read...)
	for i, name := range files {
		result.Provenance = append(result.Provenance, c.input(term, read[i], name, other))
		result.Textless += read[i].textless
	}
	result.Privacy = result.Provenance.Of(provenance.Counts)
	if err := cli.DrawAll(ctx, term, c.Plot, result.drawn()); err != nil {
		return err
	}
	return c.write(ctx, term, result)
}

// input returns what a file was: no claim covers the values of a field.
func (c *EstimateCmd) input(term *cli.Terminal, texts *copies, name string, other error) provenance.Input {
	in := texts.input(term.Err, name, c.Report, other)
	if c.By != "" && !texts.released(other) {
		in.What = append(in.What, "values of "+c.By)
	} else if c.By != "" {
		in.NotCovered = []string{"values of " + c.By}
	}
	return in
}

func (c *EstimateCmd) check() error {
	switch {
	case !(c.Confidence > 0 && c.Confidence < 1):
		return cli.WrongUsage("", "--confidence must be in (0, 1), got %g", c.Confidence)
	case c.Top < 0:
		return cli.WrongUsage("", "--top must be 0 or more, got %d", c.Top)
	case c.JSON && c.CSV:
		return cli.WrongUsage("", "--json cannot be used with --csv")
	}
	if err := c.CheckFormat(); err != nil {
		return err
	}
	return cli.CheckPlots(c.Plot)
}

// observed holds the counts of each output: first of all texts, then of the texts with
// each value of a field.
type observed struct {
	words  int
	parts  [][]int
	values map[string]int // value -> its index in parts
	ids    []embedding.ID // scratch
}

func newObserved(table *embedding.Table) *observed {
	return &observed{
		words: table.Len(),
		parts: [][]int{make([]int, table.Len())}, values: map[string]int{},
	}
}

// mostValues bounds the values of a field: each needs one count per word.
const mostValues = 1000

func (o *observed) tokens(part int) int {
	sum := 0
	for _, n := range o.parts[part] {
		sum += n
	}
	return sum
}

// add adds the tokens of a record, grouped by a field if there is one.
func (o *observed) add(from *copies, r text.Record, by string) (err error) {
	part := 0
	if by != "" {
		if part, err = o.part(by, r.By); err != nil {
			return err
		}
	}
	for _, t := range from.of(r) {
		o.ids = from.ids(o.ids[:0], t)
		for _, id := range o.ids {
			o.parts[0][id]++
			if part > 0 {
				o.parts[part][id]++
			}
		}
	}
	return nil
}

// part returns the index in parts of a value of a field.
func (o *observed) part(field, value string) (int, error) {
	if part, ok := o.values[value]; ok {
		return part, nil
	}
	if len(o.values) == mostValues {
		return 0, fmt.Errorf("field %q has more than %d values", field, mostValues)
	}
	part := len(o.parts)
	o.values[value] = part
	o.parts = append(o.parts, make([]int, o.words))
	return part, nil
}

// wordsOf looks up the requested words, each one token.
func wordsOf(table *embedding.Table, asked []string) ([]embedding.ID, error) {
	tokenizer := tokenize.NewTokenizer(table)
	var words []embedding.ID
	for i, w := range asked {
		if id, ok := table.Lookup(w); ok {
			words = append(words, id)
			continue
		}
		ids, unknown := tokenizer.Tokenize(nil, []byte(w))
		if len(ids) != 1 || unknown > 0 {
			return nil, cli.WrongUsage("", "--word number %d must be one word of the table", i+1)
		}
		words = append(words, ids[0])
	}
	return words, nil
}

// estimate corrects the counts.
func (c *EstimateCmd) estimate(ctx context.Context, e *estimate.Estimator, table *embedding.Table, o *observed, words []embedding.ID) (*estimated, error) {
	var fits []estimate.Fit
	var err error
	if c.Nonnegative {
		if fits, err = e.Nonnegative(ctx, o.parts); err != nil {
			return nil, err
		}
	}
	switch {
	case words != nil:
	case c.Nonnegative:
		words = estimate.Largest(fits[0].Counts, c.Top)
	default:
		if words, err = e.Commonest(ctx, o.parts[0], c.Top); err != nil {
			return nil, err
		}
	}
	counts, err := e.Estimate(ctx, estimate.Query{Parts: o.parts, Words: words, Confidence: c.Confidence, AllowBias: c.Nonnegative})
	if err != nil {
		return nil, err
	}
	for i, fit := range fits {
		for j, w := range words { // a value outside the interval is a worse estimate than its end
			n := &counts[i][j]
			n.Value = min(max(fit.Counts[w], n.Low), n.High)
		}
	}
	r := &estimated{
		Words: named(table, counts[0]), Confidence: c.Confidence, Tokens: o.tokens(0),
		Unbiased: !c.Nonnegative, By: c.By,
	}
	for _, value := range slices.Sorted(maps.Keys(o.values)) {
		part := o.values[value]
		r.Groups = append(r.Groups, group{value, o.tokens(part), named(table, counts[part])})
	}
	return r, nil
}
