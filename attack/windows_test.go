package attack

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/restore"
)

// Windows name the words that reading the whole release names, also beside their borders.
// All draws are seeded.
func TestWindowsReadWhatTheWholeReleaseSays(t *testing.T) {
	const words, length = 150, 1500
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(words)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	follow := func(n int) []embedding.ID { // words that often follow each other
		ids, w := make([]embedding.ID, n), 0
		for i := range ids {
			if w = (w*5 + 3) % words; rng.Float64() < 0.3 {
				w = rng.IntN(words)
			}
			ids[i] = embedding.ID(w)
		}
		return ids
	}
	model, err := language.Train(t.Context(), table, func(yield func([]embedding.ID, error) bool) {
		for range 40 {
			if !yield(follow(50), nil) {
				return
			}
		}
	}, language.Options{Public: true})
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := catalog.Find("response")
	m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: 5})
	if err != nil {
		t.Fatal(err)
	}
	original := follow(length)
	release, err := m.Replace(nil, original, noise.Seeded(7, 0))
	if err != nil {
		t.Fatal(err)
	}
	c, err := restore.Columns(t.Context(), m.(mechanism.Channel), words, [][]embedding.ID{release}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := restore.NewDecoder(model, c, restore.Options{Beam: 50})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := decoded(d, release)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(whole, release) {
		t.Fatal("context changes no word: the test shows nothing")
	}
	for _, size := range []int{7, 100, length, 2 * length} {
		found, err := inWindows(d, release, size)
		if err != nil {
			t.Fatal(err)
		}
		differ := 0
		for i, w := range found {
			if w != whole[i] {
				differ++
			}
		}
		// Beams of other nodes may break a near tie otherwise.
		if len(found) != length || differ > length/500 {
			t.Errorf("windows of %d name %d words, of which %d are others than by the whole", size, len(found), differ)
		}
	}
	if short, err := likeliest(d, release); err != nil || !slices.Equal(short, whole) {
		t.Errorf("a release of %d words is not read as a whole, %v", length, err)
	}
	var long []embedding.ID
	for len(long) <= mostWhole {
		long = append(long, release...)
	}
	found, err := likeliest(d, long)
	if err != nil || len(found) != len(long) || !slices.Equal(found[100:length-100], whole[100:length-100]) {
		t.Errorf("of %d words %d are named, %v", len(long), len(found), err)
	}
}
