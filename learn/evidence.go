package learn

import (
	"context"
	"math"
	"slices"
)

// What public knowledge counts for at most beside releases of single texts, of which it is
// independent evidence, beside those in cells, and in cells that are cut along the same words:
// these know them already, and the more of it the smaller the noise. Chosen on development texts
// of seven sets at epsilons from 0.25 to 4. Fits that begin with these scores instead gain over
// corpora of the set itself, and lose over those of fields.
const (
	mostBeside      = 1
	mostBesideCells = 0.5
	mostAlong       = 0.25  // up to an epsilon of 0.5
	along           = 0.125 // at an epsilon of 1; less in proportion above it
)

// most returns what public knowledge counts for at most beside the cells.
func (r Releases) most() float64 {
	if !r.Along {
		return mostBesideCells
	}
	return min(mostAlong, along/r.Epsilon)
}

// hearings is the number of weights above 0 that public knowledge is given to choose from.
const hearings = 16

// evidence returns what public knowledge says for each class, whatever the share of the class
// among the public texts that it was learnt from: that says nothing about private ones.
func (m *Model) evidence() *Model {
	e := *m
	e.Weights = slices.Clone(m.Weights)
	for c, share := range m.Prior {
		if share > 0 { // else none of these texts had the class
			e.Weights[c*(m.Dim+1)+m.Dim] -= float32(math.Log(share))
		}
	}
	return &e
}

// hearing weighs public knowledge by the labels of groups.
type hearing struct {
	*objective
	base, evidence []float64 // by row, one per class: log chances without it, and what it says
}

// hear prepares a hearing. Without public knowledge all rows have the shares of the labels.
func (f *fitter) hear(e *Model) *hearing {
	h := &hearing{objective: newObjective(&design{rows: f.design.rows, classes: f.design.classes}, f.prior, f.groups)}
	for i := range h.rows {
		r := f.data.Row(i)
		for c, share := range f.prior {
			h.base = append(h.base, math.Log(max(share, leastChance)))
			h.evidence = append(h.evidence, e.score(c, r))
		}
	}
	return h
}

// losses returns the loss of each group with a weight of the evidence.
func (h *hearing) losses(weight float64) []float64 {
	for _, i := range h.used {
		at := int(i) * h.classes
		most, sum := math.Inf(-1), 0.0
		for c := range h.classes {
			most = max(most, h.base[at+c]+float64(weight*h.evidence[at+c]))
		}
		for c := range h.classes {
			chance := math.Exp(h.base[at+c] + float64(weight*h.evidence[at+c]) - most)
			h.chances[at+c] = float32(chance)
			sum += chance
		}
		for c := range h.classes {
			h.chances[at+c] /= float32(sum)
		}
	}
	all := make([]float64, len(h.groups))
	for i := range h.groups {
		all[i] = h.add(&h.groups[i])
	}
	return all
}

// gap returns how much larger some losses are than others of the same groups, and the
// standard error of that.
func gap(larger, smaller []float64) (more, err float64) {
	for i := range larger {
		d := larger[i] - smaller[i]
		more, err = more+d, err+float64(d*d)
	}
	return more, math.Sqrt(err)
}

// best returns the weight in [0, 1] at which the losses are least, and these.
func (h *hearing) best() (at float64, losses []float64) {
	losses = h.losses(0)
	for i := range hearings {
		weight := float64(i+1) / hearings
		own := h.losses(weight)
		if more, _ := gap(own, losses); more < 0 {
			at, losses = weight, own
		}
	}
	return at, losses
}

// allowed returns the largest weight up to most that the labels of a release do not speak
// against: at which public knowledge alone is not worse than at its best weight by more than
// two standard errors. What a release says of texts is blurred by noise and by cells, so that
// a held-out loss of both together asks for less than is best for texts as they are.
func (h *hearing) allowed(most float64) float64 {
	at, least := h.best()
	for weight := most; weight > at; weight -= 1.0 / hearings {
		if more, err := gap(h.losses(weight), least); more <= 2*err {
			return weight
		}
	}
	return min(at, most)
}

// gains returns the best weight beside what was learnt, or 0 if it is better than none by no
// more than its standard error.
func (h *hearing) gains() float64 {
	at, least := h.best()
	if more, err := gap(h.losses(0), least); more > err {
		return at
	}
	return 0
}

// beside adds public knowledge to what was learnt. Labels of single texts show what it adds to
// a model of other texts.
func (f *fitter) beside(ctx context.Context, m *Model) error {
	e := f.options.Knowledge.evidence()
	h := f.hear(e)
	switch released := f.data.Origins != nil || !f.data.Channel.IsNone(); {
	case f.inCells(): // which may be cut along the words, at any epsilon
		m.believe(e, h.allowed(along))
	case released || f.options.Folds < 2:
		m.believe(e, h.allowed(mostBeside))
	default:
		kept, held := split(f.groups, 0, f.options.Folds, false)
		w, err := f.path(ctx, kept, f.grid)
		if err != nil {
			return err
		}
		alone := newObjective(f.design, f.prior, held)
		alone.loss(w)
		h.objective = newObjective(h.design, f.prior, held)
		for _, i := range alone.used {
			for c := int(i) * h.classes; c < (int(i)+1)*h.classes; c++ {
				h.base[c] = math.Log(max(float64(alone.chances[c]), leastChance))
			}
		}
		m.believe(e, h.gains())
	}
	if m.Terms != nil {
		m.Vocabulary = f.data.Vocabulary
	}
	return nil
}

// believe adds evidence with a weight.
func (m *Model) believe(e *Model, weight float64) {
	m.Knowledge = weight
	m.Weights, m.Terms = sum(m.Weights, e.Weights, float32(weight)), sum(m.Terms, e.Terms, float32(weight))
}
