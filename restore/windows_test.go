package restore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
)

const length = 1500 // of the release of longRelease

// firstWords returns a table of the first words of the embedded one.
func firstWords(t *testing.T, words int) *embedding.Table {
	t.Helper()
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(words)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// longRelease returns the release of a text, and a decoder of it.
func longRelease(t *testing.T) (*Decoder, []embedding.ID) {
	t.Helper()
	const words = 150
	table := firstWords(t, words)
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
	c, err := Columns(t.Context(), m.(mechanism.Channel), words, [][]embedding.ID{release}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDecoder(model, c, Options{Beam: 50})
	if err != nil {
		t.Fatal(err)
	}
	return d, release
}

// Windows name the words that reading the whole release names, also beside their borders.
// All draws are seeded.
func TestWindowsReadWhatTheWholeReleaseSays(t *testing.T) {
	stage.Unraced(t)
	d, release := longRelease(t)
	whole := inWindows(t, d, release, length)
	if slices.Equal(whole, release) {
		t.Fatal("context changes no word: the test shows nothing")
	}
	for _, size := range []int{30, 200, 2 * length} {
		found := inWindows(t, d, release, size)
		// Beams of other nodes may break a near tie otherwise.
		if differ := different(found, whole); len(found) != length || differ > length/500 {
			t.Errorf("windows of %d name %d words, of which %d are others than by the whole", size, len(found), differ)
		}
	}
}

func inWindows(t *testing.T, d *Decoder, release []embedding.ID, size int) (found []embedding.ID) {
	t.Helper()
	for w := range windows(len(release), size) {
		l, err := d.ReadWindow(release, w, nil)
		if err != nil {
			t.Fatal(err)
		}
		from, to := w.Used()
		found = append(found, Risk(l.Marginals())[from:to]...)
	}
	return found
}

func different(a, b []embedding.ID) (n int) {
	for i, w := range a {
		if w != b[i] {
			n++
		}
	}
	return n
}

// A long text is restored in windows, in every mode, to what its parts say. No lattice has
// more than some words, however long the text is.
func TestLongTextsAreRestoredInWindows(t *testing.T) {
	stage.Unraced(t)
	d, release := longRelease(t)
	var long []embedding.ID
	for len(long) <= mostWhole {
		long = append(long, release...)
	}
	modes := []Mode{LeastRisk, Drawn}
	if stage.Runs(stage.Large) {
		modes = append(modes, Consensus, MostLikely)
	}
	for _, mode := range modes {
		r, err := NewRestorer(d.model, d.channel, mode, mode == Drawn)
		if err != nil {
			t.Fatal(err)
		}
		short, _, err := r.Restore(release, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		words, chances, err := r.Restore(long, rand.New(rand.NewPCG(1, 2)))
		if err != nil || len(words) != len(long) || mode == Drawn && len(chances) != len(long) {
			t.Fatalf("%s: %d words and %d chances of %d, %v", mode, len(words), len(chances), len(long), err)
		}
		// Two draws differ at half of the words; shifted ones would at nearly all.
		most := length / 100
		if mode == Drawn {
			most = length * 3 / 4
		}
		for from := 0; from+length <= len(long); from += length {
			if differ := different(words[from:from+length], short); differ > most {
				t.Errorf("%s: %d of %d words from %d on are others than in a text of their own", mode, differ, length, from)
			}
		}
	}
	for _, n := range []int{0, 1, mostWhole, mostWhole + 1, 10*window + 3} {
		at := 0
		for w := range Windows(n) {
			if w.From != at || w.To > n || w.First > w.From || w.Last < w.To || w.Last-w.First > mostWhole {
				t.Errorf("%d words: window %+v after word %d", n, w, at)
			}
			if w.First != max(0, w.From-margin) || w.Last != min(n, w.To+margin) {
				t.Errorf("%d words: window %+v has other margins than %d", n, w, margin)
			}
			at = w.To
		}
		if at != n {
			t.Errorf("windows end at word %d of %d", at, n)
		}
	}
	bad := append(slices.Clone(long), 0)
	bad[len(long)] = embedding.ID(d.channel.words)
	r, err := NewRestorer(d.model, d.channel, LeastRisk, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Restore(bad, nil); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("word %d ", len(bad))) {
		t.Errorf("the last of %d words is no output: %v", len(bad), err)
	}
}
