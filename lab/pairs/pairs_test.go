package pairs

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
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
			got, candidates, err := Linked(opened.Mechanism.(mechanism.Channel), texts, among, rng)
			if err != nil || math.Abs(got-want) > 1e-9 || candidates != n {
				t.Errorf("%s among %d: %g of %d candidates (%v), want %g of %d", name, among, got, candidates, err, want, n)
			}
		}
	}
	if _, _, err := Linked(nil, texts[9:], 200, rng); err == nil {
		t.Error("texts without two words have pairs")
	}
}

// even has two chances, of another outside of its set in each row; uneven has three.
type even struct{ mechanism.Channel }

func (even) Weights(dst []uint64, x embedding.ID) []uint64 { return append(dst, 9, 1+uint64(x)) }

type uneven struct{ mechanism.Channel }

func (uneven) Weights(dst []uint64, _ embedding.ID) []uint64 { return append(dst, 1, 2, 3) }

func TestPairsOfOtherChannelsAreRefused(t *testing.T) {
	texts := []attack.Text{{Words: []embedding.ID{0, 1}}, {Words: []embedding.ID{1, 0}}}
	for want, m := range map[string]mechanism.Channel{"different chances": even{}, "more than two chances": uneven{}} {
		if _, _, err := Linked(m, texts, 2, rand.New(rand.NewPCG(1, 2))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a channel with %s: %v", want, err)
		}
	}
}
