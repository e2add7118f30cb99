package packing

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// searchState is the state of a search for a packing channel: enough to
// continue, not enough to repeat it bit for bit. Privacy does not depend on it:
// the result is certified as always.
type searchState struct {
	Table      string // digest
	Epsilon, T float64
	Objective  string // its key
	Sweeps     int
	Bound      float64     // on the unchanged rate at T = Epsilon; +Inf where not known
	Cuts       [][]float32 // rows of the cuts
	A, Rows    []float32   // the iterate: values, and multipliers of the rows
	CutsBy     []float32   // multipliers of the cuts
}

const stateFormat = "sotto search 1\n"

func (s searchState) encode() ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b.Bytes())
	return append(append([]byte(stateFormat), sum[:]...), b.Bytes()...), nil
}

// readState reads what encode wrote, for one table, epsilon and objective.
func readState(data []byte, table *embedding.Table, epsilon float64, goal Objective, n int) (searchState, error) {
	var s searchState
	body, ok := bytes.CutPrefix(data, []byte(stateFormat))
	if !ok || len(body) < sha256.Size {
		return s, errors.New("packing: not a state of a search")
	}
	if sum := sha256.Sum256(body[sha256.Size:]); !bytes.Equal(sum[:], body[:sha256.Size]) {
		return s, errors.New("packing: the state of the search is damaged")
	}
	if err := gob.NewDecoder(bytes.NewReader(body[sha256.Size:])).Decode(&s); err != nil {
		return s, errors.New("packing: the state of the search cannot be read")
	}
	switch {
	case s.Table != table.Digest():
		return s, fmt.Errorf("packing: the state of the search is for another table (%.12s, not %.12s)", s.Table, table.Digest())
	case s.Epsilon != epsilon:
		return s, fmt.Errorf("packing: the state of the search is for epsilon %g, not %g", s.Epsilon, epsilon)
	case s.Objective != goal.key():
		return s, errors.New("packing: the state of the search is for another objective")
	}
	sound := len(s.A) == n && len(s.Rows) == n && len(s.CutsBy) == len(s.Cuts) && s.T > 0 && s.T <= epsilon && !math.IsNaN(s.Bound)
	for _, cut := range s.Cuts {
		sound = sound && len(cut) == n
	}
	if !sound {
		return s, errors.New("packing: the state of the search does not fit its table")
	}
	return s, nil
}
