package playground

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/tune"
)

//go:generate go run ./figures -o figures.json

//go:embed figures.json
var figuresJSON []byte

// Shipped is the form of figures.json: the rows that [tune.Compare] computed for the
// embedded table, and for its first words for which packing ships channels, at the
// slider's stops. Every other parameter has its default. Rows of channels have the most
// exposed words, of [tune.MostExposed].
type Shipped struct {
	Tables []ShippedTable `json:"tables"`
}

// ShippedTable holds the rows of one table.
type ShippedTable struct {
	SHA256 string       `json:"sha256"`
	Name   string       `json:"name"`
	Words  int          `json:"words"`
	Rows   []ShippedRow `json:"rows"`
}

// ShippedRow is a row with its most exposed words.
type ShippedRow struct {
	tune.Row
	MostExposed *tune.Exposure `json:"most_exposed,omitempty"` // nil where none ship
}

// ExposedWords is the number of most exposed words that ship with a row.
const ExposedWords = 5

var shipped = sync.OnceValues(func() (s Shipped, err error) {
	err = json.Unmarshal(figuresJSON, &s)
	return s, err
})

// Rows returns the rows that ship for a mechanism over a table, by epsilon. It is empty
// for tables without shipped figures.
func Rows(member string, table *embedding.Table) ([]tune.Row, error) {
	all, err := rowsOf(member, table)
	var rows []tune.Row
	for _, r := range all {
		rows = append(rows, r.Row)
	}
	return rows, err
}

// MostExposed returns the most exposed words that ship for a mechanism over a table at an
// epsilon, nil where none do.
func MostExposed(member string, table *embedding.Table, epsilon float64) (*tune.Exposure, error) {
	rows, err := rowsOf(member, table)
	for _, r := range rows {
		if r.Epsilon == epsilon {
			return r.MostExposed, err
		}
	}
	return nil, err
}

func rowsOf(member string, table *embedding.Table) ([]ShippedRow, error) {
	s, err := shipped()
	if err != nil {
		return nil, err
	}
	var rows []ShippedRow
	for _, t := range s.Tables {
		if t.Words != table.Len() || t.SHA256 != table.Digest() {
			continue
		}
		for _, r := range t.Rows {
			if r.Mechanism == member {
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

// Stops returns the epsilons at which the slider stops for a mechanism, in the unit of
// its claim: the range over which its figures change.
func Stops(member string) []float64 {
	if entry, ok := catalog.Find(member); ok && entry.Stops != nil {
		return entry.Stops
	}
	return doublings(1, 4096)
}

func doublings(low, high float64) (all []float64) {
	for v := low; v <= high; v *= 2 {
		all = append(all, v)
	}
	return all
}
