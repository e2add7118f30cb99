package attack

import (
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/restore"
)

// Linkage is the share of releases that are linked to their own text among some texts.
type Linkage struct {
	Among int `json:"among"`
	Share
}

// also links the releases of some texts among other numbers of candidates.
func also(o Options, texts int, link func(among int) *Share) (all []Linkage, err error) {
	for _, among := range o.Also {
		if among, err = candidates(among, texts); err != nil {
			return nil, err
		}
		all = append(all, Linkage{among, *link(among)})
	}
	return all, nil
}

// candidates returns the number of candidates among some texts.
func candidates(among, texts int) (int, error) {
	if among < 2 {
		return 0, privacy.Bad("attack", "among", among, "at least 2")
	}
	return min(among, texts), nil
}

// linkTexts counts the texts that the likelihoods of their releases name among their candidates:
// runs of texts in an order that does not depend on theirs, since texts of one subject are often
// together. Ties are broken at random.
func linkTexts(c *restore.Channel, originals, outputs [][]embedding.ID, among int, rng *rand.Rand) *Share {
	n := len(originals)
	order := rand.New(rand.NewPCG(uint64(n), 0)).Perm(n) // the same for all mechanisms and seeds
	hits := 0
	var scores []float64
	for place, i := range order {
		from := min(place/among*among, n-among)
		scores = scores[:0]
		for _, j := range order[from : from+among] {
			scores = append(scores, c.Log(originals[j], outputs[i]))
		}
		if from+best(scores, rng) == place {
			hits++
		}
	}
	return exact(hits, len(outputs))
}

// linkPairs is linkTexts for two adjacent words of each text that has two.
func linkPairs(c *restore.Channel, originals, outputs [][]embedding.ID, among int, rng *rand.Rand) *Share {
	var pairs, released [][]embedding.ID
	for i, x := range originals {
		if len(x) < 2 {
			continue
		}
		at := rng.IntN(len(x) - 1)
		pairs, released = append(pairs, x[at:at+2]), append(released, outputs[i][at:at+2])
	}
	if len(pairs) < 2 {
		return nil
	}
	return linkTexts(c, pairs, released, min(among, len(pairs)), rng)
}

// best returns the index of the largest score. It breaks ties at random.
func best(scores []float64, rng *rand.Rand) int {
	most := slices.Max(scores)
	ties := 0
	at := 0
	for i, s := range scores {
		if s == most {
			if ties++; rng.IntN(ties) == 0 {
				at = i
			}
		}
	}
	return at
}
