package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// CertifiedCodebook is the basis of a certificate for whole texts. For every private text,
// the row has the weight High for exactly Neighbours texts and the weight Low for all
// others. So no loss exceeds ln(High/Low).
type CertifiedCodebook struct {
	SHA256     string `json:"sha256"`
	Texts      int    `json:"texts"`      // M
	Neighbours int    `json:"neighbours"` // k
	High       uint64 `json:"high"`
	Low        uint64 `json:"low"`
	// Witness is nil if all compared rows are equal.
	Witness *WitnessOfText `json:"witness"`
}

// WitnessOfText names three texts of the codebook by their indices: Output is in the set of
// Input but not in the set of Neighbour.
type WitnessOfText struct {
	Input     int `json:"input"`
	Neighbour int `json:"neighbour"`
	Output    int `json:"output"`
}

// KnownTextsCertificate returns a certificate of the loss that a member for whole texts
// knew when it was opened, or nil if it knew none. It computes no row. ProgramVersion is
// empty.
func KnownTextsCertificate(name string, r mechanism.Retriever, codebook mechanism.Codebook) *Certificate {
	k, ok := r.(mechanism.Certified)
	if !ok {
		return nil
	}
	loss, levels := k.Loss(), r.Levels()
	return &Certificate{
		Mechanism: name, Parameters: ParametersOf(r.Settings()), PureEpsilon: Interval{loss.PureLow, loss.PureHigh},
		ChannelFormat: mechanism.ChannelFormat, Source: k.Source(),
		Codebook: &CertifiedCodebook{SHA256: codebook.Digest(), Texts: codebook.Len(), Neighbours: levels.Size, High: levels.High, Low: levels.Low},
	}
}

// certificate returns a certificate of the losses that the rows of an audit show.
func (c *compared) certificate(name string, r mechanism.Retriever, codebook mechanism.Codebook) *Certificate {
	attained := c.attained
	if c.witness == nil {
		attained = 0
	}
	return &Certificate{
		Mechanism: name, Parameters: ParametersOf(r.Settings()), PureEpsilon: Interval{attained, c.most},
		ChannelFormat: mechanism.ChannelFormat, Source: mechanism.Computed,
		Codebook: &CertifiedCodebook{SHA256: codebook.Digest(), Texts: codebook.Len(), Neighbours: c.size, High: c.high, Low: c.low, Witness: c.witness},
	}
}

// FitsTexts returns an error unless the certificate is for this member, this codebook and
// the weights of this program. It computes no row.
func (c *Certificate) FitsTexts(name string, r mechanism.Retriever, codebook mechanism.Codebook) error {
	of := c.Codebook
	switch {
	case c.Mechanism != name:
		return fmt.Errorf("certificate: it is for mechanism %s, not %s", c.Mechanism, name)
	case of == nil:
		return errors.New("certificate: it is for words of a table, not for whole texts of a codebook")
	case of.SHA256 != codebook.Digest():
		return fmt.Errorf("certificate: it is for another corpus (%.12s of %d texts, not %.12s of %d)", of.SHA256, of.Texts, codebook.Digest(), codebook.Len())
	}
	if c.Table != "" || c.Words != 0 || c.MetricEpsilon.Known() || c.MetricWitness != nil || c.PureWitness != nil {
		return errors.New("certificate: it states figures of a table, which a certificate for whole texts does not have")
	}
	if err := c.fitsSettings(name, r); err != nil {
		return err
	}
	if l := r.Levels(); of.High != l.High || of.Low != l.Low || of.Neighbours != l.Size || of.Texts != l.Outputs {
		return fmt.Errorf("certificate: it states the weights %d and %d with sets of %d among %d texts, the mechanism has %d and %d with sets of %d among %d",
			of.High, of.Low, of.Neighbours, of.Texts, l.High, l.Low, l.Size, l.Outputs)
	}
	return nil
}

// VerifyTexts recomputes a certificate for whole texts: rows of texts of the codebook and
// of hostile inputs, their weights, the loss and the witness. It reports the first figure
// that does not hold.
func (c *Certificate) VerifyTexts(ctx context.Context, r mechanism.Retriever, codebook mechanism.Codebook, report progress.Func) error {
	if err := c.FitsTexts(c.Mechanism, r, codebook); err != nil {
		return err
	}
	inputs, err := c.Codebook.witnesses(codebook)
	if err != nil {
		return err
	}
	rows, err := compareRows(ctx, r, codebook, append(inputs, textInputs(codebook)...), report)
	if err != nil {
		return err
	}
	if of := c.Codebook; of.High != rows.high || of.Low != rows.low || of.Neighbours != rows.size {
		return fmt.Errorf("certificate: it states the weights %d and %d with sets of %d, recomputed they are %d and %d with sets of %d", of.High, of.Low, of.Neighbours, rows.high, rows.low, rows.size)
	}
	if f := c.PureEpsilon; rows.most > outwardBy(f.High) || f.Low > outwardBy(rows.most) {
		return fmt.Errorf("certificate: it states a pure epsilon of %.9g to %.9g, recomputed it is %.9g to %.9g", f.Low, f.High, rows.attained, rows.most)
	}
	return c.verifyTextWitness(r, inputs)
}

// witnesses returns the two inputs of the witness, if there is one.
func (c *CertifiedCodebook) witnesses(codebook mechanism.Codebook) ([]textInput, error) {
	w := c.Witness
	if w == nil {
		return nil, nil
	}
	v, ok := codebook.(vectored)
	if !ok {
		return nil, errors.New("certificate: its witness cannot be looked up: the codebook does not give the vectors of its texts")
	}
	for _, i := range []int{w.Input, w.Neighbour, w.Output} {
		if i < 0 || i >= codebook.Len() {
			return nil, errors.New("certificate: a text of its witness is not in the codebook")
		}
	}
	return []textInput{inputOf(v, w.Input), inputOf(v, w.Neighbour)}, nil
}

func (c *Certificate) verifyTextWitness(r mechanism.Retriever, inputs []textInput) error {
	w := c.Codebook.Witness
	if w == nil {
		if c.PureEpsilon.Low > 0 {
			return errors.New("certificate: it states an attained loss without a witness")
		}
		return nil
	}
	for i, want := range []uint64{c.Codebook.High, c.Codebook.Low} {
		row, err := r.Weights(nil, inputs[i].vector)
		if err != nil {
			return err
		}
		if row[w.Output] != want {
			return fmt.Errorf("certificate: its witness has the weight %d, not the %d stated", row[w.Output], want)
		}
	}
	return nil
}
