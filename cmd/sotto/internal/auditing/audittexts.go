package auditing

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// ofTexts reports whether the audit is of whole texts over a corpus.
func (c *AuditCmd) ofTexts() bool {
	entry, _ := catalog.Find(c.Mechanism)
	return c.Of == "texts" || c.Of == "words" && entry.New == nil && entry.NewPerturber == nil && entry.NewRetriever != nil
}

// checkTexts refuses flags of audits over a table.
func (c *AuditCmd) checkTexts() error {
	for _, f := range []struct {
		given bool
		flag  string
	}{
		{c.State != "", "--state"}, {c.Memory != "", "--memory"},
		{c.Embeddings != "", "--embeddings"}, {c.Words != nil, "--words"}, {c.Never != "", "--never"},
	} {
		if f.given {
			return cli.WrongUsage("", "%s cannot be used with an audit of whole texts", f.flag)
		}
	}
	return nil
}

// texts audits a mechanism that replaces whole texts.
func (c *AuditCmd) texts(ctx context.Context, term *cli.Terminal) error {
	if err := c.checkTexts(); err != nil {
		return err
	}
	if err := c.Opening.Check("audit", "text"); err != nil {
		return err
	}
	book, err := opening.Corpus(ctx, c.Corpus)
	if err != nil {
		return err
	}
	entry, _ := catalog.Find(c.Mechanism)
	f, err := audit.RunTexts(ctx, entry, book, audit.Options{Spec: c.Spec(opening.Sources(term.Progress())), Version: sotto.Version, Trial: audit.Trial{Progress: c.progress(term)}})
	if err != nil {
		return err
	}
	if err := c.write(ctx, term, f, nil); err != nil {
		return err
	}
	return conclude(f.Verdict)
}

// certifiedTexts opens the mechanism of a certificate over its corpus.
func (c *AuditCmd) certifiedTexts(ctx context.Context, entry mechanism.Entry, cert *verified) (mechanism.Retriever, mechanism.Codebook, error) {
	if err := c.checkTexts(); err != nil {
		return nil, nil, err
	}
	book, err := opening.Corpus(ctx, c.Corpus)
	if err != nil {
		return nil, nil, err
	}
	if cert.encode, err = c.encoder(ctx, book); err != nil {
		return nil, nil, err
	}
	r, err := cert.over(ctx, entry, book, c.Verify)
	return r, book, err
}

// over opens the mechanism of a certificate over a corpus. name is that of the file.
func (v *verified) over(ctx context.Context, entry mechanism.Entry, book *corpus.Corpus, name string) (mechanism.Retriever, error) {
	if of := v.Codebook; of.SHA256 != book.Digest() {
		return nil, fmt.Errorf("certificate: it is for another corpus (sha256 %.12s, not %.12s): give that corpus with --corpus", of.SHA256, book.Digest())
	}
	if v.report != nil {
		v.book = book
		if _, err := v.restate(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	r, err := entry.NewRetriever(ctx, book, v.Request.Spec())
	if err != nil {
		return nil, fmt.Errorf("certificate: its mechanism cannot be opened: %v", err)
	}
	return r, nil
}

// certifiedVectors opens the mechanism of a certificate, which makes its own codebook.
func (c *AuditCmd) certifiedVectors(ctx context.Context, entry mechanism.Entry, cert *verified) (mechanism.Retriever, mechanism.Codebook, error) {
	p, err := c.perturber(ctx, entry, cert)
	if err != nil {
		return nil, nil, err
	}
	coded, ok := p.(mechanism.Coded)
	if !ok {
		return nil, nil, fmt.Errorf("certificate: %s cannot be certified", cert.Mechanism)
	}
	r, book := coded.Channel()
	return r, book, nil
}

// encoder starts --encoder-program; nil without one.
func (c *AuditCmd) encoder(ctx context.Context, book *corpus.Corpus) (corpus.TextEncoder, error) {
	if c.EncoderProgram == "" {
		return nil, nil
	}
	return opening.Encode(ctx, book, c.EncoderProgram)
}

// perturber opens the mechanism of a certificate over its table, or that of a report over its
// corpus, and compares the report.
func (c *AuditCmd) perturber(ctx context.Context, entry mechanism.Entry, cert *verified) (p mechanism.Perturber, err error) {
	open := func() (mechanism.Perturber, error) { return entry.NewPerturber(ctx, cert.table, cert.Request.Spec()) }
	if r := cert.report; r != nil && r.Corpus != nil {
		if entry.NewEncoded == nil {
			return nil, fmt.Errorf("%s: %s releases no vectors of the encoder of a corpus", c.Verify, entry.Name)
		}
		if cert.book, err = opening.Corpus(ctx, c.Corpus); err != nil {
			return nil, err
		}
		if own := cert.book.Digest(); own != r.Corpus.SHA256 {
			return nil, fmt.Errorf("%s: its vectors are of another corpus (sha256 %.12s, not %.12s): give that corpus with --corpus", c.Verify, r.Corpus.SHA256, own)
		}
		if cert.encode, err = c.encoder(ctx, cert.book); err != nil {
			return nil, err
		}
		open = func() (mechanism.Perturber, error) { return entry.NewEncoded(ctx, cert.book, cert.Request.Spec()) }
	} else if cert.table, err = c.Table(ctx); err != nil {
		return nil, err
	} else if r != nil && r.Embeddings != nil && r.Embeddings.SHA256 != cert.table.Digest() { // before any other field of the report
		return nil, otherTable(c.Verify, r.Embeddings.SHA256, cert.table)
	}
	if cert.report != nil {
		if _, err := cert.restate(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Verify, err)
		}
	}
	if p, err = open(); err != nil {
		err = fmt.Errorf("certificate: its mechanism cannot be opened: %v", err)
	}
	return p, err
}

// otherTable refuses a table that is not the one of a document.
func otherTable(document, sha256 string, table *embedding.Table) error {
	return fmt.Errorf("%s: it is for another table (sha256 %.12s, not %.12s): choose that table with --embeddings, --words and --never", document, sha256, table.Digest())
}
