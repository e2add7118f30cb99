package mechanism

import (
	"context"
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
)

//go:generate go run ./calibrations -o calibrations.json

// Figures of the embedded table, computed by ./calibrations: every one is a
// certificate that `go generate` recomputes.
//
//go:embed calibrations.json
var calibrationsJSON []byte

// shippedFigures is the form of calibrations.json.
type shippedFigures struct {
	Table   string                   `json:"table_sha256"`
	Members map[string][]calibration `json:"members"` // by ascending nominal epsilon
	Curve   []curvePoint             `json:"curve"`   // of all words
}

var loadShipped = sync.OnceValue(func() shippedFigures {
	var s shippedFigures
	if err := json.Unmarshal(calibrationsJSON, &s); err != nil {
		panic("mechanism: the embedded calibrations cannot be read: " + err.Error())
	}
	return s
})

// shipped returns the largest calibration that ships with the program for a
// table and member and certifies at most epsilon.
func shipped(table *embedding.Table, who, key string, epsilon float64) (calibration, bool) {
	s := loadShipped()
	if s.Table != table.Digest() {
		return calibration{}, false
	}
	best, found := calibration{}, false
	for _, c := range s.Members[who+key] {
		if c.MetricHigh <= epsilon && (!found || c.Nominal > best.Nominal) {
			best, found = c, true
		}
	}
	// Far from any shipped figure a search does better.
	return best, found && best.MetricHigh >= 0.9*epsilon
}

// shippedCurve returns the curve of all words where it ships.
func shippedCurve(table *embedding.Table) ([]curvePoint, bool) {
	s := loadShipped()
	return s.Curve, s.Table == table.Digest()
}

// Calibrate computes what ships for a table: certificates of tem and
// exponential at each nominal epsilon, and the curve that neighbours chooses k by.
func Calibrate(ctx context.Context, table *embedding.Table, nominals []float64, progress func(done, total int)) (json.RawMessage, error) {
	curve, err := (&setRule{table: table}).curve(ctx, true)
	if err != nil {
		return nil, err
	}
	s := shippedFigures{Table: table.Digest(), Members: map[string][]calibration{}, Curve: curve}
	families := []exponentialFamily{temFamily(table, defaultBeta, 0, false), exponentialFamilyOf(euclidean(table))}
	count := 0
	for _, f := range families {
		for _, nominal := range nominals {
			c, err := f.measure(ctx, nominal, nil)
			if err != nil {
				return nil, err
			}
			s.Members[f.who+f.key] = append(s.Members[f.who+f.key], c)
			count++
			if progress != nil {
				progress(count, len(families)*len(nominals))
			}
		}
	}
	return json.MarshalIndent(s, "", " ")
}
