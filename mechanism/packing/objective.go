package packing

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/privacy"
)

// Objective is what packing's search maximises. It affects the channel's
// utility, never its guarantee.
type Objective struct {
	// Distance in [0, 1] is the weight of the expected distance, relative to the
	// mean distance of two words; the unchanged rate has the rest.
	Distance float64
	// Prior is how likely each word of the table is in the intended texts, on
	// any positive scale; nil means uniform. It must be public.
	Prior []float64
	// Least is the least probability with which any word stays. A positive value lets every
	// word be an output.
	Least float64
}

func (o Objective) check(words int) error {
	switch {
	case !(o.Distance >= 0 && o.Distance <= 1):
		return privacy.Bad("packing", "distance", o.Distance, "in [0, 1]")
	case !(o.Least >= 0 && o.Least < 1):
		return privacy.Bad("packing", "least", o.Least, "in [0, 1)")
	case o.Prior != nil && len(o.Prior) != words:
		return fmt.Errorf("packing: the prior has %d words, the table has %d", len(o.Prior), words)
	}
	sum := 0.0
	for _, v := range o.Prior {
		if !(v >= 0) || math.IsInf(v, 1) {
			return privacy.Bad("packing", "prior", v, "not negative and finite")
		}
		sum += v
	}
	if o.Prior != nil && !(sum > 0) {
		return fmt.Errorf("packing: the prior gives no word any weight")
	}
	return nil
}

// key identifies the objective in cache keys; "" is the default.
func (o Objective) key() string {
	if o.Distance == 0 && o.Least == 0 && o.Prior == nil {
		return ""
	}
	return parameters.Key(append([]float64{o.Distance, o.Least}, o.Prior...)...)
}

// likely returns the prior of each class of words, of mean 1.
func (o Objective) likely(d *distances) []float64 {
	p := make([]float64, d.n())
	if o.Prior == nil {
		for i := range p {
			p[i] = 1
		}
		return p
	}
	sum := 0.0
	for w, v := range o.Prior {
		p[d.class[w]] += v
		sum += v
	}
	for i := range p {
		p[i] *= float64(len(p)) / sum
	}
	return p
}

// reweighings reports how often a search is repeated with new weights.
func (o Objective) reweighings() int {
	if o.Distance == 0 {
		return 0
	}
	return 3
}
