package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/text"
)

type auditCmd struct {
	mechanismFlags
	Of          string  `default:"words" placeholder:"WHAT" help:"What the member is used for: words (or vectors, where it does not replace words) or vectors."`
	Draws       int     `default:"20000" help:"Draws for each pair and side, where the audit samples."`
	Alarm       float64 `default:"1e-6" placeholder:"CHANCE" help:"Chance at which sampling may refute a promise that holds."`
	Certificate string  `path:"write" placeholder:"FILE" help:"Write a certificate."`
	State       string  `path:"update" placeholder:"FILE" help:"Keep where an exact certificate stands in this file, about once a minute, and go on from it where it exists; removed when the audit has ended."`
	Memory      string  `placeholder:"SIZE" help:"Hold at most this much beside the table for an exact certificate, such as 512M or 2G; takes a little longer."`
	Verify      string  `path:"read" placeholder:"FILE" help:"Recompute a certificate; exit code 1 if it does not hold."`
	HTML        string  `path:"write" name:"html" placeholder:"FILE" help:"Write one self-contained page with plots."`
	Prior       string  `path:"read" placeholder:"WHICH" help:"Add the exact success of the best guess: uniform, rank, or a file of 'word count' lines in the table's order."`
	Corpus      string  `path:"read" placeholder:"FILE" help:"Add the context attack, its bigram prior counted on this public text (one text a line) ..."`
	Attacked    string  `path:"read" placeholder:"FILE" help:"... and these texts rewritten once and attacked."`
	Invalid     string  `enum:"fail,replace" default:"fail" placeholder:"WHAT" help:"Texts of these two files that are not UTF-8: fail, or replace what is not by U+FFFD (default: fail)."`
	Smoothing   float64 `default:"10" help:"Strength of the bigram prior's smoothing towards word frequency."`
	Name        string  `arg:"" optional:"" name:"mechanism" help:"Mechanism of the catalogue."`
}

func (c *auditCmd) Run(ctx context.Context, term *terminal) error {
	if c.Verify != "" {
		if c.State != "" {
			return wrongUsage("", "--verify recomputes at one go: it takes no --state")
		}
		if c.Memory != "" {
			return wrongUsage("", "--verify recomputes with all columns in memory: it takes no --memory")
		}
		return c.verify(ctx, term)
	}
	memory, err := readSize("memory", c.Memory)
	if err != nil {
		return err
	}
	if c.Name != "" {
		if c.Mechanism != "" && c.Mechanism != c.Name {
			return wrongUsage("", "two mechanisms are named, %s and %s", c.Mechanism, c.Name)
		}
		c.Mechanism = c.Name
	}
	if c.Mechanism == "" {
		return wrongUsage("sotto mechanisms lists them", "audit needs the name of a mechanism")
	}
	if c.Draws < 100 {
		return wrongUsage("", "draws is %d, must be at least 100", c.Draws)
	}
	if !(c.Alarm > 0 && c.Alarm < 1) {
		return wrongUsage("", "alarm is %g, must be in (0, 1)", c.Alarm)
	}
	cfg, err := c.config(ctx, term, "audit")
	if err != nil {
		return err
	}
	entry, _ := mechanism.Find(c.Mechanism)
	trial := audit.Trial{Draws: c.Draws, Alarm: c.Alarm, Progress: c.progress(term)}
	if trial.Keep, err = c.keep(ctx, term); err != nil {
		return err
	}
	if trial.Keep.Memory = memory; memory > 0 {
		limitHeap(memory)
	}
	var f *audit.Finding
	switch c.Of {
	case "words":
		f, err = audit.Run(ctx, entry, cfg.Spec, cfg.Table, sotto.Version, trial)
	case "vectors":
		if entry.NewPerturber == nil {
			return wrongUsage("", "%s does not release vectors", entry.Name)
		}
		f, err = audit.RunVectors(ctx, entry, cfg.Spec, cfg.Table, trial)
	default:
		return wrongUsage("", "of is %q, must be words or vectors", c.Of)
	}
	if err != nil {
		return err
	}
	if c.Certificate != "" {
		if f.Certificate == nil || f.Verdict != audit.Certified {
			return fmt.Errorf("audit: no certificate: the verdict on %s is %s, by %s", entry.Name, f.Verdict, f.Method)
		}
		var file bytes.Buffer
		if err := audit.WriteCertificate(&file, f.Certificate); err != nil {
			return err
		}
		if err := writeWhole(ctx, term, c.Certificate, file.Bytes()); err != nil {
			return err
		}
	}
	if c.Prior != "" || c.Corpus != "" || c.Attacked != "" {
		if f.Attack, err = c.attack(ctx, f, cfg.Table); err != nil {
			return err
		}
	}
	if c.HTML != "" {
		if err := c.page(ctx, term, f, cfg.Table); err != nil {
			return err
		}
	}
	if c.JSON {
		err = printJSON(term, f)
	} else {
		err = f.Render(term.out)
	}
	if err == nil && c.State != "" {
		err = os.Remove(c.State) // only now that nothing needs it
	}
	if err == nil && f.Verdict == audit.Refuted {
		return &exitError{code: exitRefuted}
	}
	return err
}

// keep reads the state of an earlier audit, if there is one, and writes later ones.
func (c *auditCmd) keep(ctx context.Context, term *terminal) (mechanism.Keep, error) {
	if c.State == "" {
		return mechanism.Keep{}, nil
	}
	state, err := os.ReadFile(c.State)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return mechanism.Keep{}, fmt.Errorf("%s: %w", c.State, plainError(err))
	}
	return mechanism.Keep{Resume: state, Save: func(state []byte) error { return writeWhole(ctx, term, c.State, state) }}, nil
}

// page writes the finding with its plots, whole or not at all.
func (c *auditCmd) page(ctx context.Context, term *terminal, f *audit.Finding, table *embedding.Table) error {
	plots, err := audit.Plots(ctx, f, table)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := f.RenderHTML(&out, plots); err != nil {
		return err
	}
	return writeWhole(ctx, term, c.HTML, out.Bytes())
}

// attack computes the attack figures of an enumerated channel.
func (c *auditCmd) attack(ctx context.Context, f *audit.Finding, table *embedding.Table) (*audit.Attack, error) {
	channel := f.Channel()
	if channel == nil {
		return nil, wrongUsage("choose a channel, such as neighbours, tem or exponential",
			"%s adds noise to a vector: its attack figures cannot be computed exactly", f.Mechanism)
	}
	if (c.Corpus == "") != (c.Attacked == "") {
		return nil, wrongUsage("", "the context attack needs both --corpus and --attacked")
	}
	a := &audit.Attack{Prior: c.Prior}
	var prior []float64
	var err error
	switch c.Prior {
	case "", "uniform":
		a.Prior, prior = "uniform", audit.UniformPrior(table.Len())
	case "rank":
		prior = audit.RankPrior(table.Len())
	default:
		a.Prior = "counts"
		if prior, err = readShares(ctx, c.Prior); err != nil {
			return nil, err
		}
		if len(prior) != table.Len() {
			return nil, wrongUsage("", "the prior has %d words, the table %d", len(prior), table.Len())
		}
	}
	if a.BayesSuccess, a.PriorSuccess, err = audit.BayesSuccess(ctx, channel, prior, nil); err != nil || c.Corpus == "" {
		return a, err
	}
	corpus, err := c.readTexts(ctx, c.Corpus, table)
	if err != nil {
		return nil, err
	}
	texts, err := c.readTexts(ctx, c.Attacked, table)
	if err != nil {
		return nil, err
	}
	bigram, err := audit.NewBigram(table.Len(), c.Smoothing)
	if err != nil {
		return nil, err
	}
	for _, ids := range corpus {
		bigram.Add(ids)
	}
	a.Context, err = audit.AttackInContext(ctx, channel, bigram, texts, nil)
	return a, err
}

// readTexts reads one text a line as the words of a table.
func (c *auditCmd) readTexts(ctx context.Context, path string, table *embedding.Table) ([][]embedding.ID, error) {
	var lines [][]byte
	in := corpusFlags{Format: string(text.Lines), Invalid: c.Invalid}
	if err := in.read(ctx, path, &lines); err != nil {
		return nil, err
	}
	tokenizer := text.NewTokenizer(table)
	var texts [][]embedding.ID
	for _, line := range lines {
		if ids, _ := tokenizer.Tokenize(nil, line); len(ids) > 0 {
			texts = append(texts, ids)
		}
	}
	return texts, nil
}

// progress names the one long piece of work of an audit.
func (c *auditCmd) progress(term *terminal) func(done, total int) {
	report := term.progress()
	if report == nil {
		return nil
	}
	return func(done, total int) { report("audit", done, total) }
}

// readCertificate reads a certificate's file.
func readCertificate(ctx context.Context, name string) (*audit.Certificate, error) {
	file, err := openInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cert, err := audit.ReadCertificate(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cert, nil
}

// verify opens the mechanism that a certificate names and recomputes it.
func (c *auditCmd) verify(ctx context.Context, term *terminal) error {
	cert, err := readCertificate(ctx, c.Verify)
	if err != nil {
		return err
	}
	if cert.Request == nil {
		return fmt.Errorf("certificate: it does not say how its mechanism was opened")
	}
	if c.Name != "" && c.Name != cert.Mechanism {
		return fmt.Errorf("certificate: it is for mechanism %s, not %s", cert.Mechanism, c.Name)
	}
	entry, ok := mechanism.Find(cert.Mechanism)
	if !ok || entry.New == nil {
		return fmt.Errorf("certificate: it is for a mechanism that is not in the catalogue")
	}
	table, err := c.table(ctx)
	if err != nil {
		return err
	}
	if c.Words == nil && cert.Words > 0 && cert.Words < table.Len() {
		if table, err = table.First(cert.Words); err != nil {
			return err
		}
	}
	if cert.Table != table.Digest() { // before a long calibration for the wrong table
		return fmt.Errorf("certificate: it is for another table (%.12s, not %.12s): choose it with --embeddings and --words", cert.Table, table.Digest())
	}
	spec := cert.Request.Spec()
	spec.Open = sotto.OpenFile
	m, err := entry.New(ctx, table, spec)
	if err != nil {
		return fmt.Errorf("certificate: its mechanism cannot be opened: %v", err)
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return fmt.Errorf("certificate: %s cannot be certified", cert.Mechanism)
	}
	if err := cert.Verify(ctx, channel, table, c.progress(term)); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(term, map[string]any{"holds": true, "certificate": cert})
	}
	_, err = fmt.Fprintf(term.out, "holds: %s over %d words, every figure recomputed\n", cert.Mechanism, cert.Words)
	return err
}
