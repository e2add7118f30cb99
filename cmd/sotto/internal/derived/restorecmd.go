package derived

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/restore"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/tokenize"
)

type RestoreCmd struct {
	opening.ReportFlags
	LM         string   `name:"lm" path:"file" required:"" placeholder:"FILE" group:"input" help:"Model of public text like the originals, as train language-model writes it, or an ARPA file."`
	Public     bool     `group:"privacy" help:"Declare that the model of an ARPA file is of public text."`
	Mode       string   `default:"consensus" enum:"consensus,map,sample,risk" placeholder:"WHAT" group:"output" help:"The restored text: consensus, a likely sequence of likely words (default); map, the likeliest sequence; sample, a draw from the posterior; risk, the likeliest word at each position."`
	Confidence *float64 `placeholder:"P" group:"output" help:"Leave out words whose probability of being the original is below this."`
	Mark       bool     `group:"output" help:"Put such words in brackets instead."`
	Anyway     bool     `group:"privacy" help:"Restore even if the release is so private that most words would be invented."`
	Seed       uint64   `default:"1" placeholder:"N" group:"advanced" help:"Seed of draws, which protect nothing here (default: 1)."`
	cli.FormatFlags
	Output string `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output."`
	JSON   bool   `name:"json" group:"output" help:"Print the statement as one JSON document; needs -o."`
	File   string `path:"read" arg:"" placeholder:"RELEASED" help:"Text written by rewrite."`
}

// restoring is one run of restore.
type restoring struct {
	cmd     *RestoreCmd
	from    *opening.Reopened
	model   *language.Model
	columns *restore.Channel
	texts   *copies
	result  restoredText
	number  uint64 // of texts so far
}

// Run restores one release. It reads the release, its report and public files: no
// original is among its inputs.
func (c *RestoreCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	if f := c.FormatOf(c.File); f.Seeks {
		if err := term.RefuseBinary(c.Output, f.String()); err != nil {
			return err
		}
	}
	r := &restoring{cmd: c}
	var err error
	if r.from, err = c.Reopen(ctx, term, "the words cannot be restored"); err != nil {
		return err
	}
	if err := restore.Worthwhile(r.from.Claim); err != nil && !c.Anyway {
		return cli.WrongUsage("--anyway restores it", "%s: %w", c.Report, err)
	}
	if r.model, err = opening.LanguageModel(ctx, c.LM, r.from.Table, c.Public); err != nil {
		return err
	}
	if !r.model.Card().Public {
		return cli.WrongUsage("a model of a corpus is declared public by train language-model --public, an ARPA file by --public", "%s: the model is not declared to be of public text: restored text would reveal its texts", c.LM)
	}
	r.columns = restore.NewChannel(r.from.Channel, r.from.Table.Len())
	r.texts = readCopies(r.from)
	r.result = restoredText{Mechanism: r.from.Name, Epsilon: r.from.Claim.Epsilon, Model: r.model.Digest(), Mode: c.Mode, Confidence: c.Confidence}
	if c.Confidence != nil {
		r.result.Uncertain = new(int)
	}
	out, err := cli.CreateOutput(ctx, term, c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := r.copy(ctx, term, out); err != nil {
		return err
	}
	model := provenance.Input{Kind: provenance.Declared(r.model.Card().Public), Name: c.LM, What: []string{"texts"}}
	r.result.Provenance = provenance.Inputs{r.texts.input(term.Err, c.File, c.Report, otherRows(term.Err, c.Report, []string{c.File}, r.texts)), model}
	r.result.Privacy = r.result.Provenance.Of(provenance.Restored) + restoredMayBeFalse
	if err := out.Finish(); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(c.Output), cli.PlainError(err))
	}
	if err := out.Deliver(ctx, term, c.Output, "", c.JSON, r.result); err != nil || c.JSON {
		return err
	}
	to := term.Out
	if c.Output == "" {
		to = term.Err // data alone goes to standard output
	}
	return r.result.print(to)
}

func (c *RestoreCmd) check() error {
	switch {
	case c.Confidence != nil && !(*c.Confidence > 0 && *c.Confidence <= 1):
		return cli.WrongUsage("", "--confidence must be in (0, 1], got %g", *c.Confidence)
	case c.Mark && c.Confidence == nil:
		return cli.WrongUsage("", "--mark needs --confidence, below which words are marked")
	}
	if err := cli.CheckJSON(c.JSON, c.Output, "write the text to a file with -o"); err != nil {
		return err
	}
	return c.CheckFormat()
}

// copy restores the texts of the release and writes the rest as it is.
func (r *restoring) copy(ctx context.Context, term *cli.Terminal, out io.Writer) error {
	c := r.cmd
	in, err := c.Source(ctx, term, c.File, nil, term.ReadingBar(c.Output))
	if err != nil {
		return err
	}
	defer in.Close()
	reader, err := in.Format.Open(in.Reader, c.CopyOptions(in.Format))
	if err == nil {
		err = reader.Begin(out)
	}
	for err == nil {
		var b text.Batch
		if b, err = reader.Next(); err == nil {
			err = r.batch(ctx, term, b)
		}
	}
	if errors.Is(err, io.EOF) {
		err = reader.End()
	}
	return in.Fault(err, c.Output)
}

// batch restores the texts of a batch.
func (r *restoring) batch(ctx context.Context, term *cli.Terminal, b text.Batch) error {
	records, err := b.Records()
	if err != nil {
		return err
	}
	var texts [][]byte
	for _, one := range records {
		texts = append(texts, r.texts.of(one)...)
	}
	released := make([][]embedding.ID, len(texts))
	for i, t := range texts {
		released[i] = r.texts.ids(nil, t)
		r.result.Tokens += len(released[i])
	}
	if err := r.from.CheckTokens(r.cmd.Report, r.result.Tokens); err != nil {
		return err
	}
	if err := r.columns.Read(ctx, released, term.Progress()); err != nil {
		return err
	}
	restored, uncertain := make([][]byte, len(texts)), make([]int, len(texts))
	err = parallel.BlockedBy(ctx, len(texts), 16, func() func(context.Context, int, int) error {
		one, err := restore.NewRestorer(r.model, r.columns, restore.Mode(r.cmd.Mode), r.cmd.Confidence != nil)
		tokenizer := tokenize.NewTokenizer(r.from.Table)
		return func(ctx context.Context, from, to int) error {
			for i := from; i < to && err == nil; i++ {
				if err = ctx.Err(); err != nil {
					break
				}
				var words []embedding.ID
				var chances []float64
				if words, chances, err = one.Restore(released[i], rand.New(noise.Seeded(r.cmd.Seed, r.number+uint64(i)))); err == nil {
					restored[i], uncertain[i] = r.cmd.write(tokenizer, words, chances)
				}
			}
			return err
		}
	})
	if err != nil {
		return err
	}
	r.number += uint64(len(texts))
	r.result.Textless = r.texts.textless
	r.result.Documents += len(texts)
	for _, n := range uncertain {
		if r.result.Uncertain != nil {
			*r.result.Uncertain += n
		}
	}
	if err := b.Replace(restored); err != nil {
		return err
	}
	return b.Write()
}

// leftOutWords replaces consecutive words that are left out.
const leftOutWords = " …"

// write returns the text of words, and the number of them below the confidence.
func (c *RestoreCmd) write(tokenizer *tokenize.Tokenizer, words []embedding.ID, chances []float64) (out []byte, uncertain int) {
	if c.Confidence == nil {
		return tokenizer.Detokenize(nil, words), 0
	}
	before := false
	for i, piece := range tokenizer.Pieces(words) {
		sure := chances[i] >= *c.Confidence
		switch spelled := strings.TrimPrefix(piece, " "); {
		case sure:
			out = append(out, piece...)
		case c.Mark:
			out = fmt.Appendf(out, "%s[%s]", piece[:len(piece)-len(spelled)], spelled)
		case !before:
			out = append(out, leftOutWords...)
		}
		if !sure {
			uncertain++
		}
		before = !sure
	}
	return []byte(strings.TrimPrefix(string(out), " ")), uncertain
}
