package corpora

import (
	"context"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/synthesis"
)

// allBins reports whether every column has its bins after its name.
func allBins(by []string) bool {
	return !slices.ContainsFunc(by, func(column string) bool { return !strings.Contains(column, "=") })
}

// labelled returns the columns without bins, and the value of --labels for each.
func (c *SynthesizeCmd) labelled() (names []string, values map[string]string, err error) {
	for _, column := range c.By {
		if !strings.Contains(column, "=") {
			names = append(names, column)
		}
	}
	values = map[string]string{}
	for _, given := range c.Labels {
		name, value := "", given
		switch len(names) {
		case 0:
			return nil, nil, cli.WrongUsage("", "--labels needs --by, the column of the labels")
		case 1:
			name = names[0]
		default:
			if name, value, _ = strings.Cut(given, "="); !slices.Contains(names, name) {
				return nil, nil, cli.WrongUsage(`a comma within the name of a column is \,`, "--labels needs COLUMN=FILE|V1,V2 per column, for %q", names)
			}
		}
		if _, twice := values[name]; twice {
			return nil, nil, cli.WrongUsage("", "--labels is given twice for column %s", name)
		}
		values[name] = value
	}
	for _, name := range names {
		if _, ok := values[name]; !ok {
			return nil, nil, cli.WrongUsage("", "--by %s needs --labels, the public set of its labels", name)
		}
	}
	return names, values, nil
}

// AlsoUses returns the files of labels.
func (c *SynthesizeCmd) AlsoUses() (uses []paths.Use) {
	_, values, err := c.labelled()
	if err != nil {
		return nil
	}
	for _, value := range values {
		if cli.IsLabelFile(value) {
			uses = append(uses, paths.Use{Flag: "--labels", Name: value, Public: true})
		}
	}
	return uses
}

// columns returns the label columns.
func (c *SynthesizeCmd) columns(ctx context.Context) ([]synthesis.Column, error) {
	_, values, err := c.labelled()
	if err != nil {
		return nil, err
	}
	var columns []synthesis.Column
	for _, given := range c.By {
		name, bins, binned := strings.Cut(given, "=")
		var column synthesis.Column
		if binned {
			column, err = synthesis.Bins(name, bins)
		} else {
			var labels []string
			if labels, err = cli.ReadLabelSet(ctx, values[name]); err != nil {
				return nil, err
			}
			column, err = synthesis.Labels(name, labels...)
		}
		if err != nil {
			return nil, cli.WrongUsage("", "%v", err)
		}
		columns = append(columns, column)
	}
	return columns, nil
}

type SynthesizeCmd struct {
	Corpus     string `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"Corpus of public texts, which are the outputs (see sotto corpus build; default: english, embedded)."`
	Embeddings string `path:"table" placeholder:"NAME|FILE" group:"input" help:"The table that the corpus was built with (default: by its name in the corpus)."`
	request.InLanguage
	opening.AboutFlag
	Epsilon   *float64 `short:"e" placeholder:"E" group:"privacy" help:"Loss per record with its labels, or per user for all records of a user; no default."`
	Delta     float64  `placeholder:"D" group:"privacy" help:"Allow this delta. With --user Gaussian noise is used if it is smaller; for single records the noise is pure in any case."`
	Delimiter string   `placeholder:"C" group:"input" help:"What separates the columns of csv: one character such as ; or |, or tab (default: a comma)."`
	Format    string   `placeholder:"NAME" group:"input" help:"${formats} (default: by extension, else lines)."`
	Field     string   `placeholder:"PATH" group:"input" help:"Column, or path into JSON or nested columns, of the texts."`
	By        []string `placeholder:"COLUMN" group:"input" help:"Label columns to release with the texts; COLUMN=1..5 means whole numbers, COLUMN=0..100/10 ranges."`
	Labels    []string `sep:"none" placeholder:"FILE|V1,V2" group:"input" help:"The public labels of --by, a list or a file of lines; with several columns COLUMN=FILE|V1,V2 per column."`
	Expect    *int     `placeholder:"N" group:"privacy" help:"Approximate number of records: a constant, not a count of them (default: a noisy count, which costs epsilon)."`
	User      string   `placeholder:"FIELD" group:"privacy" help:"Column or path that names the user of a record: epsilon is then per user, for all records of the user."`
	PerUser   *int     `placeholder:"M" group:"privacy" help:"With --user: the first M records of each user count."`
	request.Encoding
	TextVectors string `path:"file" placeholder:"FILE.npy" group:"input" help:"With a corpus built with --vectors: vectors of the texts, row i for record i of the input."`
	Size        *int64 `placeholder:"N" group:"output" help:"Texts to write (default: the sum of the noisy counts)."`
	As          string `oneof:"rows,few-shot" placeholder:"FORM" group:"output" help:"rows (default), or few-shot: the messages of a chat prompt as JSON, each text with its labels as the answer."`
	Weights     bool   `group:"output" help:"Write every text of every cell once, with its weight in a column, instead of drawing."`
	FromModel   bool   `group:"output" help:"Write texts of the --lm model, from the words of each cluster, instead of public texts: they may be false."`
	LM          string `name:"lm" path:"read" placeholder:"FILE" group:"output" help:"With --from-model: model of train language-model, declared public."`
	ModelSeed   uint64 `placeholder:"N" group:"advanced" help:"With --from-model: public seed of its texts (default: 0)."`
	Output      string `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output (.gz and .zst compress)."`
	Report      string `path:"write" placeholder:"FILE" group:"output" help:"Write the privacy statement here."`
	Check       bool   `group:"output" help:"Release nothing: print how many records have no known label or no text. The counts are exact, for the operator only."`
	Cost        bool   `group:"budget" help:"Release nothing: print what the run would spend and what the account has left. The number of records is exact, for the operator only."`
	Workers     int    `placeholder:"N" group:"advanced" help:"Parallel batches (default: number of CPUs)."`
	charging.AccountFlags
	charging.QuietFlag
	InsecureSeed *uint64  `placeholder:"N" group:"advanced" help:"Reproducible draws, for tests only: marked in the report."`
	JSON         bool     `name:"json" group:"output" help:"Print the privacy statement as one JSON document."`
	File         []string `path:"inputs" arg:"" optional:"" help:"Files or patterns of private records (default: standard input)."`

	program *program.Program // of --encoder-program, which ends with the run
	stdin   *openedInput     // standard input, whose header was read before the charge
}

// orZero returns the value of a flag, 0 where it is not given.
func orZero[N int | int64](given *N) N {
	if given == nil {
		return 0
	}
	return *given
}

// input returns the flags of the input's format.
func (c *SynthesizeCmd) input() *cli.FormatFlags {
	return &cli.FormatFlags{Format: c.Format, Delimiter: c.Delimiter, Tolerant: true}
}
