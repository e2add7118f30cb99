// Package auditing has the commands that certify or refute: audit, limits and mechanisms.
package auditing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

func (c *AuditCmd) Run(ctx context.Context, term *cli.Terminal) error {
	switch {
	case c.About != "" && c.Verify == "":
		return cli.WrongUsage("", "--about is for reports of synthesize: sotto audit --verify")
	case c.Verify != "" && c.Name == synthesis.Name:
		data, err := readReport(ctx, c.Verify)
		if err != nil {
			return err
		}
		return c.verifyStatement(ctx, term, data)
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
	switch {
	case c.ofTexts():
		return c.texts(ctx, term)
	case c.Corpus != "":
		return cli.WrongUsage("sotto attack measures what a reader recovers", "--corpus is for an audit of whole texts")
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
	if err := c.write(ctx, term, f, table); err != nil {
		return err
	}
	if c.State != "" {
		if err := os.Remove(c.State); err != nil { // only now that nothing needs it
			return err
		}
	}
	return conclude(f.Verdict)
}

// check determines the mechanism and refuses numbers out of range.
func (c *AuditCmd) check() error {
	if c.Name != "" {
		if c.Mechanism != "" && c.Mechanism != c.Name {
			return cli.WrongUsage("", "audit takes one MECHANISM, got %s and %s", c.Mechanism, c.Name)
		}
		c.Mechanism = c.Name
	}
	if c.EncoderProgram != "" {
		return cli.WrongUsage("", "--encoder-program needs --verify: it is compared with that of the release")
	}
	if c.Mechanism == "" {
		entry, ok := catalog.Default(mechanism.Use(c.Of), privacy.Notion(c.Notion))
		if !ok || c.Epsilon == nil {
			return cli.WrongUsage("sotto mechanisms lists them", "audit needs the name of a mechanism")
		}
		c.Mechanism = entry.Name
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

// verify opens the mechanism of a certificate and recomputes it.
func (c *AuditCmd) verify(ctx context.Context, term *cli.Terminal) error {
	if c.State != "" {
		return cli.WrongUsage("", "--verify cannot be used with --state: it recomputes in one pass")
	}
	if c.Memory != "" {
		return cli.WrongUsage("", "--verify cannot be used with --memory: it holds all columns in memory")
	}
	data, err := readReport(ctx, c.Verify)
	if err != nil {
		return err
	}
	var of struct{ Mechanism string }
	if c.Name == "" && json.Unmarshal(data, &of) == nil && of.Mechanism == synthesis.Name {
		return c.verifyStatement(ctx, term, data)
	}
	if c.About != "" {
		return cli.WrongUsage("leave it out", "--about is for reports of synthesize")
	}
	cert, err := toVerify(data, c.Verify)
	if err != nil {
		return err
	}
	if c.EncoderProgram != "" && (cert.report == nil || cert.report.Corpus == nil) {
		return cli.WrongUsage("leave it out", "--encoder-program is for reports of releases over a corpus that was built with it")
	}
	if cert.marks != nil {
		return c.verifyMarks(ctx, term, cert)
	}
	if cert.Request == nil {
		return fmt.Errorf("certificate: it does not state how its mechanism was opened")
	}
	if c.Name != "" && c.Name != cert.Mechanism {
		return fmt.Errorf("certificate: it is for mechanism %s, not %s", cert.Mechanism, c.Name)
	}
	if cert.Codebook != nil {
		return c.verifyTexts(ctx, term, cert)
	}
	return c.verifyWords(ctx, term, cert)
}
