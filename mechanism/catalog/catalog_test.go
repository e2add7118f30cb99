package catalog

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/packing"
)

func TestEveryEntrySaysWhatItsOpeningTakes(t *testing.T) {
	for _, e := range All() {
		if e.Cost < mechanism.Free || e.Cost > mechanism.Pairs {
			t.Errorf("%s: nothing is said of its opening", e.Name)
		}
	}
}

// computing is a cache that stores nothing and records the keys it was given.
type computing []string

func (c *computing) Get(string) ([]byte, bool) { return nil, false }
func (c *computing) Put(key string, _ []byte)  { *c = append(*c, key) }

// What ships is not computed, and everything else is.
func TestShipsReportsWhatIsNotComputed(t *testing.T) {
	stage.Unraced(t)
	whole, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	first, err := whole.First(packing.Words)
	if err != nil {
		t.Fatal(err)
	}
	small, err := whole.First(300)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range All() {
		if e.Cost != mechanism.Certificate && e.Cost != mechanism.Solver {
			continue
		}
		table, words := whole, 0
		if e.Cost == mechanism.Solver {
			table, words = first, packing.Words
		}
		var made computing
		if _, err := e.New(t.Context(), table, mechanism.Spec{Epsilon: 4, Cache: &made}); err != nil || !e.Ships(words, 0) || len(made) > 0 {
			t.Errorf("%s at 4 is computed (%v) or does not open: %v", e.Name, made, err)
		}
		if _, err := e.New(t.Context(), small, mechanism.Spec{Epsilon: 4, Cache: &made}); err != nil || e.Ships(300, 0) || len(made) == 0 {
			t.Errorf("%s at 4 over 300 words is said to ship, or is not computed: %v", e.Name, err)
		}
	}
}

// The file of the table is gone when the member is opened, so a member that reads vectors
// after all panics.
func TestMembersOfWordsAloneReadNoVectors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.sotto")
	if err := embedding.WriteFile(path, oracle.RandomTable(t, 20, 3)); err != nil {
		t.Fatal(err)
	}
	table, err := embedding.OpenWords(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	members := 0
	for _, entry := range All() {
		if !entry.WordsAlone {
			continue
		}
		members++
		m := oracle.MustOpen(t, entry, table, 2, nil).(mechanism.Channel)
		words := make([]embedding.ID, table.Len())
		for i := range words {
			words[i] = embedding.ID(i)
			m.Weights(nil, words[i])
		}
		if out, err := m.Replace(nil, words, nil); err != nil || len(out) != len(words) {
			t.Errorf("%s: %d words, %v", entry.Name, len(out), err)
		}
		if p, ok := m.(shortcut.Preparer); ok {
			p.Prepare(t.Context(), words)
		}
	}
	if members == 0 {
		t.Error("no member is of words alone")
	}
	if table.Hold() == nil {
		t.Error("the vectors are read from a file that is gone")
	}
}
