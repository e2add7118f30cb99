// Package auditing has the commands that certify or refute: audit, limits and mechanisms.
package auditing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/synthesis"
)

type AuditCmd struct {
	opening.MechanismFlags
	Of          string  `default:"words" placeholder:"WHAT" group:"privacy" help:"Use to audit: words, vectors or texts (default: words, or the first of these that the mechanism supports)."`
	Draws       int     `default:"20000" group:"advanced" help:"Draws per pair and side if the audit samples."`
	Alarm       float64 `default:"1e-6" placeholder:"CHANCE" group:"advanced" help:"False-positive rate of the sampling audit."`
	Certificate string  `path:"write" placeholder:"FILE" group:"output" help:"Write a certificate."`
	State       string  `path:"update" placeholder:"FILE" group:"advanced" help:"Save the progress of an exact certificate in this file about once a minute, and resume from it if it exists. The file is removed when the audit has ended."`
	Memory      string  `placeholder:"SIZE" group:"advanced" help:"Memory limit for an exact certificate, not counting the table, such as 512M or 2G. A limit takes a little longer."`
	Verify      string  `path:"read" placeholder:"FILE" group:"input" help:"Recompute a certificate, or that of a privacy statement; exit code 1 if it does not hold."`
	HTML        string  `path:"write" name:"html" placeholder:"FILE" group:"output" help:"Write one self-contained page with plots."`
	Prior       string  `path:"read" placeholder:"WHICH" group:"input" help:"Add the exact success of the best guess: uniform, rank, or a file of 'word count' lines in the table's order."`
	Corpus      string  `path:"read" placeholder:"FILE" group:"input" help:"For whole texts: the corpus (default: english). Otherwise: add the context attack, with a bigram prior from this public text (one text per line) ..."`
	Attacked    string  `path:"read" placeholder:"FILE" group:"input" help:"... on these texts, which are rewritten once and attacked."`
	Invalid     string  `enum:"fail,replace" default:"fail" placeholder:"WHAT" group:"input" help:"Texts of these two files that are not UTF-8: fail, or replace invalid bytes by U+FFFD (default: fail)."`
	Smoothing   float64 `default:"10" group:"advanced" help:"Strength of the bigram prior's smoothing towards word frequency."`
	Name        string  `arg:"" optional:"" name:"mechanism" help:"Mechanism of the catalogue, or synthesize: releases of it are attacked with canaries."`
}

func (c *AuditCmd) Run(ctx context.Context, term *cli.Terminal) error {
	switch {
	case c.Verify != "" && c.Name == synthesis.Name:
		return c.verifyStatement(ctx, term)
	case c.Verify != "":
		return c.verify(ctx, term)
	}
	memory, err := cli.ReadSize("memory", c.Memory)
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	if c.Mechanism == synthesis.Name {
		return c.synthesis(ctx, term)
	}
	if c.ofTexts() {
		return c.texts(ctx, term)
	}
	spec, table, err := c.OverTable(ctx, term, "audit")
	if err != nil {
		return err
	}
	keep, err := c.keep(ctx, term)
	if err != nil {
		return err
	}
	if keep.Memory = memory; memory > 0 {
		cli.LimitHeap(memory)
	}
	f, err := c.audit(ctx, table, audit.Options{
		Spec: spec, Version: sotto.Version,
		Trial: audit.Trial{Draws: c.Draws, Alarm: c.Alarm, Progress: c.progress(term), Keep: keep},
	})
	if err != nil {
		return err
	}
	if c.Certificate != "" {
		if err := c.writeCertificate(ctx, term, f); err != nil {
			return err
		}
	}
	if c.Prior != "" || c.Corpus != "" || c.Attacked != "" {
		if f.Attack, err = c.attack(ctx, term, f, table); err != nil {
			return err
		}
	}
	if c.HTML != "" {
		if err := c.page(ctx, term, f, table); err != nil {
			return err
		}
	}
	if c.JSON {
		err = cli.PrintJSON(term, f)
	} else {
		err = f.Render(term.Out)
	}
	if err == nil && c.State != "" {
		err = os.Remove(c.State) // only now that nothing needs it
	}
	if err == nil && f.Verdict == audit.Refuted {
		return &cli.ExitError{Code: cli.ExitRefuted}
	}
	return err
}

// check determines the mechanism and refuses numbers out of range.
func (c *AuditCmd) check() error {
	if c.Name != "" {
		if c.Mechanism != "" && c.Mechanism != c.Name {
			return cli.WrongUsage("", "audit takes one MECHANISM, got %s and %s", c.Mechanism, c.Name)
		}
		c.Mechanism = c.Name
	}
	if c.Mechanism == "" {
		return cli.WrongUsage("sotto mechanisms lists them", "audit needs the name of a mechanism")
	}
	if c.Draws < 100 {
		return cli.WrongUsage("", "--draws must be at least 100, got %d", c.Draws)
	}
	if !(c.Alarm > 0 && c.Alarm < 1) {
		return cli.WrongUsage("", "--alarm must be in (0, 1), got %g", c.Alarm)
	}
	return nil
}

// audit audits the mechanism for its use.
func (c *AuditCmd) audit(ctx context.Context, table *embedding.Table, opts audit.Options) (*audit.Finding, error) {
	entry, _ := catalog.Find(c.Mechanism)
	switch c.Of {
	case "words":
		return audit.Run(ctx, entry, table, opts)
	case "vectors":
		if entry.NewPerturber == nil {
			return nil, cli.WrongUsage("", "%s does not release vectors", entry.Name)
		}
		return audit.RunVectors(ctx, entry, table, opts)
	}
	return nil, cli.WrongUsage("", "--of must be words, vectors or texts, got %q", c.Of)
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

// keep reads the state of an earlier audit, if there is one, and saves later states.
func (c *AuditCmd) keep(ctx context.Context, term *cli.Terminal) (mechanism.Keep, error) {
	if c.State == "" {
		return mechanism.Keep{}, nil
	}
	state, err := cli.ReadInput(ctx, c.State)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return mechanism.Keep{}, err
	}
	return mechanism.Keep{Resume: state, Save: func(state []byte) error { return cli.WriteWhole(ctx, term, c.State, state) }}, nil
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
