package typed

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
)

// Map has the surrogate of each value of a scope, by type. It holds the originals, so it is
// as secret as the texts. It has no JSON and no printed form but what Write writes. It is
// safe for concurrent use.
type Map struct {
	mu      sync.Mutex
	places  map[[2]string]int // into entries, by type and folded value; undrawn for one that was met only
	entries []entry
	// drawn is how each type of the entries was drawn, so that no entry of another codebook
	// or epsilon is used.
	drawn map[string]drawn
}

// entry is a value with its surrogate, which is at a place of the type's codebook.
type entry struct {
	Type      string `json:"type"`
	Value     string `json:"value"`
	Place     *int   `json:"place"`
	Surrogate string `json:"surrogate"`
}

type drawn struct {
	SHA256  string  `json:"sha256"`
	Epsilon float64 `json:"epsilon"`
}

// mapFormat is the first line of a map's file.
const mapFormat = "sotto map 1"

type mapHead struct {
	Format string           `json:"format"`
	Types  map[string]drawn `json:"types"`
}

// NewMap returns an empty map.
func NewMap() *Map { return &Map{places: map[[2]string]int{}, drawn: map[string]drawn{}} }

var errMap = errors.New("not a map of values that this version wrote")

// undrawn is the place of a value that has no surrogate yet.
const undrawn = -1

// ReadMap reads what Write wrote. Errors repeat nothing of it. Whether the surrogates are
// those of the codebooks is for [Map.Opens].
func ReadMap(in io.Reader) (*Map, error) {
	m := NewMap()
	d := json.NewDecoder(bufio.NewReader(in))
	d.DisallowUnknownFields()
	var head mapHead
	switch err := d.Decode(&head); {
	case err == io.EOF: // an empty file
		return m, nil
	case err != nil || head.Format != mapFormat:
		return nil, errMap
	}
	for name, of := range head.Types {
		if sum, err := hex.DecodeString(of.SHA256); name == "" || Known(name) != name || err != nil || len(sum) != sha256.Size || !(of.Epsilon >= 0) || math.IsInf(of.Epsilon, 0) {
			return nil, errMap
		}
		m.drawn[name] = of
	}
	for {
		var e entry
		switch err := d.Decode(&e); {
		case err == io.EOF:
			return m, nil
		case err != nil || e.Place == nil || *e.Place < 0:
			return nil, errMap
		}
		_, known := m.drawn[e.Type]
		if _, twice := m.places[keyOf(e.Type, e.Value)]; !known || twice {
			return nil, errMap
		}
		m.put(e)
	}
}

// Write writes the map: a line of JSON about its types, and one for each value.
func (m *Map) Write(out io.Writer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := bufio.NewWriter(out)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(mapHead{mapFormat, m.drawn}); err != nil {
		return err
	}
	for _, one := range m.entries {
		if err := e.Encode(one); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Draws states how a type is drawn. It returns an error if the map has values of the type
// that were drawn otherwise: one surrogate would then have two guarantees.
func (m *Map) Draws(kind, sha256 string, epsilon float64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := drawn{sha256, epsilon}
	if before, ok := m.drawn[kind]; ok && before != now {
		return fmt.Errorf("the map's values of type %s were drawn from another codebook, or at another epsilon", kind)
	}
	m.drawn[kind] = now
	return nil
}

// Opens returns an error if the map has values of the type that were drawn otherwise, or
// surrogates that are not in the codebook. It repeats none of them.
func (m *Map) Opens(kind string, c *Codebook, epsilon float64) error {
	if !m.has(kind) {
		return nil
	}
	if err := m.Draws(kind, c.Digest(), epsilon); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.entries {
		if e.Type == kind && (*e.Place >= c.Len() || c.Text(*e.Place) != e.Surrogate) {
			return fmt.Errorf("the map has a surrogate of type %s that is not in the codebook: it was changed", kind)
		}
	}
	return nil
}

// has reports whether the map has values of a type.
func (m *Map) has(kind string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.drawn[kind]
	return ok
}

// First reports whether the scope meets a value for the first time, and remembers that it did.
func (m *Map) First(kind, value string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := keyOf(kind, value)
	if _, ok := m.places[key]; ok {
		return false
	}
	m.places[key] = undrawn
	return true
}

// Put stores the surrogate of a value, which is at a place of the codebook, and returns it, or
// the one that is stored already.
func (m *Map) Put(kind, value string, place int, surrogate string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.put(entry{kind, strings.ToValidUTF8(value, "\uFFFD"), &place, surrogate})
}

func (m *Map) put(e entry) string {
	key := keyOf(e.Type, e.Value)
	if at, ok := m.places[key]; ok && at != undrawn {
		return m.entries[at].Surrogate
	}
	m.places[key] = len(m.entries)
	m.entries = append(m.entries, e)
	return e.Surrogate
}

// keyOf returns the key of a value, which is that of its written form too.
func keyOf(kind, value string) [2]string {
	return [2]string{kind, Fold(strings.ToValidUTF8(value, "\uFFFD"))}
}

// MarshalJSON returns an error.
func (*Map) MarshalJSON() ([]byte, error) { return nil, errSecret }

// String hides the values.
func (*Map) String() string { return "(withheld)" }

// GoString hides the values.
func (*Map) GoString() string { return "(withheld)" }

var errSecret = errors.New("typed: a map holds originals and is written by Write alone")
