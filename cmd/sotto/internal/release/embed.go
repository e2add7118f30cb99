package release

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/text"
)

type EmbedCmd struct {
	request.Embedding
	jsonFlag
	cli.InputFlags
	Output  string `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output."`
	As      string `placeholder:"NAME" group:"output" help:"Form of the output: text, npy, jsonl or parquet (default: by extension, else text)."`
	Report  string `path:"write" placeholder:"FILE" group:"output" help:"Write the privacy statement here."`
	Workers int    `placeholder:"N" group:"advanced" help:"Parallel batches (default: number of CPUs)."`
	charging.QuietFlag

	content sotto.Content           // for the operator
	vectors *opening.BroughtVectors // of --text-vectors
}

// Run releases private vectors of all texts to one output, whole or not at all.
func (c *EmbedCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.CheckFormat(); err != nil {
		return err
	}
	if err := cli.CheckJSON(c.JSON, c.Output, cli.WritesReport); err != nil {
		return err
	}
	form, err := c.form()
	if err != nil {
		return err
	}
	if form == "parquet" {
		if err := term.RefuseBinary(c.Output, form); err != nil {
			return err
		}
	}
	if c.Workers < 0 {
		return cli.WrongUsage("", "--workers must be 0 or more, got %d", c.Workers)
	}
	cfg, err := c.Config(ctx, "embed", opening.OrTextVectors(opening.Sources(term.Progress())))
	if err != nil {
		return err
	}
	files, err := c.Files(c.Output, false)
	if err != nil {
		return err
	}
	if c.TextVectors != "" {
		if len(files) > 1 {
			return cli.WrongUsage("embed each file on its own", "--text-vectors needs exactly one input: row i is for record i")
		}
		if c.vectors, err = opening.Vectors(ctx, c.TextVectors); err != nil {
			return err
		}
		defer c.vectors.File.Close() // read only
	}
	cfg.Untimed = opening.Untimed(c.Output, files)
	e, err := sotto.OpenEmbedder(ctx, cfg)
	if err != nil {
		return err
	}
	out, err := cli.CreateOutput(ctx, term, c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	vectors := &vectorWriter{out: out, form: form, dim: e.Dimensions(), grouped: c.Of == string(sotto.Tokens), coded: e.Coded()}
	if err := vectors.begin(); err != nil {
		return err
	}
	var counts sotto.Counts
	for _, name := range files {
		if err := c.embedFile(ctx, term, e, name, vectors, &counts); err != nil {
			return err
		}
	}
	if err := opening.FinishEncoder(cfg.Encode); err != nil {
		return err
	}
	if err := vectors.close(); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(c.Output), cli.PlainError(err))
	}
	if err := out.Finish(); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(c.Output), cli.PlainError(err))
	}
	if err := vectors.end(); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(c.Output), cli.PlainError(err))
	}
	statement := e.Statement(counts)
	if err := out.Deliver(ctx, term, c.Output, c.Report, c.JSON, statement); err != nil {
		return err
	}
	c.summarise(term, statement, files)
	return nil
}

// summarise prints to standard error what was drawn, as the report states it.
func (c *EmbedCmd) summarise(term *cli.Terminal, statement sotto.EmbedStatement, files []string) {
	if c.Quiet {
		return
	}
	cost := statement.Cost()
	line := charging.Spent(cost)
	if cli.OnTerminal(term.Err) {
		line += charging.OfContent(c.content, false)
	}
	fmt.Fprintln(term.Err, line)
	charging.Warn(term.Err, cost)
	if c.Of == string(sotto.Documents) {
		c.WarnOfLines(term.Err, files, "text")
	}
}

// form returns the form of the output.
func (c *EmbedCmd) form() (string, error) {
	forms := []string{"text", "npy", "jsonl", "parquet"}
	form := c.As
	if form == "" {
		form = "text"
		for _, f := range forms {
			if strings.HasSuffix(compress.Plain(c.Output), "."+f) {
				form = f
			}
		}
	}
	if !slices.Contains(forms, form) {
		return "", cli.WrongUsage(cli.DidYouMean(form, forms), "--as must be one of %s, got %q", strings.Join(forms, ", "), form)
	}
	others := forms
	if c.As == "" {
		others = append(others, "csv", "tsv", "json")
	}
	for _, other := range others {
		if other != form && strings.HasSuffix(compress.Plain(c.Output), "."+other) {
			return "", cli.WrongUsage("name it ."+form+", or choose another form with --as", "-o %s: the vectors are written as %s", c.Output, form)
		}
	}
	if form == "parquet" && c.Of == string(sotto.Tokens) {
		return "", cli.WrongUsage("choose jsonl", "parquet has one vector per row: it needs --of documents")
	}
	if form == "npy" && (c.Output == "" || cli.Special(c.Output) || !strings.HasSuffix(c.Output, ".npy")) {
		return "", cli.WrongUsage("", "npy needs -o FILE.npy: its header says how many vectors follow")
	}
	return form, nil
}

// embedFile streams one file through the embedder.
func (c *EmbedCmd) embedFile(ctx context.Context, term *cli.Terminal, e *sotto.Embedder, name string, w *vectorWriter, total *sotto.Counts) error {
	in, err := c.Source(ctx, term, name, nil, term.ReadingBar(c.Output))
	if err != nil {
		return err
	}
	defer in.Close()
	if c.InsecureSeed != nil {
		in.Steady()
	}
	s := sotto.Stream{
		Format: in.Format, Fields: c.Field, Invalid: text.Invalid(c.Invalid), Workers: c.Workers,
		Prompt: prompts(term, name, c.InsecureSeed != nil, c.Of == string(sotto.Documents)), Counts: total, Content: &c.content,
	}
	if c.vectors != nil {
		s.Vectors = namedVectors{c.vectors, c.TextVectors}
	}
	_, err = e.Copy(ctx, w.write, in.Reader, s)
	return in.Fault(err, c.Output)
}
