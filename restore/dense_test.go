package restore

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// A symmetric channel gives the columns that its rows give, to the last bit.
func TestColumnsOfASymmetricChannelAreThoseOfItsRows(t *testing.T) {
	table := firstWords(t, 400)
	outputs := []embedding.ID{0, 7, 8, 123, 399}
	for _, name := range []string{"exponential", "tem"} {
		entry, _ := catalog.Find(name)
		m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: 3})
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := m.(shortcut.Symmetric); !ok || !s.Symmetric() {
			t.Fatalf("%s is not symmetric", name)
		}
		channel := NewChannel(m.(mechanism.Channel), table.Len())
		if err := channel.Read(t.Context(), [][]embedding.ID{outputs}, nil); err != nil {
			t.Fatal(err)
		}
		rows, exact, err := denseColumns(t.Context(), channel.mechanism, table.Len(), outputs, nil)
		if err != nil {
			t.Fatal(err)
		}
		var columns []*column
		for _, y := range outputs {
			columns = append(columns, channel.columns[y])
		}
		if !reflect.DeepEqual(columns, rows) || channel.exact != exact {
			t.Errorf("%s: other columns", name)
		}
	}
}

// Columns of two levels have the same words and chances, by bits or by words.
func TestColumnsByBitsAreThoseByWords(t *testing.T) {
	const words = 300
	r := rand.New(rand.NewPCG(3, 4))
	byBits, byWords := &column{base: -5, level: -1, set: make([]uint64, words/64+1)}, &column{base: -5, level: -1}
	for first := 0; first < words; first += 64 {
		block := r.Uint64()
		if words-first < 64 {
			block &= 1<<(words-first) - 1
		}
		byBits.add(embedding.ID(first), block)
		byWords.add(embedding.ID(first), block)
	}
	if byBits.count != byWords.count || !reflect.DeepEqual(byBits.byWords(), byWords) {
		t.Fatalf("%d words by bits, %d by words", byBits.count, byWords.count)
	}
	for w := range embedding.ID(words) {
		if byBits.lists(w) != byWords.lists(w) || byBits.at(w) != byWords.at(w) {
			t.Errorf("word %d: %v by bits, %v by words", w, byBits.at(w), byWords.at(w))
		}
	}
}
