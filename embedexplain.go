package sotto

import (
	"context"

	"github.com/sotto-dp/sotto/mechanism"
)

// ExplainedVector describes the release of one text's unit vector. Its figures are
// expectations over the draw: for this text if the mechanism has a codebook, otherwise for
// any text.
type ExplainedVector struct {
	Text       string `json:"text"`
	Dimensions int    `json:"dimensions"` // of the unit vector
	// Neighbours is the size k of the set of directions nearest to the text, Codebook the
	// number of directions, and Inside the probability p that the released direction is in
	// the set. A mechanism without a codebook has a spherical cap instead of the set, and p
	// is the probability of the cap.
	Neighbours int     `json:"neighbours,omitempty"`
	Codebook   int     `json:"codebook,omitempty"`
	Inside     float64 `json:"inside"`
	// Cosine is the cosine between the released vector and the text's vector.
	Cosine float64 `json:"cosine"`
	// SquaredError is the squared distance of the unbiased vector from the text's.
	SquaredError float64 `json:"squared_error"`
}

// Explain describes the release of a text's vector: its set, cosine and error. The result
// is as private as the text. It returns a *NoChannelError for a mechanism that does not
// release unit vectors of whole texts.
func (e *Embedder) Explain(text string) (ExplainedVector, error) {
	u, ok := e.vectors.Perturber.(mechanism.Unbiased)
	if !ok || e.vectors.Of != Documents {
		return ExplainedVector{}, &NoChannelError{e.Entry().Name}
	}
	debias := u.Debias()
	x := ExplainedVector{
		Text: text, Dimensions: e.Dimensions(), Cosine: 1 / debias.Scale,
		SquaredError: float64(debias.Noise*float64(e.Dimensions())) + debias.Signal - 1,
	}
	for _, s := range u.Settings() {
		if v, ok := s.Value.(float64); ok && s.Name == "inside" {
			x.Inside = v
		}
	}
	c, ok := u.(mechanism.Coded)
	if !ok {
		return x, nil
	}
	err := e.explainCoded(&x, u, c, debias.Scale)
	return x, err
}

// explainCoded sums over the exact row of the text.
func (e *Embedder) explainCoded(x *ExplainedVector, u mechanism.Unbiased, c mechanism.Coded, scale float64) error {
	channel, codebook := c.Channel()
	levels := channel.Levels()
	x.Neighbours, x.Codebook, x.Inside = levels.Size, levels.Outputs, levels.Inside*float64(levels.Size)
	clear, err := e.vectors.Clear(context.Background(), []byte(x.Text))
	if err != nil {
		return err
	}
	unit := make([]float64, codebook.Dim())
	u.Unit(unit, clear)
	row, err := channel.Weights(nil, c.Grid(nil, clear))
	if err != nil {
		return err
	}
	total, cosine := 0.0, 0.0
	y := make([]float32, codebook.Dim())
	for i, w := range row {
		c.Decode(y, uint32(i), false)
		inner := 0.0
		for k, v := range y {
			inner += float64(float64(v) * float64(float32(unit[k])))
		}
		total += float64(w)
		cosine += float64(float64(w) * inner)
	}
	x.Cosine = cosine / total
	// The released vector has length scale, and the text's 1.
	x.SquaredError = float64(scale*scale) + 1 - float64(2*scale*x.Cosine)
	return nil
}
