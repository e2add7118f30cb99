package tune_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/tune"
)

func exposedTable(t *testing.T, words int) *embedding.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	s := embedding.Source{Dim: 6}
	for i := range words {
		s.Words = append(s.Words, "w"+string(rune('a'+i/26))+string(rune('a'+i%26)))
		for range s.Dim {
			s.Vectors = append(s.Vectors, float32(rng.NormFloat64()))
		}
	}
	table, err := embedding.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The figures of all words agree with the whole matrix: the guess of every output is
// simulated by hand, and the mean over words is the Bayes success of the channel.
func TestExposureIsThatOfTheBestGuess(t *testing.T) {
	const words = 60
	table := exposedTable(t, words)
	n := table.Len()
	for _, c := range []struct {
		name    string
		epsilon float64
	}{{"neighbours", 3}, {"response", 2}, {"tem", 1}, {"exponential", 4}, {"classes", 2}} {
		entry, _ := catalog.Find(c.name)
		m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: c.epsilon})
		if err != nil {
			t.Fatal(err)
		}
		channel := m.(mechanism.Channel)
		matrix := make([][]float64, n)
		for x := range matrix {
			w := channel.Weights(nil, embedding.ID(x))
			sum := 0.0
			for _, v := range w {
				sum += float64(v)
			}
			for _, v := range w {
				matrix[x] = append(matrix[x], float64(v)/sum)
			}
		}
		recovered := make([]float64, n)
		for y := range n {
			var tied []int
			most := 0.0
			for x := range n {
				switch p := matrix[x][y]; {
				case p > most:
					most, tied = p, []int{x}
				case p == most && p > 0:
					tied = append(tied, x)
				}
			}
			for _, x := range tied {
				recovered[x] += matrix[x][y] / float64(len(tied))
			}
		}
		found, err := tune.MostExposed(t.Context(), tune.Opened{Entry: entry, Channel: channel, Table: table}, nil, nil)
		got := found.Words
		if err != nil || len(got) != n {
			t.Fatalf("%s: %d words, %v", c.name, len(got), err)
		}
		if same := c.name == "response"; same != (found.Alike == n) || found.Alike < 1 {
			t.Errorf("%s: %d of %d words are as exposed as the first", c.name, found.Alike, n)
		}
		mean := 0.0
		for i, e := range got {
			x, ok := table.Lookup(e.Word)
			if !ok {
				x = table.Unknown()
			}
			if math.Abs(e.Recovered-recovered[x]) > 1e-12 || math.Abs(e.Unchanged-matrix[x][x]) > 1e-12 {
				t.Errorf("%s: %s is recovered with %v and stays with %v, want %v and %v", c.name, e.Word, e.Recovered, e.Unchanged, recovered[x], matrix[x][x])
			}
			if i > 0 && e.Recovered > got[i-1].Recovered {
				t.Errorf("%s: word %d is recovered more often than the one before", c.name, i)
			}
			mean += e.Recovered / float64(n)
		}
		all, err := tune.Measure(t.Context(), channel, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(mean-all.AttackSuccess) > 1e-9 || math.Abs(found.Mean-mean) > 1e-12 {
			t.Errorf("%s: the mean over words is %v and reported as %v, the attack succeeds with %v", c.name, mean, found.Mean, all.AttackSuccess)
		}
	}
}

// kept is a cache in memory.
type kept map[string][]byte

func (k kept) Get(key string) ([]byte, bool) { v, ok := k[key]; return v, ok }
func (k kept) Put(key string, v []byte)      { k[key] = v }

func TestExposedWordsAreCachedByTheSettings(t *testing.T) {
	table := exposedTable(t, 130)
	entry, _ := catalog.Find("neighbours")
	cache := kept{}
	var first []tune.Exposed
	for i, epsilon := range []float64{3, 3, 6} {
		m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: epsilon})
		if err != nil {
			t.Fatal(err)
		}
		before := len(cache)
		found, err := tune.MostExposed(t.Context(), tune.Opened{Entry: entry, Channel: m.(mechanism.Channel), Table: table}, cache, nil)
		got := found.Words
		if err != nil || len(got) != tune.MostExposedWords || !slices.Equal(found.First(5).Words, got[:5]) {
			t.Fatalf("%d words, %v", len(got), err)
		}
		switch i {
		case 0:
			first = got
		case 1:
			if !slices.Equal(got, first) || len(cache) != before {
				t.Errorf("the second time %v, the first %v, and the cache grew by %d", got, first, len(cache)-before)
			}
		case 2:
			if slices.Equal(got, first) || len(cache) != before+1 {
				t.Error("another epsilon has the words of the first")
			}
		}
	}
}
