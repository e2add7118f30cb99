package private

import (
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// AtPure opens a mechanism of metric kind with the largest parameter of its paper
// that this search finds to have a certified word-level loss of at most epsilon,
// and at least 0.99 of it: what it does at the same promise as members that
// promise epsilon for all pairs of words.
func (o *Opener) AtPure(table *embedding.Table, name string, epsilon float64) (*Opened, error) {
	if certified, err := o.Open(table, Setting{Name: name + " published", Epsilon: 1}); err != nil {
		return nil, err
	} else if _, ok := certified.Mechanism.(mechanism.Channel); !ok {
		return nil, fmt.Errorf("private: %s is no channel: its word-level loss is not known", name)
	}
	// The loss grows with the parameter, nearly in proportion.
	const most = 12
	nominal := 1.0
	for range most {
		m, err := o.Open(table, Setting{Name: name + " published", Epsilon: nominal})
		if err != nil {
			return nil, err
		}
		loss := m.Evidence.Certificate.PureEpsilon.High
		if loss <= epsilon && loss >= 0.99*epsilon {
			return m, nil
		}
		nominal *= 0.997 * epsilon / loss
	}
	return nil, errors.New("private: no parameter of " + name + fmt.Sprintf(" was found for a word-level loss of %g", epsilon))
}
