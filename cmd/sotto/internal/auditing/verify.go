package auditing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/reopening"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/synthesis"
)

// verified is a certificate to verify, with the report that it is in.
type verified struct {
	*audit.Certificate
	report  *sotto.Statement      // nil for a certificate's own file
	vectors *sotto.EmbedStatement // the report, if it is of vectors
	opening statement.Opening     // of what the report is of
	table   *embedding.Table      // that it was opened over, or the corpus
	book    *corpus.Corpus
	marks   *statement.MarksOpening // how it was opened, if the report is of marks within their types
	encode  corpus.TextEncoder      // --encoder-program; nil if it is not given
	sized   bool                    // it was opened with the stated size of the sets
}

// readReport reads a report or a certificate, or the beginning of a longer file.
func readReport(ctx context.Context, name string) ([]byte, error) {
	file, err := cli.OpenInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, opening.MaxReport+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	return data, nil
}

// toVerify reads a certificate's file, or a report, whose certificate must cover its
// claim.
func toVerify(data []byte, name string) (*verified, error) {
	v, err := readVerified(data)
	var of struct{ Mechanism string }
	switch {
	case err == nil:
		return v, nil
	case json.Unmarshal(data, &of) == nil && of.Mechanism == synthesis.Name:
		return nil, cli.WrongUsage("leave out the name of the mechanism", "%s: it is a report of synthesize", name)
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

func readVerified(data []byte) (*verified, error) {
	v := &verified{}
	var loose struct{ Format, Mechanism, Claim json.RawMessage }
	if json.Unmarshal(data, &loose) != nil || loose.Format == nil && loose.Claim == nil {
		return nil, errors.New("it is neither a report (rewrite --report) nor a certificate (audit --certificate)")
	}
	if len(data) > opening.MaxReport || loose.Mechanism == nil || loose.Claim == nil {
		cert, err := audit.ReadCertificate(bytes.NewReader(data))
		v.Certificate = cert
		return v, err
	}
	var opening statement.Opening
	var err error
	if v.report, err = statement.Read(data); err == nil && v.report.Types != nil {
		of, err := v.report.Marks()
		v.marks = &of
		return v, err
	} else if err == nil {
		opening, err = v.report.Opening()
	} else if v.vectors, err = statement.ReadVectors(data); err == nil {
		v.report = &v.vectors.Statement
		opening, err = v.vectors.Opening()
	}
	if err != nil {
		return nil, err
	}
	v.opening = opening
	v.Certificate = v.report.Certificate
	return v, v.Covers(v.report.Claim)
}

// restate compares the report with what its mechanism states when it is opened again. It
// returns the rewriter, nil for vectors.
func (v *verified) restate(ctx context.Context) (*sotto.Rewriter, error) {
	v.opening.Spec.Open = sotto.OpenFile
	if v.vectors != nil {
		again := sotto.ReopenedVectors(v.opening, v.vectors.Of, v.table, v.book)
		again.Encode = v.encode
		e, err := sotto.OpenEmbedder(ctx, again)
		if err != nil {
			return nil, fmt.Errorf("the report's mechanism cannot be opened: %v", err)
		}
		return nil, e.Verify(v.vectors)
	}
	r, used, err := reopening.Search(v.candidates(), func(given mechanism.Values) (*sotto.Rewriter, error) {
		o := v.opening
		o.Spec.Parameters = given
		again := sotto.Reopened(o, v.table, v.book)
		if texts, ok := again.(sotto.Texts); ok {
			texts.Encode = v.encode
			again = texts
		}
		r, err := sotto.Open(ctx, again)
		if err != nil {
			return nil, fmt.Errorf("the report's mechanism cannot be opened: %v", err)
		}
		return r, nil
	}, func(r *sotto.Rewriter) error { return r.Verify(v.report) })
	v.sized = used > 0
	return r, err
}

// candidates returns the parameters of the certificate's request, and these with the size of the
// sets that the certificate states, if the request does not give it.
func (v *verified) candidates() []mechanism.Values {
	given := v.Request.Parameters
	entry, ok := catalog.Find(v.Mechanism)
	if !ok || entry.New == nil {
		return []mechanism.Values{given}
	}
	size, ok := entry.Parameter(mechanism.RoleSize)
	stated, number := v.Parameters[size.Name].(float64)
	if !ok || !number || given.Gives(size) {
		return []mechanism.Values{given}
	}
	return []mechanism.Values{given, given.With(size, stated)}
}

// notIdentified is what a report without its rows leaves open.
const notIdentified = "that a file is the release: the report does not identify what was drawn"

// unverified lists the contents of a report that cannot be verified. Whoever has compared the rows
// of a file with Drawn sets rows.
func (v *verified) unverified(rows bool) []string {
	not := []string{"the numbers of texts, tokens and draws", "the name of the table", "the version and the source of the certificate"}
	switch {
	case v.report.Drawn == nil:
		not = append([]string{notIdentified}, not...)
	case !rows:
		not = append([]string{"that a file is the release: none was compared with the rows that were drawn"}, not...)
	}
	if v.Source == mechanism.Stated || v.sized {
		not = append(not, "which parameters were given")
	}
	if v.report.Probes != "" && v.encode == nil {
		not = append(not, "what the encoder answered for public texts, encoder_probes: give its program with --encoder-program")
	} else if v.report.Probes != "" {
		not = append(not, "what the encoder answered for other texts than the probes")
	}
	if v.report.Shuffled != nil {
		not = append(not, "that the texts were written in random order and nothing beside them")
	}
	if u := v.report.Users; u != nil {
		not = append(not, "which rows are of one user")
		if u.Padded {
			not = append(not, "that each user has as many texts")
		}
	}
	return append(not, "that the noise was drawn")
}

// print prints that the certificate holds, over a number of items, and the claim of the
// report.
func (v *verified) print(term *cli.Terminal, asJSON bool, items int, what string) error {
	if asJSON {
		out := map[string]any{"holds": true, "certificate": v.Certificate}
		if v.report != nil {
			out["claim"], out["not_verified"] = v.report.Claim, v.unverified(false)
		}
		return cli.PrintJSON(term, out)
	}
	text := fmt.Sprintf("holds: %s over %d %s, every figure recomputed\n", v.Mechanism, items, what)
	if v.report != nil {
		text += fmt.Sprintf("claim: %s; it assumes %s\nnot verified: %s\n", v.report.Claim, strings.Join(v.report.Claim.Assumes.Names(), ", "), strings.Join(v.unverified(false), "; "))
	}
	_, err := fmt.Fprint(term.Out, text)
	return err
}

// verifyWords recomputes a certificate over a table.
func (c *AuditCmd) verifyWords(ctx context.Context, term *cli.Terminal, cert *verified) error {
	entry, ok := catalog.Find(cert.Mechanism)
	if !ok || entry.New == nil {
		return fmt.Errorf("certificate: no mechanism %q for words is in the catalogue", cert.Mechanism)
	}
	table, err := c.tableOf(ctx, cert)
	if err != nil {
		return err
	}
	if cert.Table != table.Digest() { // before a long calibration for the wrong table
		return otherTable("certificate", cert.Table, table)
	}
	m, err := c.certifiedWords(ctx, entry, table, cert)
	if err != nil {
		return err
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return fmt.Errorf("certificate: %s cannot be certified", cert.Mechanism)
	}
	if err := cert.Verify(ctx, channel, table, c.progress(term)); err != nil {
		return err
	}
	return cert.print(term, c.JSON, cert.Words, "words")
}

// tableOf opens the table of a certificate: the chosen one, as much of it as the
// certificate is for.
func (c *AuditCmd) tableOf(ctx context.Context, cert *verified) (*embedding.Table, error) {
	var never *embedding.Never
	if cert.report != nil && cert.report.Embeddings != nil {
		never = cert.report.Embeddings.Never
	}
	switch {
	case never == nil && c.Never == "" && c.Words == nil:
		table, err := opening.Table(ctx, c.Embeddings)
		if err != nil {
			return nil, err
		}
		return opening.Stated(ctx, table, cert.Words, nil, "")
	case never == nil || c.Words != nil:
		return c.Table(ctx)
	}
	table, err := opening.Table(ctx, c.Embeddings)
	if err != nil {
		return nil, err
	}
	return opening.Stated(ctx, table, 0, never, c.Never)
}

// certifiedWords opens the mechanism of a certificate, and compares the report that it is
// in.
func (c *AuditCmd) certifiedWords(ctx context.Context, entry mechanism.Entry, table *embedding.Table, cert *verified) (mechanism.Mechanism, error) {
	if cert.report != nil {
		cert.table = table
		r, err := cert.restate(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Verify, err)
		}
		if r == nil {
			return nil, fmt.Errorf("%s: a report of vectors has no certificate over words", c.Verify)
		}
		return r.Mechanism(), nil
	}
	m, _, err := reopening.Search(cert.candidates(), func(given mechanism.Values) (mechanism.Mechanism, error) {
		spec := cert.Request.Spec()
		spec.Parameters, spec.Open = given, sotto.OpenFile
		m, err := entry.New(ctx, table, spec)
		if err != nil {
			return nil, fmt.Errorf("certificate: its mechanism cannot be opened: %v", err)
		}
		return m, nil
	}, func(m mechanism.Mechanism) error { return cert.Fits(entry.Name, m, table) })
	return m, err
}

// verifyTexts recomputes a certificate over a codebook: of public texts, or of the
// vectors of a mechanism that releases vectors of a codebook.
func (c *AuditCmd) verifyTexts(ctx context.Context, term *cli.Terminal, cert *verified) error {
	entry, ok := catalog.Find(cert.Mechanism)
	if !ok || entry.NewRetriever == nil && entry.NewPerturber == nil {
		return fmt.Errorf("certificate: no mechanism %q for texts or vectors is in the catalogue", cert.Mechanism)
	}
	open, items := c.certifiedTexts, "texts"
	if entry.NewRetriever == nil {
		open, items = c.certifiedVectors, "directions"
	}
	r, book, err := open(ctx, entry, cert)
	if err != nil {
		return err
	}
	if err := cert.VerifyTexts(ctx, r, book, c.progress(term)); err != nil {
		return err
	}
	if err := opening.FinishEncoder(cert.encode); err != nil {
		return err
	}
	return cert.print(term, c.JSON, cert.Codebook.Texts, "public "+items)
}
