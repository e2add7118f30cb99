package typed

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Map has the surrogate of each value of a scope, by type. It holds the originals, so it is
// as secret as the texts. It has no JSON and no printed form but what Write writes. It is
// safe for concurrent use.
type Map struct {
	mu      sync.Mutex
	places  map[[2]string]int // into entries, by type and folded value
	entries []entry
	// drawn is how each type of the entries was drawn, so that no entry of another codebook
	// or epsilon is used.
	drawn map[string]drawn
}

type entry struct {
	Type      string `json:"type"`
	Value     string `json:"value"`
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

// ReadMap reads what Write wrote. Errors repeat nothing of it.
func ReadMap(in io.Reader) (*Map, error) {
	m := NewMap()
	d := json.NewDecoder(bufio.NewReader(in))
	var head mapHead
	if d.Decode(&head) != nil || head.Format != mapFormat {
		return nil, errMap
	}
	for name, of := range head.Types {
		m.drawn[name] = of
	}
	for {
		var e entry
		switch err := d.Decode(&e); {
		case err == io.EOF:
			return m, nil
		case err != nil || e.Type == "" || e.Surrogate == "":
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

// Has reports whether the map has values of a type.
func (m *Map) Has(kind string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.drawn[kind]
	return ok
}

// Get returns the surrogate of a value, in the form of [Fold].
func (m *Map) Get(kind, folded string) (surrogate string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.places[[2]string{kind, folded}]
	if !ok {
		return "", false
	}
	return m.entries[at].Surrogate, true
}

// Put stores the surrogate of a value and returns it, or the one that is stored already.
func (m *Map) Put(kind, value, surrogate string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.put(entry{kind, value, surrogate})
}

func (m *Map) put(e entry) string {
	key := [2]string{e.Type, Fold(e.Value)}
	if at, ok := m.places[key]; ok {
		return m.entries[at].Surrogate
	}
	m.places[key] = len(m.entries)
	m.entries = append(m.entries, e)
	return e.Surrogate
}

// MarshalJSON returns an error.
func (*Map) MarshalJSON() ([]byte, error) { return nil, errSecret }

// String hides the values.
func (*Map) String() string { return "(withheld)" }

// GoString hides the values.
func (*Map) GoString() string { return "(withheld)" }

var errSecret = errors.New("typed: a map holds originals and is written by Write alone")
