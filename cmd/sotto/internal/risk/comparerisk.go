package risk

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/tune"
)

// comparedRow is a row of compare, with what an attack on a sample found if there is one.
type comparedRow struct {
	tune.Row
	*sampleRow
	MostExposed *tune.Exposure `json:"most_exposed,omitempty"` // of the table, with --exposed
}

// sampleRow has the figures of a row of attack for words: null for mechanisms that add
// noise to vectors.
type sampleRow struct {
	Recovered          *float64                 `json:"recovered"`
	RecoveredInContext *float64                 `json:"recovered_in_context"`
	RecoveredRare      *float64                 `json:"recovered_rare"`
	Linked             *float64                 `json:"linked"`
	Among              int                      `json:"among"`
	Low                *float64                 `json:"low"` // of linked
	High               *float64                 `json:"high"`
	Intervals          map[string]*attack.Share `json:"intervals"`
	Exposed            []attack.ExposedWord     `json:"exposed"` // the words of the public sample that are recovered most surely
	Approximate        bool                     `json:"approximate,omitempty"`
}

// comparedTextRow is comparedRow for mechanisms that replace whole texts.
type comparedTextRow struct {
	tune.TextRow
	*linkedRow
}

// linkedRow has the texts of the sample that are linked. The linkage of its row is of
// texts of the corpus, among others.
type linkedRow struct {
	Linked *float64 `json:"linked"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
	Among  int      `json:"linked_among"`
}

// comparedSample describes the texts that were attacked.
type comparedSample struct {
	Texts      int          `json:"texts"`
	Known      int          `json:"known_texts"`
	Unknown    *float64     `json:"unknown"`
	Model      *attackModel `json:"model"`
	Reader     string       `json:"reader,omitempty"` // of words
	Confidence float64      `json:"confidence"`
	Seed       uint64       `json:"seed"`
	Privacy    string       `json:"privacy"`
}

// sampled reads the sample and, for words, the reader's model. It returns nil if no
// sample is given.
func (c *CompareCmd) sampled(ctx context.Context, term *cli.Terminal, words, coded bool) (*attackRun, error) {
	switch {
	case c.Texts == "":
		return nil, nil
	case words && c.Label != "":
		return nil, cli.WrongUsage("", "--label is for mechanisms that replace whole texts")
	}
	sample, err := c.attacked(c.TableFlags, c.Corpus, words, coded)
	if err != nil {
		return nil, err
	}
	run, err := sample.begin(ctx, term, words, "")
	if err == nil && !run.public {
		return nil, cli.WrongUsage("", notPublicModel)
	}
	return run, err
}

func sampleOf(run *attackRun) *comparedSample {
	if run == nil {
		return nil
	}
	d := run.document()
	return &comparedSample{d.Texts, d.Known, d.Unknown, d.Model, d.Reader, d.Confidence, d.Seed, d.Privacy}
}

// comparedWords attacks the sample, if there is one.
func comparedWords(ctx context.Context, run *attackRun, e mechanism.Entry, spec mechanism.Spec) (*sampleRow, error) {
	if run == nil {
		return nil, nil
	}
	m, err := e.New(ctx, run.table, spec)
	if _, ok := m.(mechanism.Channel); err != nil || !ok {
		return &sampleRow{}, err
	}
	row, err := run.attack(ctx, e, spec)
	return &sampleRow{row.Recovered, row.RecoveredInContext, row.RecoveredRare, row.Linked, row.Among, row.Low, row.High, row.Intervals, row.Exposed, row.Approximate}, err
}

// comparedTexts is comparedWords for whole texts.
func comparedTexts(ctx context.Context, run *attackRun, e mechanism.Entry, spec mechanism.Spec) (*linkedRow, error) {
	if run == nil {
		return nil, nil
	}
	row, err := run.attack(ctx, e, spec)
	return &linkedRow{row.Linked, row.Low, row.High, row.Among}, err
}

func plainRows(rows []comparedRow) (plain []tune.Row) {
	for _, r := range rows {
		plain = append(plain, r.Row)
	}
	return plain
}

// share formats a share that may be unknown.
func share(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *v)
}

// riskNames are the names of the same columns in CSV.
var riskNames = []string{"recovered", "recovered_in_context", "recovered_rare", "linked", "among", "low", "high"}

// cells returns the cells of riskNames, none without a sample.
func (r *sampleRow) cells(s *comparedSample) []string {
	switch {
	case s == nil:
		return nil
	case r == nil || r.Among == 0:
		return make([]string, len(riskNames))
	}
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	return []string{number(r.Recovered), number(r.RecoveredInContext), number(r.RecoveredRare), number(r.Linked), strconv.Itoa(r.Among), number(r.Low), number(r.High)}
}

// printSample explains the columns of an attack.
func printSample(term *cli.Terminal, s *comparedSample) error {
	if s == nil {
		return nil
	}
	known := ""
	if s.Known > 0 {
		known = fmt.Sprintf(" The corpus of the model has %d of them: the figures are too high for other texts.", s.Known)
	}
	_, err := fmt.Fprintf(term.Out, "alone, in context: share of the known words of %s that a reader with a language model (%s) recovers from each output, or from the whole release; rare:\n"+
		"in context, of words beyond the 2,000 commonest; linked: share of the texts that are named among others. sotto attack has intervals.%s\n%s", cli.Plural(s.Texts, "public text"), s.Reader, known, lacked(s.Unknown))
	return err
}

const notPublicModel = "the model of --lm is not declared public: " + provenance.NotPublic
