// Package shipped holds the figures of the embedded table that ship with the
// program, so that opening a member over it takes no certificate.
package shipped

import (
	"github.com/sotto-dp/sotto/mechanism"

	_ "embed"
	"encoding/json"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
)

//go:generate go run ./gen -o calibrations.json

// Figures of the embedded table, computed by ./gen: every one is a
// certificate that `go generate` recomputes.
//
//go:embed calibrations.json
var calibrationsJSON []byte

// Calibrations is the format of calibrations.json.
type Calibrations struct {
	Table   string                   `json:"table_sha256"`
	Members map[string][]Calibration `json:"members"` // by ascending nominal epsilon
	Curve   []Point                  `json:"curve"`   // of all words
}

var loadShipped = sync.OnceValue(func() Calibrations {
	var s Calibrations
	if err := json.Unmarshal(calibrationsJSON, &s); err != nil {
		panic("mechanism: the embedded calibrations cannot be read: " + err.Error())
	}
	return s
})

// Find returns the largest shipped calibration for a table and member that
// certifies at most epsilon.
func Find(table *embedding.Table, who string, epsilon float64) (Calibration, bool) {
	s := loadShipped()
	if s.Table != table.Digest() {
		return Calibration{}, false
	}
	best, found := Calibration{}, false
	for _, c := range s.Members[who] {
		if c.MetricHigh <= epsilon && (!found || c.Nominal > best.Nominal) {
			best, found = c, true
		}
	}
	// Far from any shipped figure, a search finds a better one.
	return best, found && best.MetricHigh >= 0.9*epsilon
}

// Curve returns the curve of all words, if it ships for the table.
func Curve(table *embedding.Table) ([]Point, bool) {
	s := loadShipped()
	return s.Curve, s.Table == table.Digest()
}

// Calibration holds the known figures of a member at one nominal epsilon.
type Calibration struct {
	Nominal     float64           `json:"nominal"`
	MetricLow   float64           `json:"metric_low"`
	MetricHigh  float64           `json:"metric_high"`
	PureLow     float64           `json:"pure_low"`
	PureHigh    float64           `json:"pure_high"`
	MetricWhere mechanism.Witness `json:"metric_witness"`
	PureWhere   mechanism.Witness `json:"pure_witness"`

	// Source is the origin of these figures. It is not cached.
	Source mechanism.Source `json:"-"`
}

func (c Calibration) Loss() mechanism.Loss {
	return mechanism.Loss{MetricLow: c.MetricLow, MetricHigh: c.MetricHigh, PureLow: c.PureLow, PureHigh: c.PureHigh, MetricWitness: c.MetricWhere, PureWitness: c.PureWhere}
}

// Point holds the effects of sets of one size, averaged over a public sample.
type Point struct {
	K int `json:"k"`
	// Mean is the distance of a word to a uniform member of its set.
	Mean float64 `json:"mean"`
	// Signal is the distance from the mean of the outputs to the mean of the set.
	Signal float64 `json:"signal"`
}
