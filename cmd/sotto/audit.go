package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/google/renameio/v2"
	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/mechanism"
)

type auditCmd struct {
	mechanismFlags
	Draws       int     `default:"20000" help:"Draws for each pair and side, where the audit samples."`
	Alarm       float64 `default:"1e-6" placeholder:"CHANCE" help:"Chance at which sampling may refute a promise that holds."`
	Certificate string  `placeholder:"FILE" help:"Write a certificate."`
	Verify      string  `placeholder:"FILE" help:"Recompute a certificate; exit code 1 if it does not hold."`
	Name        string  `arg:"" optional:"" name:"mechanism" help:"Mechanism of the catalogue."`
}

func (c *auditCmd) Run(ctx context.Context, term *terminal) error {
	if c.Verify != "" {
		return c.verify(ctx, term)
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
	cfg, err := c.config(term, "audit")
	if err != nil {
		return err
	}
	entry, _ := mechanism.Find(c.Mechanism)
	f, err := audit.Run(ctx, entry, cfg.Spec, cfg.Table, sotto.Version, audit.Trial{Draws: c.Draws, Alarm: c.Alarm, Progress: c.progress(term)})
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
		if err := renameio.WriteFile(c.Certificate, file.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if c.JSON {
		err = printJSON(term, f)
	} else {
		err = f.Render(term.out)
	}
	if err == nil && f.Verdict == audit.Refuted {
		return &exitError{code: exitRefuted}
	}
	return err
}

// progress names the one long piece of work of an audit.
func (c *auditCmd) progress(term *terminal) func(done, total int) {
	report := term.progress()
	if report == nil {
		return nil
	}
	return func(done, total int) { report("audit", done, total) }
}

// verify opens the mechanism that a certificate names and recomputes it.
func (c *auditCmd) verify(ctx context.Context, term *terminal) error {
	file, err := os.Open(c.Verify)
	if err != nil {
		return err
	}
	defer file.Close()
	cert, err := audit.ReadCertificate(file)
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
	table, err := c.table()
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
	m, err := entry.New(table, cert.Request.Spec())
	if err != nil {
		return fmt.Errorf("certificate: its mechanism cannot be opened: %v", err)
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return fmt.Errorf("certificate: %s cannot be certified", cert.Mechanism)
	}
	if err := cert.Verify(ctx, channel, table, sotto.Version, c.progress(term)); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(term, map[string]any{"holds": true, "certificate": cert})
	}
	_, err = fmt.Fprintf(term.out, "holds: %s over %d words, every figure recomputed\n", cert.Mechanism, cert.Words)
	return err
}
