package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/mechanism"
)

// The counted chance is the sum over all pairs of outputs of the weights that are drawn from.
func TestPairsAreLinkedByTheirExactChance(t *testing.T) {
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(40)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var texts []attack.Text
	for range 9 {
		texts = append(texts, attack.Text{Words: []embedding.ID{embedding.ID(rng.IntN(40)), embedding.ID(rng.IntN(40))}})
	}
	texts = append(texts, attack.Text{Words: []embedding.ID{1}}) // has no pair
	for _, name := range []string{"neighbours k=5", "classes outputs=8"} {
		opened, err := (&private.Opener{}).Open(table, private.Setting{Name: name, Epsilon: 2})
		if err != nil {
			t.Fatal(err)
		}
		rows := map[embedding.ID][]float64{}
		for x := range embedding.ID(40) {
			total := uint64(0)
			weights := opened.Mechanism.(mechanism.Channel).Weights(nil, x)
			for _, w := range weights {
				total += w
			}
			for _, w := range weights {
				rows[x] = append(rows[x], float64(w)/float64(total))
			}
		}
		for _, among := range []int{3, 4, 200} {
			want, n := 0.0, min(among, 9)
			groups := 9 / n
			for g := range groups {
				for a := range 40 {
					for b := range 40 {
						best := 0.0
						for _, text := range texts[g*n : (g+1)*n] {
							best = max(best, rows[text.Words[0]][a]*rows[text.Words[1]][b])
						}
						want += best / float64(n*groups)
					}
				}
			}
			got, candidates, err := linkedPairs(opened.Mechanism.(shortcut.Levelled), 40, texts, among, rng)
			if err != nil || math.Abs(got-want) > 1e-9 || candidates != n {
				t.Errorf("%s among %d: %g of %d candidates (%v), want %g of %d", name, among, got, candidates, err, want, n)
			}
		}
	}
	if _, _, err := linkedPairs(nil, 40, texts[9:], 200, rng); err == nil {
		t.Error("texts without two words have pairs")
	}
}
