package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/text"
)

type embedCmd struct {
	mechanismFlags
	inputFlags
	Of           string  `placeholder:"WHAT" default:"documents" group:"privacy" help:"What a vector represents: documents (a text's average) or words (each token)."`
	Output       string  `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output."`
	As           string  `placeholder:"NAME" group:"output" help:"Form of the output: text, npy, jsonl or parquet (default: by extension, else text)."`
	Raw          bool    `group:"privacy" help:"For a mechanism with a codebook: write the vectors as drawn, not scaled to be unbiased by the report's debias."`
	Report       string  `path:"write" placeholder:"FILE" group:"output" help:"Write the privacy statement here."`
	Workers      int     `placeholder:"N" group:"advanced" help:"Parallel batches (default: number of CPUs)."`
	InsecureSeed *uint64 `placeholder:"N" group:"advanced" help:"Reproducible draws, for tests only: marked in the report."`
	quietFlag

	content sotto.Content // for the operator
}

// Run releases private vectors of all texts to one output, whole or not at all.
func (c *embedCmd) Run(ctx context.Context, term *terminal) error {
	if err := c.checkFormat(); err != nil {
		return err
	}
	if err := checkJSON(c.JSON, c.Output, writesReport); err != nil {
		return err
	}
	form, err := c.form()
	if err != nil {
		return err
	}
	if form == "parquet" {
		if err := term.refuseBinary(c.Output, form); err != nil {
			return err
		}
	}
	if err := checkOf(c.Of); err != nil {
		return err
	}
	if c.Workers < 0 {
		return wrongUsage("", "--workers must be 0 or more, got %d", c.Workers)
	}
	cfg, err := c.config(ctx, term, "embed")
	if err != nil {
		return err
	}
	cfg.InsecureSeed, cfg.Raw = c.InsecureSeed, c.Raw
	files, err := c.files(c.Output, false)
	if err != nil {
		return err
	}
	cfg.Untimed = untimed(c.Output, files)
	e, err := sotto.OpenEmbedder(ctx, cfg, sotto.Of(c.Of))
	if err != nil {
		return err
	}
	out, err := createOutput(ctx, term, c.Output)
	if err != nil {
		return err
	}
	defer out.discard()
	vectors := &vectorWriter{out: out, form: form, dim: e.Dimensions(), grouped: c.Of == string(sotto.Words), coded: e.Coded()}
	if err := vectors.begin(); err != nil {
		return err
	}
	var counts sotto.Counts
	for _, name := range files {
		if err := c.embedFile(ctx, term, e, name, vectors, &counts); err != nil {
			return err
		}
	}
	if err := vectors.close(); err != nil {
		return fmt.Errorf("%s: %w", outputName(c.Output), plainError(err))
	}
	if err := out.finish(); err != nil {
		return fmt.Errorf("%s: %w", outputName(c.Output), plainError(err))
	}
	if err := vectors.end(); err != nil {
		return fmt.Errorf("%s: %w", outputName(c.Output), plainError(err))
	}
	statement := e.Statement(counts)
	if err := out.deliver(ctx, term, c.Output, c.Report, c.JSON, statement); err != nil {
		return err
	}
	c.summarise(term, statement)
	return nil
}

// summarise prints to standard error what was drawn, as the report states it.
func (c *embedCmd) summarise(term *terminal, statement sotto.EmbedStatement) {
	if c.Quiet {
		return
	}
	cost := statement.Cost()
	line := spent(cost)
	if onTerminal(term.err) {
		line += ofContent(c.content, false)
	}
	fmt.Fprintln(term.err, line)
	warn(term.err, cost)
}

// form returns the form of the output.
func (c *embedCmd) form() (string, error) {
	forms := []string{"text", "npy", "jsonl", "parquet"}
	form := c.As
	if form == "" {
		form = "text"
		for _, f := range forms {
			if strings.HasSuffix(c.Output, "."+f) || strings.HasSuffix(c.Output, "."+f+".gz") || strings.HasSuffix(c.Output, "."+f+".zst") {
				form = f
			}
		}
	}
	if !slices.Contains(forms, form) {
		return "", wrongUsage(didYouMean(form, forms), "--as must be one of %s, got %q", strings.Join(forms, ", "), form)
	}
	if form == "parquet" && c.Of == string(sotto.Words) {
		return "", wrongUsage("choose jsonl", "parquet has one vector per row: it needs --of documents")
	}
	if form == "npy" && (c.Output == "" || special(c.Output) || !strings.HasSuffix(c.Output, ".npy")) {
		return "", wrongUsage("", "npy needs -o FILE.npy: its header says how many vectors follow")
	}
	return form, nil
}

// embedFile streams one file through the embedder.
func (c *embedCmd) embedFile(ctx context.Context, term *terminal, e *sotto.Embedder, name string, w *vectorWriter, total *sotto.Counts) error {
	in, err := c.source(ctx, term, name, nil, term.readingBar(c.Output))
	if err != nil {
		return err
	}
	defer in.close()
	if c.InsecureSeed != nil {
		in.steady()
	}
	_, err = e.Copy(ctx, w.write, in.Reader, sotto.Stream{
		Format: in.format, Fields: c.Field, Invalid: text.Invalid(c.Invalid), Workers: c.Workers,
		Prompt: name == "-" && c.InsecureSeed == nil, Counts: total, Content: &c.content,
	})
	return in.fault(err, c.Output)
}

// checkOf checks --of.
func checkOf(of string) error {
	if of != string(sotto.Documents) && of != string(sotto.Words) {
		return wrongUsage("", "--of must be %s or %s, got %q", sotto.Documents, sotto.Words, of)
	}
	return nil
}
