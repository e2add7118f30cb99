// Package measured holds the results of an attack on public texts, for settings of the
// embedded table of words. The figures were measured once, by the command in generate, and
// ship with the package. No release is read for them.
package measured

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
)

//go:generate go run ./generate -o figures.json

//go:embed figures.json
var shipped []byte

// Figures describes what was attacked and the results.
type Figures struct {
	Sample     string  `json:"sample"` // names the texts that were released
	Texts      int     `json:"texts"`  // of the sample
	Tokens     int     `json:"tokens"`
	Unknown    int     `json:"unknown"` // tokens that the table lacks: shares are of the others
	Table      string  `json:"table_sha256"`
	Words      int     `json:"words"` // of the table
	Confidence float64 `json:"confidence"`
	Seed       uint64  `json:"seed"`
	Beam       int     `json:"beam"`
	Readers    []Card  `json:"readers"`
	Blind      Share   `json:"blind"` // recovered by the best guess without a release
	Rows       []Row   `json:"rows"`  // by mechanism, then epsilon
}

// Card describes a reader.
type Card struct {
	Reader Reader `json:"reader"`
	Prior  string `json:"prior"` // names the texts of the reader's model
	// Known is the number of sample texts that are also texts of the model.
	Known   int    `json:"known_texts"`
	Order   int    `json:"order"`        // of the model
	Trained int    `json:"model_tokens"` // tokens that the model was trained on
	Model   string `json:"model_sha256"`
}

// Reader is a reader of releases of words.
type Reader string

// The readers.
const (
	Ngram   Reader = "ngram"
	Adapted Reader = "adapted" // to each release (attack.Adapted)
)

// Row has the figures of a mechanism at an epsilon. All other parameters have their
// defaults.
type Row struct {
	Mechanism string  `json:"mechanism"`
	Epsilon   float64 `json:"epsilon"` // per token
	// Size is the size of the sets that the mechanism chose, 0 for mechanisms without sets.
	// Versions choose different sizes.
	Size int `json:"neighbours,omitempty"`
	// Reader is the one that recovers more in context, of those that were tried.
	Reader Reader `json:"reader"`
	// Shares of known words that a reader with a language model names: Alone from each single
	// output, InContext from the whole release, and Rare from the whole release for words
	// outside the 2,000 most common of the model.
	Alone     Share `json:"recovered"`
	InContext Share `json:"recovered_in_context"`
	Rare      Share `json:"recovered_rare"`
	// Approximate reports that the attack did not use the complete channel, so that a
	// reader may do better.
	Approximate bool `json:"approximate,omitempty"`
}

// Share is a share of the words that the table knows, with its interval.
type Share struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// All returns the figures. The caller must not change the rows.
var All = sync.OnceValues(func() (f Figures, err error) {
	return f, json.Unmarshal(shipped, &f)
})

// Finding is the result for a mechanism at an epsilon: the rows at the nearest measured
// epsilons below and above. They are the same row if that epsilon was measured.
type Finding struct {
	Below Row `json:"below"`
	Above Row `json:"above"`
}

// Find returns the results for a mechanism with default parameters over a table. found is
// false if nothing was measured: for other tables and mechanisms, and for epsilons outside
// the measured range.
func Find(mechanism, tableSHA256 string, epsilon float64) (f Finding, found bool) {
	all, err := All()
	if err != nil || tableSHA256 != all.Table {
		return f, false
	}
	var rows []Row
	for _, r := range all.Rows {
		if r.Mechanism == mechanism {
			rows = append(rows, r)
		}
	}
	at := slices.IndexFunc(rows, func(r Row) bool { return r.Epsilon >= epsilon })
	switch {
	case at < 0 || at == 0 && rows[0].Epsilon > epsilon:
		return f, false
	case rows[at].Epsilon == epsilon:
		return Finding{rows[at], rows[at]}, true
	}
	return Finding{rows[at-1], rows[at]}, true
}

// Has reports whether the finding is valid for sets of a size. At a measured epsilon, that
// is the size of the row. Between two, it is any size from that of the row above to that of
// the row below. A mechanism without sets has size 0.
func (f Finding) Has(size int) bool {
	return min(f.Below.Size, f.Above.Size) <= size && size <= max(f.Below.Size, f.Above.Size)
}

// String states in one sentence what a reader recovers. Between two measured epsilons it
// states both figures and does not interpolate.
func (f Finding) String() string {
	words := func(r Row) string { return r.least() + r.InContext.String() }
	rare := func(r Row) string { return r.least() + r.Rare.String() }
	const reader = "A reader with a language model of similar texts recovers "
	if f.Below.Epsilon == f.Above.Epsilon {
		return fmt.Sprintf(reader+"%s of the words of news, and %s of the rare ones.", words(f.Below), rare(f.Below))
	}
	return fmt.Sprintf(reader+"%s of the words of news at epsilon %g and %s at %g; of the rare ones %s and %s.",
		words(f.Below), f.Below.Epsilon, words(f.Above), f.Above.Epsilon, rare(f.Below), rare(f.Above))
}

// Source describes what a finding was measured on.
func (f Finding) Source() string {
	all, err := All()
	if err != nil {
		return ""
	}
	readers := all.reader(f.Below.Reader)
	if f.Above.Reader != f.Below.Reader {
		readers += " and " + all.reader(f.Above.Reader)
	}
	return fmt.Sprintf("Measured on %d public texts (%s; %s), of the words that the table knows, with intervals at %g: your texts, and a better model, have other figures.",
		all.Texts, all.Sample, readers, all.Confidence)
}

// reader describes a reader in a few words.
func (f Figures) reader(r Reader) string {
	for _, c := range f.Readers {
		if c.Reader != r {
			continue
		}
		s := fmt.Sprintf("model of order %d of %s", c.Order, c.Prior)
		if r == Adapted {
			s += ", adapted to each release"
		}
		return s
	}
	return string(r)
}

func (r Row) least() string {
	if r.Approximate {
		return "at least "
	}
	return ""
}

// String returns the share and its interval in per cent, rounded to three digits. Shares
// ship with four digits.
func (s Share) String() string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*s.Share, math.Floor(1e3*s.Low+1e-6)/10, math.Ceil(1e3*s.High-1e-6)/10)
}
