package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/text"
)

type rewriteCmd struct {
	mechanismFlags
	inputFlags
	documentFlags
	Output             string  `short:"o" placeholder:"FILE" help:"Write here instead of standard output (.gz and .zst compress)."`
	Report             string  `placeholder:"FILE" help:"Write the privacy statement here."`
	RequireCertificate string  `placeholder:"FILE" help:"Refuse to run unless this certificate (sotto audit --certificate) is for this very mechanism and table."`
	Workers            int     `placeholder:"N" help:"Batches rewritten at once (default: one a processor)."`
	Consistent         bool    `help:"One replacement for all places of a word in a text (a line, a field): reveals which places hold the same word."`
	Account            string  `placeholder:"NAME" help:"Charge this account of the ledger before each draw; exit code 4 when its budget is exhausted."`
	Ledger             string  `placeholder:"FILE|URL" help:"Ledger of the account: SQLite file, or postgres://user@host/database."`
	InsecureSeed       *uint64 `placeholder:"N" help:"Reproducible draws, for tests only: marked in the report."`
}

// Run rewrites everything into one output, whole or not at all.
func (c *rewriteCmd) Run(ctx context.Context, term *terminal) (err error) {
	if err := c.checkFormat(); err != nil {
		return err
	}
	if c.Workers < 0 {
		return wrongUsage("", "workers is %d, must be 0 or more", c.Workers)
	}
	if err := c.checkAccount(); err != nil {
		return err
	}
	document, err := c.document()
	if err != nil {
		return err
	}
	c.chosen = document != nil
	cfg, err := c.config(term, "rewrite")
	if err != nil {
		return err
	}
	cfg.Document = document
	cfg.InsecureSeed, cfg.Consistent = c.InsecureSeed, c.Consistent
	if c.RequireCertificate != "" {
		if cfg.Certificate, err = readCertificate(c.RequireCertificate); err != nil {
			return err
		}
	}
	files, err := c.files(c.Output)
	if err != nil {
		return err
	}
	for _, name := range files {
		if c.Consistent && c.formatOf(name) == text.Text {
			return wrongUsage("use --format lines: consistency is within a line", "--consistent cannot hold across the lines of one text")
		}
	}
	r, err := sotto.Open(cfg)
	if err != nil {
		return err
	}
	var payer *payer
	if c.Account != "" {
		if payer, err = openPayer(ctx, c.Ledger, c.Account, r); err != nil {
			return err
		}
		defer payer.close()
	}

	out, err := createOutput(term, c.Output)
	if err != nil {
		return err
	}
	defer out.discard()
	var counts sotto.Counts
	for _, name := range files {
		if err := c.rewriteFile(ctx, term, r, payer, name, out, &counts); err != nil {
			return err
		}
	}
	if err := out.finish(); err != nil {
		return fmt.Errorf("%s: %w", outputName(c.Output), plainError(err))
	}
	return out.deliver(term, c.Output, c.Report, c.JSON, r.Statement(counts))
}

// rewriteFile streams one file through the rewriter.
func (c *rewriteCmd) rewriteFile(ctx context.Context, term *terminal, r *sotto.Rewriter, payer *payer, name string, out *outputFile, total *sotto.Counts) error {
	var mu sync.Mutex
	var counts sotto.Counts
	workers, tokens := c.Workers, (*int)(nil)
	whole := c.formatOf(name) == text.Text // one document of many lines
	if whole && c.DocumentEpsilon != nil {
		workers, tokens = 1, new(int) // its tokens are counted in order
	}
	err := c.stream(ctx, term, name, c.Output, out, text.Options{
		Workers: workers, Prompt: name == "-" && c.InsecureSeed == nil,
		Rewrite: func(texts [][]byte, batch uint64) ([][]byte, error) {
			p, err := r.ReadParts(texts, tokens)
			if err != nil {
				return nil, err
			}
			if payer != nil {
				if err := payer.pay(ctx, p); err != nil {
					return nil, err
				}
			}
			mu.Lock()
			counts.Add(p.Counts())
			mu.Unlock()
			return p.Draw(nil, batch<<32)
		},
	})
	if whole {
		counts.Documents, counts.LongestTokens, counts.LongestDraws = 1, counts.Tokens, counts.Draws
		counts.ClampedDocuments = min(1, counts.ClampedDocuments)
	}
	total.Add(counts)
	return err
}
