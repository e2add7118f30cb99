package sottobeam

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

// Synthesis configures a private copy of a whole collection. It is sent to the workers with
// the pipeline, so paths and URLs in it must be valid on every worker. All fields except
// Run are public and must be chosen without looking at the records.
type Synthesis struct {
	// Epsilon is the loss of one whole record, labels included, that is added or removed.
	// With User it is that of all records of a user.
	Epsilon float64
	// User is the field that names the user of a record, of the same kinds as Text. At most
	// PerUser records of each user count: those with the smallest digests. This rule reads
	// only the records of that user, so the result does not depend on how the work is
	// divided. Set both fields or neither. All records without a user belong to one user.
	User    string `json:",omitempty"`
	PerUser int    `json:",omitempty"`
	// Delta, if not 0, allows Gaussian noise for users, which is used where it is smaller.
	Delta float64 `json:",omitempty"`
	// Corpus is the name or file of a corpus that every worker can read; empty is the
	// embedded English one. CorpusDigest is its SHA-256, which Checked fills in. A worker
	// that finds another corpus under the name refuses to run.
	Corpus, CorpusDigest string
	// EncoderProgram: see Config.
	EncoderProgram string `json:",omitempty"`
	// Text is the field with the text of a record. It and those of By are strings,
	// pointers to strings, numbers or truth values, named with dots in nested structures.
	Text string
	// By are the fields of labels, in the order of Row.Labels.
	By []Labels
	// Expect, if not 0, is about how many records are expected: a constant, not a count
	// of them. Without it they are counted, noisily, which costs a part of epsilon.
	Expect int
	// Size is the number of texts to draw; 0 means the sum of the noisy counts.
	Size int64
	// Weights, instead of drawing, writes every text of every cell once, with its weight.
	Weights bool
	// Ledger and Account are as in Config: the account pays Epsilon once per run.
	Ledger, Account string
	// Run names the charge and determines the noise, so it is as private as the records. A
	// second run with the same Run over the same records releases the same rows again and
	// pays nothing. Empty means a new random value. Without a ledger the noise follows from
	// Run itself, and the claim assumes that: see privacy.SecretRun.
	Run          string
	InsecureSeed *uint64
}

// Labels are the public values of one field. A record with another value counts for the
// fixed cell synthesis.Other, which has no rows in the output.
type Labels struct {
	Field string
	// Values are named values; Bins are ranges of numbers, as synthesis.Bins reads them.
	// One of the two is given.
	Values []string
	Bins   string
}

// Checked opens a plan for the configuration, to find errors before a worker does, and
// returns the configuration with a Run.
func (c Synthesis) Checked() (Synthesis, error) {
	if err := checkRun(c.Ledger, c.Account, c.Run, c.InsecureSeed); err != nil {
		return c, err
	}
	switch {
	case c.Text == "":
		return c, privacy.Missing("sottobeam", "the field of the text", "set Text to its name")
	case (c.User == "") != (c.PerUser == 0):
		return c, privacy.Wrong("sottobeam", "", "the field of the user and the records per user belong together", "set User and PerUser, or neither")
	case c.Size < 0 || c.Size > synthesis.MaxSize:
		return c, privacy.Bad("sottobeam", "size", c.Size, fmt.Sprintf("1 to %d, or 0", synthesis.MaxSize))
	case c.Weights && c.Size != 0:
		return c, privacy.Unwanted("sottobeam", "size", "with Weights: every text comes out")
	}
	plan, _, err := c.plan(context.Background())
	if err != nil {
		return c, err
	}
	if _, err := ledger.Cost(plan.Claim(), 1); err != nil {
		return c, err
	}
	if c.Run == "" {
		c.Run = rand.Text()
	}
	if c.CorpusDigest == "" {
		book, err := openCorpus(c.Corpus)
		if err != nil {
			return c, err
		}
		c.CorpusDigest = book.Digest()
	}
	return c, nil
}

// plan opens the plan that all workers share, and the encoder of its records; nil if the corpus
// has its own.
func (c Synthesis) plan(ctx context.Context) (*synthesis.Plan, corpus.TextEncoder, error) {
	book, err := openCorpus(c.Corpus)
	if err != nil {
		return nil, nil, err
	}
	if c.CorpusDigest != "" && book.Digest() != c.CorpusDigest {
		return nil, nil, privacy.Wrong("sottobeam", "corpus", "this worker has another one than the pipeline was made with", "give every worker the corpus with SHA-256 "+c.CorpusDigest)
	}
	encoder, err := encode(ctx, book, c.EncoderProgram)
	if err != nil {
		return nil, nil, err
	}
	probes := ""
	if encoder != nil {
		if probes, err = corpus.Probes(ctx, encoder); err != nil {
			return nil, nil, err
		}
	}
	o := synthesis.Options{Corpus: book, Probes: probes, Epsilon: c.Epsilon, Delta: c.Delta, PerUser: c.PerUser, Expect: c.Expect, InsecureSeed: c.InsecureSeed,
		Brought: encoder != nil, SecretRun: c.Ledger == "" && c.InsecureSeed == nil}
	for _, by := range c.By {
		column, err := by.column()
		if err != nil {
			return nil, nil, err
		}
		o.Columns = append(o.Columns, column)
	}
	plan, err := synthesis.New(ctx, o)
	return plan, encoder, err
}

func (l Labels) column() (synthesis.Column, error) {
	if (l.Bins == "") == (len(l.Values) == 0) {
		return synthesis.Column{}, privacy.Wrong("sottobeam", "labels of "+l.Field, "they have both values and bins, or neither", "set one of the two")
	}
	if l.Bins != "" {
		return synthesis.Bins(l.Field, l.Bins)
	}
	return synthesis.Labels(l.Field, l.Values...)
}
