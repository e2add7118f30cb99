package audit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/exactlog"
	"github.com/sotto-dp/sotto/internal/samefields"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// notRecomputed are the fields of a certificate that do not follow from its mechanism. The
// mechanism was opened with the request. The losses and witnesses are compared with
// allowance for other logarithms, and the source by sourced.
var notRecomputed = []string{"version", "source", "request", "metric_epsilon", "pure_epsilon", "metric_witness", "pure_witness"}

// Verify recomputes the certificate for the mechanism and compares every field. It must be
// the one that an audit makes of the recomputed losses, or the one of the losses that the
// mechanism knew when it was opened, which must hold for the recomputed ones. Nothing
// follows from the version, and of the source only what [Certificate.Source] may be.
func (c *Certificate) Verify(ctx context.Context, m mechanism.Channel, table *embedding.Table, report progress.Func) error {
	if err := c.Fits(c.Mechanism, m, table); err != nil {
		return err
	}
	loss, err := lossOf(ctx, m, table, mechanism.Keep{}, report)
	if err != nil {
		return err
	}
	err = c.oneOf(NewCertificate(c.Mechanism, m, table, loss), KnownCertificate(c.Mechanism, m, table), func(must *Certificate) error {
		if err := c.verifyWitness(string(privacy.Metric), c.MetricWitness, must.MetricWitness, c.MetricEpsilon, m, table); err != nil {
			return err
		}
		return c.verifyWitness(string(privacy.Pure), c.PureWitness, must.PureWitness, c.PureEpsilon, m, table)
	})
	if err != nil {
		return err
	}
	return c.notBelow(m, table, loss)
}

// VerifyTexts is [Certificate.Verify] for whole texts: it recomputes rows of texts of the
// codebook and of hostile inputs.
func (c *Certificate) VerifyTexts(ctx context.Context, r mechanism.Retriever, codebook mechanism.Codebook, report progress.Func) error {
	if err := c.FitsTexts(c.Mechanism, r, codebook); err != nil {
		return err
	}
	rows, err := compareRows(ctx, r, codebook, textInputs(codebook), report)
	if err != nil {
		return err
	}
	if err := c.verifyIndex(ctx, codebook); err != nil {
		return err
	}
	err = c.oneOf(rows.certificate(c.Mechanism, r, codebook), KnownTextsCertificate(c.Mechanism, r, codebook), func(*Certificate) error { return nil })
	of := c.Codebook
	if err != nil || of.Neighbours == of.Texts { // all rows are equal
		return err
	}
	least, _ := exactlog.Of(new(big.Int).SetUint64(of.High), new(big.Int).SetUint64(of.Low))
	return c.PureEpsilon.notBelow(privacy.Pure, least, 1)
}

// notBelow returns an error if a certificate states less than what the two words lose that were
// found to lose most. It is computed from the weights that are drawn, in rational numbers: what
// logarithms of processors differ by does not excuse a smaller figure.
func (c *Certificate) notBelow(m mechanism.Channel, table *embedding.Table, found mechanism.Loss) error {
	for _, f := range []struct {
		notion privacy.Notion
		stated Interval
		at     mechanism.Witness
	}{{privacy.Pure, c.PureEpsilon, found.PureWitness}, {privacy.Metric, c.MetricEpsilon, found.MetricWitness}} {
		if f.at.Input == f.at.Neighbour || !f.stated.Known() || f.notion == privacy.Metric && !euclidean(m.Claim()) {
			continue
		}
		squared := []float64{1} // of the distance, in steps: a whole number
		step := 1.0
		if f.notion == privacy.Metric {
			step = table.Step()
			table.SquaredDistances(squared, []embedding.ID{f.at.Input}, int(f.at.Neighbour), int(f.at.Neighbour)+1)
		}
		up, down := odds(m, f.at.Input, f.at.Output), odds(m, f.at.Neighbour, f.at.Output)
		p, q := new(big.Int).Mul(up.weight, down.sum), new(big.Int).Mul(down.weight, up.sum)
		if q.Sign() == 0 || squared[0] == 0 || p.Cmp(q) <= 0 { // infinite, or none
			continue
		}
		least, _ := exactlog.Of(p, q)
		if err := f.stated.notBelow(f.notion, least, float64(step*step)*squared[0]); err != nil {
			return err
		}
	}
	return nil
}

// weighed is an output's share of a row.
type weighed struct{ weight, sum *big.Int }

func odds(m mechanism.Channel, in, out embedding.ID) weighed {
	sum, weights := new(big.Int), m.Weights(nil, in)
	for _, w := range weights {
		sum.Add(sum, new(big.Int).SetUint64(w))
	}
	return weighed{new(big.Int).SetUint64(weights[out]), sum}
}

// notBelow returns an error if the bound f is below a loss at a squared distance.
func (f Interval) notBelow(notion privacy.Notion, loss *big.Rat, squared float64) error {
	if math.IsInf(f.High, 1) {
		return nil
	}
	stated := new(big.Rat).SetFloat64(f.High)
	stated.Mul(stated.Mul(stated, stated), new(big.Rat).SetFloat64(squared))
	if stated.Cmp(loss.Mul(loss, loss)) < 0 {
		return fmt.Errorf("certificate: its %s epsilon, %v, is below the exact loss of two inputs", notion, f.High)
	}
	return nil
}

// verifyIndex recomputes the index that sets were found by, where one was: the digest of a
// codebook does not cover it, and the claim takes it as public.
func (c *Certificate) verifyIndex(ctx context.Context, codebook mechanism.Codebook) error {
	if _, ok := c.Parameters["index-sha256"]; !ok {
		return nil
	}
	indexed, ok := codebook.(interface {
		VerifyIndex(ctx context.Context) error
	})
	if !ok {
		return errors.New("certificate: its index cannot be recomputed: the codebook does not say what it was made from")
	}
	return indexed.VerifyIndex(ctx)
}

// oneOf returns an error unless the certificate is the recomputed one, or the known one,
// which may be nil. Witnesses compares what the comparison of fields does not.
func (c *Certificate) oneOf(recomputed, known *Certificate, witnesses func(must *Certificate) error) error {
	if c.Request != nil && c.Request.Published != c.published() {
		return errors.New("certificate: its published_calibration does not hold: the parameters in force are of another calibration, or of none")
	}
	err := c.is(recomputed, recomputed, []mechanism.Source{mechanism.Computed, mechanism.Stated, ""}, witnesses)
	if err != nil && known != nil && c.is(known, recomputed, sources(known.Source), witnesses) == nil {
		return nil
	}
	return err
}

// sources returns what the source of losses that a mechanism knows may be. A calibration is
// computed on one machine and read from the cache on another. A file may hold any.
func sources(known mechanism.Source) []mechanism.Source {
	all := []mechanism.Source{known, mechanism.Stated}
	if known == mechanism.Computed || known == mechanism.Cached {
		all = append(all, mechanism.Computed, mechanism.Cached)
	}
	return all
}

// is returns an error unless the certificate is the one that it must be. Its losses must
// also be bounds of the recomputed ones.
func (c *Certificate) is(must, recomputed *Certificate, from []mechanism.Source, witnesses func(must *Certificate) error) error {
	if err := samefields.Compare(c, must, notRecomputed...); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	for _, f := range []struct {
		what                string
		stated, must, found Interval
	}{{string(privacy.Metric), c.MetricEpsilon, must.MetricEpsilon, recomputed.MetricEpsilon}, {string(privacy.Pure), c.PureEpsilon, must.PureEpsilon, recomputed.PureEpsilon}} {
		if !f.stated.is(f.must) || f.stated.Known() && !f.stated.bounds(f.found) {
			return fmt.Errorf("certificate: it states a %s epsilon of %.9g to %.9g, recomputed it is %.9g to %.9g", f.what, f.stated.Low, f.stated.High, f.found.Low, f.found.High)
		}
	}
	if !slices.Contains(from, c.Source) {
		return errors.New("certificate: its source does not hold: its losses are from elsewhere")
	}
	return witnesses(must)
}

// is reports whether a stated loss is the one that it must be. Earlier versions wrote no
// loss where none is lost.
func (f Interval) is(must Interval) bool {
	if !f.Known() {
		return must.High == 0
	}
	return must.Known() && near(f.Low, must.Low) && near(f.High, must.High)
}

// bounds reports whether a loss is bounded by f: what f says is attained is, and what it
// says is not exceeded is not.
func (f Interval) bounds(found Interval) bool {
	return found.High <= outwardBy(f.High) && f.Low <= outwardBy(found.High)
}

// near allows for the last places of logarithms on another processor.
func near(a, b float64) bool { return a <= outwardBy(b) && b <= outwardBy(a) }

// verifyWitness compares a witness with the one that it must be. Another one passes if it
// attains the stated loss: of equal losses another processor may find another first.
func (c *Certificate) verifyWitness(what string, w, must *WitnessOfWord, f Interval, m mechanism.Channel, table *embedding.Table) error {
	switch {
	case w == nil && must == nil || w != nil && must != nil && *w == *must:
		return nil
	case w == nil || must == nil || what == string(privacy.Metric) && !euclidean(m.Claim()):
		// The distance is the mechanism's own: the loss at a witness cannot be measured here.
		return fmt.Errorf("certificate: its %s witness is not the one recomputed", what)
	}
	var ids [3]embedding.ID
	for i, word := range []string{w.Input, w.Neighbour, w.Output} {
		id, ok := table.Lookup(word)
		if !ok || table.Word(id) != word {
			return fmt.Errorf("certificate: a word of its %s witness is not in the table", what)
		}
		ids[i] = id
	}
	loss := math.Log(probability(m, ids[0], ids[2]) / probability(m, ids[1], ids[2]))
	if what == string(privacy.Metric) {
		loss /= table.Distance(ids[0], ids[1])
	}
	if !(outwardBy(loss) >= f.Low) {
		return fmt.Errorf("certificate: its %s witness loses %.9g, not the %.9g stated", what, loss, f.Low)
	}
	return nil
}
