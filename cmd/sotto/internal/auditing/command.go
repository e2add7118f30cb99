package auditing

import (
	"bytes"
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/request"
)

type AuditCmd struct {
	opening.MechanismFlags
	Of           string            `default:"words" placeholder:"WHAT" group:"privacy" help:"Use to audit: words, vectors or texts (default: words, or the first of these that the mechanism supports)."`
	Draws        int               `default:"20000" group:"advanced" help:"Draws per pair and side if the audit samples."`
	Alarm        float64           `default:"1e-6" placeholder:"CHANCE" group:"advanced" help:"False-positive rate of the sampling audit."`
	Certificate  string            `path:"write" placeholder:"FILE" group:"output" help:"Write a certificate."`
	State        string            `path:"update" placeholder:"FILE" group:"advanced" help:"Save the progress of an exact certificate in this file about once a minute, and resume from it if it exists. The file is removed when the audit has ended."`
	Memory       string            `placeholder:"SIZE" group:"advanced" help:"Memory limit for an exact certificate, not counting the table, such as 512M or 2G. A limit takes a little longer."`
	Verify       string            `path:"read" placeholder:"FILE" group:"input" help:"Recompute a certificate, or that of a privacy statement; exit code 1 if it does not hold."`
	TypeCodebook map[string]string `path:"values" placeholder:"TYPE=FILE" group:"input" help:"With --verify, for a report of marks: the codebook of a type, unless it is an embedded one (repeatable)."`
	HTML         string            `path:"write" name:"html" placeholder:"FILE" group:"output" help:"Write one self-contained page with plots."`
	Corpus       string            `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"For whole texts: the corpus (default: english)."`
	request.Encoding
	opening.AboutFlag
	Name string `arg:"" optional:"" name:"mechanism" help:"Mechanism of the catalogue, or synthesize: releases of it are attacked with canaries."`
}

type LimitsCmd struct {
	Epsilon     *float64 `short:"e" placeholder:"E" group:"privacy" help:"Privacy parameter per token."`
	Delta       float64  `default:"0" placeholder:"D" group:"privacy" help:"Delta, for word-level guarantees."`
	Vocabulary  *int     `placeholder:"V" group:"input" help:"Number of words (default: the table's)."`
	Unchanged   *float64 `placeholder:"SHARE" group:"privacy" help:"A claimed share of unchanged words to check."`
	Frequencies string   `path:"read" placeholder:"FILE" group:"input" help:"Word frequencies: lines of 'word count', or of shares that sum to 1."`
	Notion      string   `placeholder:"KIND" group:"privacy" help:"Kind of guarantee: pure (default), or metric over a table."`
	Unit        string   `placeholder:"WHAT" group:"privacy" help:"What epsilon protects: word (default), or text, a whole text."`
	Among       int      `default:"200" placeholder:"N" group:"advanced" help:"With --unit text: the number of candidate texts for a release (default: 200)."`
	Linked      *float64 `placeholder:"SHARE" group:"privacy" help:"With --unit text: a claimed share of linked releases to check."`
	opening.TableFlags
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

// write writes a finding in every form that is asked for. The table is nil for a codebook.
func (c *AuditCmd) write(ctx context.Context, term *cli.Terminal, f *audit.Finding, table *embedding.Table) error {
	if c.Certificate != "" {
		if err := c.writeCertificate(ctx, term, f); err != nil {
			return err
		}
	}
	if c.HTML != "" {
		if err := c.page(ctx, term, f, table); err != nil {
			return err
		}
	}
	if c.JSON {
		return cli.PrintJSON(term, f)
	}
	return f.Render(term.Out)
}

// conclude ends an audit that refutes a claim with the exit code of one.
func conclude(verdict audit.Verdict) error {
	if verdict == audit.Refuted {
		return &cli.ExitError{Code: cli.ExitRefuted}
	}
	return nil
}

// page writes the finding with its plots, whole or not at all.
func (c *AuditCmd) page(ctx context.Context, term *cli.Terminal, f *audit.Finding, table *embedding.Table) error {
	var out bytes.Buffer
	if err := f.RenderHTML(ctx, &out, table); err != nil {
		return err
	}
	return cli.WriteWhole(ctx, term, c.HTML, out.Bytes())
}

// progress names the one long computation of an audit.
func (c *AuditCmd) progress(term *cli.Terminal) progress.Func {
	return term.Progress().Stage("audit")
}

func (c *AuditCmd) writeCertificate(ctx context.Context, term *cli.Terminal, f *audit.Finding) error {
	if f.Certificate == nil || f.Verdict != audit.Certified {
		return fmt.Errorf("no certificate was written: the verdict on %s is %s, by %s", f.Mechanism, f.Verdict, f.Method)
	}
	var file bytes.Buffer
	if err := audit.WriteCertificate(&file, f.Certificate); err != nil {
		return err
	}
	return cli.WriteWhole(ctx, term, c.Certificate, file.Bytes())
}
