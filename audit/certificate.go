// Package audit checks privacy claims by computation. Exact enumeration certifies a claim,
// and a witness refutes one. Otherwise the verdict is undecided. Sampling never certifies.
package audit

//go:generate go run ./catalogue ../docs/reference/mechanisms.md

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// Certificate is the exact loss of one configured channel over one table, or over one
// codebook of whole texts. It is valid only for that table or codebook (by digest), these
// parameters and this channel format. The version of the program that made it is for
// information.
type Certificate struct {
	Mechanism  string     `json:"mechanism"`
	Parameters Parameters `json:"parameters"`
	Table      string     `json:"table_sha256"`
	Words      int        `json:"words"`
	// The losses are rounded outward; null if they were not computed.
	MetricEpsilon Interval       `json:"metric_epsilon"`
	PureEpsilon   Interval       `json:"pure_epsilon"`
	MetricWitness *WitnessOfWord `json:"metric_witness"`
	PureWitness   *WitnessOfWord `json:"pure_witness"`
	// ProgramVersion is the version of the program that made it. Nothing compares it.
	ProgramVersion string `json:"version"`
	// ChannelFormat is the [mechanism.ChannelFormat] of the program that made it.
	ChannelFormat int `json:"channel_format,omitempty"`
	// Source is the origin of the losses; empty in older files.
	Source mechanism.Source `json:"source,omitempty"`
	// Request reopens the mechanism; nil if the certificate cannot be recomputed from its
	// contents.
	Request *Request `json:"request,omitempty"`
	// Codebook is set for a member that replaces whole texts. The certificate is then for
	// this codebook, and Table and Words are zero.
	Codebook *CertifiedCodebook `json:"codebook,omitempty"`
}

// Interval is a loss known between two bounds. The zero value is unknown.
type Interval struct {
	Low, High float64
	none      bool // no two inputs lose anything: both bounds are 0, and were computed
}

// Known reports whether the figure was computed.
func (f Interval) Known() bool { return f.High > 0 || f.none }

// computed returns a figure that was computed, which may be 0.
func computed(low, high float64) Interval { return Interval{low, high, high == 0} }

// MarshalJSON writes {"low","high"}, or null if unknown. An infinite bound is the string
// "infinite".
func (f Interval) MarshalJSON() ([]byte, error) {
	if !f.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(map[string]any{"low": finite(f.Low), "high": finite(f.High)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Interval) UnmarshalJSON(data []byte) error {
	var in *struct{ Low, High json.RawMessage }
	*f = Interval{}
	if err := json.Unmarshal(data, &in); err != nil || in == nil {
		return err
	}
	for _, part := range []struct {
		from json.RawMessage
		to   *float64
	}{{in.Low, &f.Low}, {in.High, &f.High}} {
		if string(part.from) == `"infinite"` {
			*part.to = math.Inf(1)
		} else if err := json.Unmarshal(part.from, part.to); err != nil {
			return err
		}
	}
	if f.Low < 0 || f.High < 0 {
		return errors.New("a loss is negative")
	}
	f.none = f.High == 0
	return nil
}

func finite(v float64) any {
	if math.IsInf(v, 0) {
		return "infinite"
	}
	return v
}

// WitnessOfWord names the words at which a loss is attained: the probability of Output
// given Input, against its probability given Neighbour.
type WitnessOfWord struct {
	Input     string `json:"input"`
	Neighbour string `json:"neighbour"`
	Output    string `json:"output"`
}

// Parameters are a mechanism's settings in force, by name.
type Parameters map[string]any

// ParametersOf collects settings by name.
func ParametersOf(settings []mechanism.Setting) Parameters {
	p := Parameters{}
	for _, s := range settings {
		p[s.Name] = s.Value
	}
	return p
}

// KnownCertificate returns a certificate of the losses that a mechanism knew when
// it was opened, with their source, or nil if it knew none. ProgramVersion is
// empty.
func KnownCertificate(name string, m mechanism.Mechanism, table *embedding.Table) *Certificate {
	k, ok := m.(mechanism.Certified)
	if !ok {
		return nil
	}
	loss := k.Loss()
	c := NewCertificate(name, m, table, loss)
	if table.Len() > 1 { // a figure of 0 was not computed
		c.MetricEpsilon, c.PureEpsilon = Interval{Low: loss.MetricLow, High: loss.MetricHigh}, Interval{Low: loss.PureLow, High: loss.PureHigh}
	}
	c.Source = k.Source()
	return c
}

// NewCertificate returns a certificate of a loss that this process computed
// exactly: a figure of 0 says that no two words lose anything. ProgramVersion is empty.
func NewCertificate(name string, m mechanism.Mechanism, table *embedding.Table, loss mechanism.Loss) *Certificate {
	c := &Certificate{
		Mechanism: name, Parameters: ParametersOf(m.Settings()), Table: table.Digest(), Words: table.Len(),
		MetricEpsilon: computed(loss.MetricLow, loss.MetricHigh),
		PureEpsilon:   computed(loss.PureLow, loss.PureHigh),
		ChannelFormat: mechanism.ChannelFormat, Source: mechanism.Computed,
	}
	word := func(w mechanism.Witness) *WitnessOfWord {
		if w.Input == w.Neighbour {
			return nil
		}
		return &WitnessOfWord{table.Word(w.Input), table.Word(w.Neighbour), table.Word(w.Output)}
	}
	c.MetricWitness, c.PureWitness = word(loss.MetricWitness), word(loss.PureWitness)
	return c
}

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

// Request holds the specification of a certified mechanism, so that a
// certificate can be recomputed from its file and its table alone.
type Request struct {
	Epsilon    float64          `json:"epsilon"`
	Parameters mechanism.Values `json:"parameters"`
	Published  bool             `json:"published_calibration"`
}

// compared is what the rows of some inputs have in common.
type compared struct {
	high, low      uint64
	size, compared int
	total          float64
	// attained is lost between two of the inputs at a text: inside has it in its set,
	// outside has not. most is not exceeded.
	attained, most  float64
	inside, outside textInput
	text            int
	witness         *WitnessOfText // where both are texts of the codebook
}
