package audit

import (
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/mechanism"
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
		Mechanism: name, Parameters: ParametersOf(r.Settings()), PureEpsilon: computed(loss.PureLow, loss.PureHigh),
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
		Mechanism: name, Parameters: ParametersOf(r.Settings()), PureEpsilon: computed(attained, c.most),
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
