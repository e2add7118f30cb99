package release

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/progress"
)

// Guesses by sets are those by whole rows, to the last bit: whatever the sets, where some words
// never come out, where words are equally frequent, and where shares differ so much that the best
// guess of an output is a frequent word whose set lacks it.
func TestGuessesBySetsAreThoseByRows(t *testing.T) {
	outside := 0
	for _, c := range []struct {
		name  string
		words int
		spec  mechanism.Spec
		by    float64 // each share is this times that of the word before
	}{
		{"neighbours", 300, mechanism.Spec{Epsilon: 6}, 0.98},
		{"neighbours", 300, mechanism.Spec{Epsilon: 1}, 0.9},
		{"neighbours", 300, mechanism.Spec{Epsilon: 0.1}, 1},
		{"neighbours", 60, mechanism.Spec{Epsilon: 3}, 0.5},
		{"classes", 300, mechanism.Spec{Epsilon: 0.5}, 0.9},
		{"neighbours", 300, mechanism.Spec{Epsilon: 1, Parameters: mechanism.Values{"neighbours": "298"}}, 0.9},
		{"classes", 300, mechanism.Spec{Epsilon: 2}, 0.95},
		{"response", 300, mechanism.Spec{Epsilon: 4}, 0.9},
		{"response", 1, mechanism.Spec{Epsilon: 4}, 1},
	} {
		table, err := builtin.English()
		if err == nil {
			table, err = table.First(c.words)
		}
		if err != nil {
			t.Fatal(err)
		}
		entry, _ := catalog.Find(c.name)
		m, err := entry.New(t.Context(), table, c.spec)
		if err != nil {
			t.Fatal(err)
		}
		channel := m.(mechanism.Channel)
		if _, ok := channel.(shortcut.Levelled); !ok {
			t.Fatalf("%s has no levels", c.name)
		}
		shares := make([]float64, table.Len())
		for x, share := 0, 1.0; x < len(shares); x, share = x+1, share*c.by {
			shares[x] = share
		}
		shares[len(shares)/2] = 0
		chances, words, err := guessesOf(t.Context(), channel, shares, nil)
		if err != nil {
			t.Fatal(err)
		}
		byRows, wordsByRows, err := guesses(t.Context(), channel, shares, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(chances, byRows) || !slices.Equal(words, wordsByRows) {
			t.Errorf("%s of %d words at %g, by %g: the guesses differ", c.name, c.words, c.spec.Epsilon, c.by)
		}
		for y, x := range words {
			if row := channel.Weights(nil, x); row[y] < slices.Max(row) {
				outside++
			}
		}
	}
	if outside < 100 {
		t.Errorf("%d guesses are of words whose sets lack the output", outside)
	}
}

// twoLevels is a channel of three words, each of which is its own set, with weights 2 and 1.
type twoLevels struct {
	mechanism.Channel
	shortcut.Levelled
}

func (twoLevels) Levels() mechanism.Levels {
	return mechanism.Levels{Size: 1, Outputs: 3, High: 2, Low: 1}
}

func (twoLevels) MarkMembers(sets []uint64, x embedding.ID, mark uint64) { sets[x] |= mark }

func (twoLevels) Weights(dst []uint64, x embedding.ID) []uint64 {
	dst = append(dst, 1, 1, 1)
	dst[len(dst)-3+int(x)] = 2
	return dst
}

// A guess from outside a set that is as good as one from inside is taken where it is the first.
func TestFirstOfEqualGuessesIsTaken(t *testing.T) {
	shares := []float64{1, 2, 1}
	chances, words, err := guessesOf(t.Context(), twoLevels{}, shares, nil)
	byRows, wordsByRows, errByRows := guesses(t.Context(), twoLevels{}, shares, nil)
	if err != nil || errByRows != nil || !slices.Equal(chances, byRows) || !slices.Equal(words, wordsByRows) {
		t.Errorf("guesses %v with %v (%v), by rows %v with %v (%v)", words, chances, err, wordsByRows, byRows, errByRows)
	}
	if want := []embedding.ID{0, 1, 1}; !slices.Equal(words, want) {
		t.Errorf("guesses %v, want %v", words, want)
	}
}

func TestGuessesEndWithTheirContext(t *testing.T) {
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := catalog.Find("response")
	m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: 4})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := guessesOf(ctx, m.(mechanism.Channel), table.Shares(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context ended", err)
	}
}

// The best guess from every output of neighbours at 8, by sets and by rows.
func BenchmarkGuesses(b *testing.B) {
	table, err := builtin.English()
	if err != nil {
		b.Fatal(err)
	}
	entry, _ := catalog.Find("neighbours")
	for name, find := range map[string]func(context.Context, mechanism.Channel, []float64, progress.Func) ([]float64, []embedding.ID, error){
		"sets": guessesOf, "rows": guesses,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m, err := entry.New(b.Context(), table, mechanism.Spec{Epsilon: 8}) // whose sets are not known yet
				if err == nil {
					_, _, err = find(b.Context(), m.(mechanism.Channel), table.Shares(), nil)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
