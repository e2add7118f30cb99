package catalog

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
)

// P(x|x) = e^epsilon/(e^epsilon + n - 1), every other word has the rest in equal
// parts (Warner 1965, k-ary form).
func TestResponseKeepsAWordWithItsChance(t *testing.T) {
	const n = 50
	table := oracle.RandomTable(t, n, 3)
	for _, epsilon := range []float64{0.1, 1, 4, 9} {
		m := oracle.MustOpen(t, responseEntry, table, epsilon, nil).(mechanism.Channel)
		for x := range embedding.ID(n) {
			row := m.Weights(nil, x)
			sum := 0.0
			for _, w := range row {
				sum += float64(w)
			}
			for y, w := range row {
				want := 1 / (math.Exp(epsilon) + n - 1)
				if y == int(x) {
					want *= math.Exp(epsilon)
				}
				// Weights are whole numbers of 2^32 and more: floors cost less than 2^-30.
				if got := float64(w) / sum; math.Abs(got-want) > 1e-8*want {
					t.Fatalf("epsilon %g: P(%d|%d) is %.12g, want %.12g", epsilon, y, x, got, want)
				}
			}
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
