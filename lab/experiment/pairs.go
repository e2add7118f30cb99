package experiment

import (
	"errors"
	"math/bits"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
)

// linkedPairs returns the chance that the likeliest of some pairs of adjacent words, one for each
// text that has two, is the one that was released, word by word. The sets are known, so it is
// counted, not drawn, for the places that rng chose in the texts. It is the mean over the whole
// groups of candidates. words is the number of words of the table.
func linkedPairs(m shortcut.Levelled, words int, texts []attack.Text, among int, rng *rand.Rand) (chance float64, candidates int, err error) {
	var pairs [][]embedding.ID
	for _, t := range texts {
		if n := len(t.Words); n >= 2 {
			at := rng.IntN(n - 1)
			pairs = append(pairs, t.Words[at:at+2])
		}
	}
	candidates = min(among, len(pairs))
	if candidates < 2 {
		return 0, 0, errors.New("experiment: fewer than two texts have two words")
	}
	groups := len(pairs) / candidates
	for g := range groups {
		chance += named(m, words, pairs[g*candidates:(g+1)*candidates]) / float64(groups)
	}
	return chance, candidates, nil
}

// named returns the chance that the likeliest of some pairs, each as likely, is the true one: the
// mean over them of the sum over outputs of the largest chance that one of them gives.
func named(m shortcut.Levelled, words int, pairs [][]embedding.ID) float64 {
	holders := map[embedding.ID][]int{} // of a first output: the pairs whose first set has it
	sets := make([]bitset, len(pairs))  // of second outputs
	seconds := newBitset(words)
	for i, pair := range pairs {
		for _, y := range m.Members(pair[0]) {
			holders[y] = append(holders[y], i)
		}
		sets[i] = newBitset(words)
		for _, y := range m.Members(pair[1]) {
			sets[i].add(y)
		}
		seconds.join(sets[i])
	}
	both := 0 // outputs that some pair has in its sets, first and second
	union := newBitset(words)
	for _, held := range holders {
		clear(union)
		for _, i := range held {
			union.join(sets[i])
		}
		both += union.count()
	}
	levels := m.Levels()
	none := (levels.Outputs - len(holders)) * (levels.Outputs - seconds.count()) // in no set of any pair
	one := levels.Outputs*levels.Outputs - none - both
	sum := float64(float64(both)*levels.Inside*levels.Inside) + float64(float64(one)*levels.Inside*levels.Outside) +
		float64(float64(none)*levels.Outside*levels.Outside)
	return sum / float64(len(pairs))
}

// bitset is a set of outputs.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) add(y embedding.ID) { s[y/64] |= 1 << (y % 64) }

func (s bitset) join(other bitset) {
	for i, w := range other {
		s[i] |= w
	}
}

func (s bitset) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
