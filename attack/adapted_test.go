package attack

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/restore"
)

func firstWords(t *testing.T, n int) *embedding.Table {
	t.Helper()
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(n)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func modelOf(t *testing.T, table *embedding.Table, texts [][]embedding.ID, order int) *language.Model {
	t.Helper()
	var all iter.Seq2[[]embedding.ID, error] = func(yield func([]embedding.ID, error) bool) {
		for _, ids := range texts {
			if !yield(ids, nil) {
				return
			}
		}
	}
	m, err := language.Train(t.Context(), table, all, language.Options{Order: order, Public: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func channelOf(t *testing.T, table *embedding.Table, epsilon float64) mechanism.Channel {
	t.Helper()
	entry, _ := catalog.Find("response")
	m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: epsilon})
	if err != nil {
		t.Fatal(err)
	}
	return m.(mechanism.Channel)
}

// The marginals of a mixed model are those of all sequences, each with the chances of the
// words, of the outputs and of the end.
func TestMixedMarginalsAreThoseOfAllSequences(t *testing.T) {
	table := firstWords(t, 6)
	words := table.Len()
	near := [][]embedding.ID{{1, 2}, {2, 4}}
	m := &mixed{
		model: modelOf(t, table, [][]embedding.ID{{0, 1, 2}, {1, 2, 3}, {3, 4}, {0, 5}}, 0), local: language.NewLocal(words),
		cache: map[embedding.ID]float64{2: 2, 4: 1}, cached: 3,
	}
	if err := m.local.Train(t.Context(), slices.Values(near)); err != nil {
		t.Fatal(err)
	}
	local := modelOf(t, table, near, language.MostTrained)
	release := []embedding.ID{1, 4}
	c, err := restore.Columns(t.Context(), channelOf(t, table, 2), words, [][]embedding.ID{release}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]restore.Guess, words) // no word is surer than the others: none is cached here
	for w := range all {
		all[w] = restore.Guess{Word: embedding.ID(w), Chance: 1 / float64(words)}
	}
	found := m.decode(new(extension), c, release, [][]restore.Guess{all, all}, true, true)
	want, sum := [2][]float64{make([]float64, words), make([]float64, words)}, 0.0
	for x := range words {
		for y := range words {
			sequence := []embedding.ID{embedding.ID(x), embedding.ID(y)}
			p, s := math.Exp(c.Log(sequence, release)), contexts{m.model.Start(), local.Start()}
			for _, w := range sequence {
				long, a := m.model.Next(s.model, w)
				near, b := local.Next(s.local, w)
				p *= (1-adaptedWeight-cacheWeight)*math.Exp(long) + adaptedWeight*math.Exp(near) + cacheWeight*m.cache[w]/3
				s = contexts{a, b}
			}
			p *= (1-adaptedWeight)*math.Exp(m.model.End(s.model)) + adaptedWeight*math.Exp(local.End(s.local))
			want[0][x], want[1][y], sum = want[0][x]+p, want[1][y]+p, sum+p
		}
	}
	for at, guesses := range found {
		total := 0.0
		for _, g := range guesses {
			total += g.Chance
			if w := want[at][g.Word] / sum; math.Abs(g.Chance-w) > 1e-12 {
				t.Errorf("position %d, word %d: %.15g, all sequences give %.15g", at, g.Word, g.Chance, w)
			}
		}
		if len(guesses) != words || math.Abs(total-1) > 1e-12 || !slices.IsSortedFunc(guesses, func(a, b restore.Guess) int { return int(math.Copysign(1, b.Chance-a.Chance)) }) {
			t.Errorf("position %d: %v add up to %g", at, guesses, total)
		}
	}
}

// A cached word does not vouch for itself.
func TestACachedWordIsNotCountedAtItsOwnPosition(t *testing.T) {
	m := &mixed{cache: map[embedding.ID]float64{2: 1}, cached: 1}
	own, other := m.repeated(2, true), m.repeated(2, false)
	if math.Abs(other-own-cacheWeight) > 1e-12 {
		t.Errorf("at its own position %g, elsewhere %g", own, other)
	}
}

func TestTextsLikeAReleaseAreFound(t *testing.T) {
	s := newSimilar([][]embedding.ID{{1, 2, 3}, {4, 5}, {1, 9}, {4, 6, 5}, {}}, 10)
	sure := func(words ...embedding.ID) (all [][]restore.Guess) {
		for _, w := range words {
			all = append(all, []restore.Guess{{Word: w, Chance: 0.9}, {Word: 9, Chance: 0.01}})
		}
		return all
	}
	if got := s.nearest(sure(4, 5), 2); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("like 4, 5: %v", got)
	}
	if got := s.nearest(sure(2), 1); !slices.Equal(got, []int{0}) {
		t.Errorf("like 2: %v", got)
	}
	if got := s.nearest(sure(2), 20); len(got) != 5 {
		t.Errorf("of five texts: %v", got)
	}
	if got := s.nearest(sure(2), 3); !slices.Equal(got, []int{0, 1, 2}) { // one like it, then the first
		t.Errorf("of equal texts: %v", got)
	}
}

// Texts of many subjects, each with words of its own in an order of its own: a model of all
// of them knows little of one, and a reader who adapts finds its texts. Seeds are fixed.
func TestAnAdaptedReaderRecoversMore(t *testing.T) {
	const words, subjects = 300, 60
	table := firstWords(t, words)
	rng := rand.New(rand.NewPCG(1, 2))
	var own [subjects][]embedding.ID
	for k := range own {
		for range 8 {
			own[k] = append(own[k], embedding.ID(rng.IntN(words)))
		}
	}
	text := func(k int) (ids []embedding.ID) {
		for at := rng.IntN(8); len(ids) < 16; at++ {
			if rng.Float64() < 0.3 {
				at += rng.IntN(8)
			}
			ids = append(ids, own[k][at%8])
		}
		return ids
	}
	var public [][]embedding.ID
	for i := range 8 * subjects {
		public = append(public, text(i%subjects))
	}
	var sample []Text
	for i := range subjects {
		sample = append(sample, Text{Words: text(i % subjects)})
	}
	o := Options{Model: modelOf(t, table, public, 0), Among: 2, Seed: 3}
	channel := channelOf(t, table, 5)
	ngram, err := OfWords(t.Context(), channel, sample, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Adapted = &Adapted{Table: table, Texts: public}
	adapted, err := OfWords(t.Context(), channel, sample, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("in context: %.3f, adapted %.3f", ngram.InContext.Share, adapted.InContext.Share)
	if adapted.InContext.Share < ngram.InContext.Share+0.03 || adapted.Alone.Share != ngram.Alone.Share || adapted.Linked.Share != ngram.Linked.Share {
		t.Errorf("in context: %+v, adapted %+v", *ngram.InContext, *adapted.InContext)
	}
	// Where little is recovered, the texts that seem alike are like errors.
	noisy, plain := channelOf(t, table, 2), o
	plain.Adapted = nil
	want, err := OfWords(t.Context(), noisy, sample, plain)
	if err != nil {
		t.Fatal(err)
	}
	got, err := OfWords(t.Context(), noisy, sample, o)
	if err != nil {
		t.Fatal(err)
	}
	if want.InContext.Share > 0.2 || !slices.EqualFunc(want.Restored, got.Restored, slices.Equal) {
		t.Errorf("%.3f in context: a reader who expects that follows his errors to %.3f", want.InContext.Share, got.InContext.Share)
	}
	o.Adapted.Texts = nil
	if _, err := OfWords(t.Context(), channel, sample, o); err == nil {
		t.Error("a reader adapts without texts")
	}
}
