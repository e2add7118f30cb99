package derived

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/auditing"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
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

// verifyVectorClaim compares the claim of a report of vectors with what else it states. What
// opens their mechanism again may be with whoever made them, so that nothing is opened.
func (c *LearnCmd) verifyVectorClaim(report []byte, r *releasedVectors, epsilon float64) error {
	if r.Reported.Of("").Kind != provenance.Released {
		return nil
	}
	var s statement.EmbedStatement
	err := json.Unmarshal(report, &s)
	if err == nil && s.Certificate != nil {
		err = s.Certificate.Covers(s.Claim)
	}
	if err == nil && s.Claim.Epsilon < epsilon {
		err = errors.New("the report's claim does not hold: it is below the epsilon of the mechanism")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Report, err)
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
