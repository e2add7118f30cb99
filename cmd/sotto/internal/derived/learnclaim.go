package derived

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/auditing"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/samefields"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/synthesis"
)

// verifyClaim recomputes the claim of a report, which the model carries on, over the corpus by
// which it was drawn. Of draws that follow from a seed the claim is not carried on.
func (c *LearnCmd) verifyClaim(ctx context.Context, r *released, report []byte, drawn *corpus.Corpus) error {
	if r.Of("").Kind != provenance.Released {
		return nil
	}
	if r.Mechanism != synthesis.Name {
		return auditing.VerifyClaimOfTexts(ctx, report, c.Report, drawn)
	}
	var s synthesis.Statement // whatever the order of its fields: a database may change it
	err := json.Unmarshal(report, &s)
	if err == nil {
		err = s.Verify()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Report, err)
	}
	return nil // the clusters are computed from the corpus that was compared
}

// verifyVectorClaim compares what a report of unit vectors states with its mechanism. What opens
// that again, a corpus or an encoder, may be with whoever made the vectors: without it the report
// is compared with itself, with a warning. It returns what it opened, nil for nothing.
func (c *LearnCmd) verifyVectorClaim(ctx context.Context, term *cli.Terminal, report []byte, r *releasedVectors, source *learn.VectorSource) (*unitRows, error) {
	if r.Reported.Of("").Kind != provenance.Released {
		return nil, nil
	}
	var s statement.EmbedStatement
	err := json.Unmarshal(report, &s)
	if err == nil {
		err = unitClaim(&s, source.Epsilon)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Report, err)
	}
	made, err := c.unitsOf(ctx, c.Report, source)
	if err != nil {
		fmt.Fprintf(term.Err, "sotto: warning: the claim of %s was not recomputed: %v\n", c.Report, err)
		return nil, ctx.Err()
	}
	own := made.embedder.Statement(sotto.Counts{})
	type stated struct {
		Claim      privacy.Claim
		Parameters audit.Parameters
		Debias     *mechanism.Debias
	}
	if own.Debias != nil { // its residual is measured, and the claim does not depend on it
		debias := *own.Debias
		debias.Residual = s.Debias.Residual
		own.Debias = &debias
	}
	if err := samefields.Compare(stated{s.Claim, s.Parameters, s.Debias}, stated{own.Claim, own.Parameters, own.Debias}); err != nil || s.Claim.Epsilon < own.Claim.Epsilon {
		return nil, fmt.Errorf("%s: the report does not hold: its mechanism states other figures (%s)", c.Report, own.Claim)
	}
	return made, nil
}

// unitClaim refuses a claim that no report of unit vectors has.
func unitClaim(s *statement.EmbedStatement, epsilon float64) error {
	c := s.Claim
	switch {
	case c.Unit != privacy.Text || c.Neighbouring != privacy.Replace || c.Notion != privacy.Pure || c.Delta != 0 || c.Epsilon < epsilon:
		return errors.New("the report's claim does not hold: it is not that of unit vectors of texts")
	case s.Certificate != nil:
		return s.Certificate.Covers(c)
	}
	return nil
}

// noteRows warns of a release of a corpus whose report does not state its rows: then whether
// the file has them is not known.
func (c *LearnCmd) noteRows(w io.Writer, r *released) {
	if r.Mechanism == synthesis.Name && r.Drawn == nil {
		fmt.Fprintf(w, "sotto: warning: %s does not state which rows were drawn: that %s has them was not verified\n", c.Report, cli.ShownInput(c.input()))
	}
}
