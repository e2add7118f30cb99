package main

import (
	"context"
	"os"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/beam/files"
	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// shareOf reads the share I/N.
func shareOf(share string, cfg *files.Config) error {
	if share == "" {
		return nil
	}
	take, of, _ := strings.Cut(share, "/")
	i, err := strconv.Atoi(take)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || i < 0 || i >= n {
		return wrong("--share must be I/N with I from 0 to N-1, got %q", share)
	}
	cfg.Take, cfg.Of = i, n
	return nil
}

// config converts the flags.
func config(ctx context.Context) (files.Config, error) {
	cfg := files.Config{
		Config: sottobeam.Config{
			Mechanism: asked.Mechanism, Notion: asked.Notion, Parameters: asked.Values(), Calibrate: asked.Calibrate, Unit: asked.Unit, Corpus: asked.Corpus, EncoderProgram: asked.EncoderProgram,
			Language: asked.Language, Embeddings: asked.Embeddings, Accept: asked.Accept, Consistent: asked.Consistent, Fields: fields, Account: asked.Account, Ledger: asked.Ledger, InsecureSeed: asked.InsecureSeed,
		},
		Output: *output, Format: *format, Invalid: text.Invalid(*invalid), Again: *again,
	}
	if *invalid != "" && *invalid != string(text.FailInvalid) && *invalid != string(text.ReplaceInvalid) {
		return cfg, wrong("--invalid must be fail or replace, got %q", *invalid)
	}
	if *output == "" || len(inputs) == 0 {
		return cfg, wrong("--input and --output are needed")
	}
	if asked.Epsilon != nil {
		if err := privacy.CheckEpsilon("sotto-beam", *asked.Epsilon); err != nil {
			return cfg, err
		}
		cfg.Epsilon = *asked.Epsilon
	}
	if (asked.Ledger == "") != (asked.Account == "") {
		return cfg, wrong("--ledger and --account belong together: give both, or neither")
	}
	if asked.Words != nil {
		cfg.Words = *asked.Words
	}
	if asked.Ledger != "" {
		if err := open.Check(asked.Ledger); err != nil {
			return cfg, &usageError{err}
		}
	}
	if err := shareOf(*share, &cfg); err != nil {
		return cfg, err
	}
	if *again && !*resume {
		return cfg, wrong("--again needs --resume")
	}
	if asked.RequireCertificate != "" {
		data, err := os.ReadFile(asked.RequireCertificate)
		if err != nil {
			return cfg, err
		}
		cfg.Certificate = data
	}
	for _, pattern := range inputs {
		found, err := expand(ctx, pattern)
		if err != nil {
			return cfg, err
		}
		if len(found) == 0 {
			return cfg, wrong("no file matches %s", pattern)
		}
		cfg.Inputs = append(cfg.Inputs, found...)
	}
	return cfg, nil
}
