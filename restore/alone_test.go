package restore_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/restore"
)

func TestGuessesAloneAreTheLikeliestWords(t *testing.T) {
	const words = 40
	table := small(t, words)
	m := trained(t, table, source{words, rand.New(rand.NewPCG(1, 2))}.texts(30, 8), 3)
	for _, member := range members {
		c := opened(t, table, member.name, member.epsilon, nil)
		all := make([]embedding.ID, words)
		for y := range all {
			all[y] = embedding.ID(y)
		}
		channel := columns(t, c, words, all)
		alone := restore.NewAlone(m, channel)
		for y := range all {
			chance := func(x int) (own, joint float64) {
				row := c.Weights(nil, embedding.ID(x))
				total := uint64(0)
				for _, w := range row {
					total += w
				}
				own = float64(row[y]) / float64(total)
				p, _ := m.Next(m.Empty(), embedding.ID(x))
				return own, math.Exp(p) * own
			}
			most := 0.0
			for x := range words {
				own, joint := chance(x)
				most = max(most, joint)
				if got := channel.Log([]embedding.ID{embedding.ID(x)}, []embedding.ID{embedding.ID(y)}); math.Abs(math.Exp(got)-own) > 1e-9 {
					t.Errorf("%s: P(%d|%d) is %g, want %g", member.name, y, x, math.Exp(got), own)
				}
			}
			if most == 0 { // no word becomes y
				continue
			}
			guess := alone.Guess(embedding.ID(y))
			if _, got := chance(int(guess)); got < most*(1-1e-9) {
				t.Errorf("%s: the guess %d from %d has %g, the best %g", member.name, guess, y, got, most)
			}
		}
		if got := channel.Log([]embedding.ID{1}, []embedding.ID{1, 2}); !math.IsInf(got, -1) {
			t.Errorf("%s: a text of another length has %g", member.name, got)
		}
	}
	best, blind := math.Inf(-1), restore.NewAlone(m, columns(t, opened(t, table, "response", 1, nil), words)).Blind()
	for x := range words {
		p, _ := m.Next(m.Empty(), embedding.ID(x))
		best = max(best, p)
	}
	if p, _ := m.Next(m.Empty(), blind); p < best {
		t.Error(fmt.Sprint("the blind guess has ", p, ", the likeliest word ", best))
	}
	// A word that is never guessed leaves its place to the next one.
	channel := columns(t, opened(t, table, "response", 0.1, nil), words, []embedding.ID{blind})
	if without := restore.NewAlone(m, channel, blind); without.Blind() == blind || without.Guess(blind) == blind {
		t.Error("a word is guessed that never is to be")
	}
}
