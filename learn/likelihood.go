package learn

import (
	"math"

	"github.com/sotto-dp/sotto/internal/simd/exponential"
	"github.com/sotto-dp/sotto/internal/simd/gemm"
)

// group is one released row: the rows whose mean softmax models it, the fraction of its
// releases that are informative, and its labels with their weights.
type group struct {
	members     []int32
	informative float64
	labels      []labelled
}

type labelled struct {
	class  int
	weight float64
}

// objective is the mean negative log-likelihood of groups plus the penalty ridge/2 |W|^2. It
// is for one goroutine.
type objective struct {
	*design
	groups []group
	used   []int32 // rows that are a member of a group, ascending
	prior  []float64
	ridge  float64
	total  float64 // weight of all labels

	chances, pulls []float32 // by row, one per class
	turned         []float32 // chances and pulls by class
	weights        []float32 // of dense features
	slopes         []float32
	mean, pull     []float32
}

func newObjective(d *design, prior []float64, groups []group) *objective {
	o := &objective{design: d, groups: groups, prior: prior}
	seen := make([]bool, d.rows)
	for _, g := range groups {
		for _, l := range g.labels {
			o.total += l.weight
		}
		for _, m := range g.members {
			seen[m] = true
		}
	}
	for i, yes := range seen {
		if yes {
			o.used = append(o.used, int32(i))
		}
	}
	o.chances, o.pulls, o.turned = make([]float32, d.rows*d.classes), make([]float32, d.rows*d.classes), make([]float32, d.rows*d.classes)
	o.weights, o.slopes = make([]float32, d.dim*d.classes), make([]float32, d.dim*d.classes)
	o.mean, o.pull = make([]float32, d.classes), make([]float32, d.classes)
	return o
}

// evaluate returns the objective at w, and its gradient in slope.
func (o *objective) evaluate(w, slope []float32) float64 {
	loss := o.loss(w)
	return loss/o.total + o.gradient(w, slope)
}

// loss returns the negative log-likelihood at w, without the penalty.
func (o *objective) loss(w []float32) float64 {
	o.softmax(w)
	clear(o.pulls)
	loss := 0.0
	for i := range o.groups {
		loss += o.add(&o.groups[i])
	}
	return loss
}

// softmax fills chances with the class probabilities of each used row.
func (o *objective) softmax(w []float32) {
	classes := o.classes
	for c := range classes {
		copy(o.weights[c*o.dim:(c+1)*o.dim], w[c*(o.dim+1):])
	}
	o.by.Multiply(gemm.Of(o.turned, classes, o.rows), gemm.Of(o.weights, classes, o.dim), false, 1)
	terms := w[o.fixed():]
	for _, i := range o.used {
		r := o.chances[int(i)*classes:][:classes]
		for c := range r {
			r[c] = o.turned[c*o.rows+int(i)] + w[c*(o.dim+1)+o.dim]
		}
		if o.scale != 0 {
			o.terms.addTo(r, terms, int(i), float32(o.scale))
		}
		most := float32(math.Inf(-1))
		for _, x := range r {
			most = max(most, x)
		}
		for c := range r {
			r[c] -= most
		}
	}
	exponential.Of(o.chances, 1, 0)
	for _, i := range o.used {
		r := o.chances[int(i)*classes:][:classes]
		sum := float32(0)
		for _, x := range r {
			sum += x
		}
		for c := range r {
			r[c] /= sum
		}
	}
}

// add returns the loss of one group and adds its derivatives with respect to the members'
// probabilities to pulls.
func (o *objective) add(g *group) (loss float64) {
	clear(o.mean)
	clear(o.pull)
	o.gather(g.members)
	each := 1 / float64(max(len(g.members), 1))
	for _, l := range g.labels {
		p := g.informative*float64(o.mean[l.class])*each + (1-g.informative)*o.prior[l.class]
		p = max(p, leastChance)
		loss -= l.weight * math.Log(p)
		o.pull[l.class] -= float32(l.weight * g.informative / p * each)
	}
	o.scatter(g.members)
	return loss
}

// gather sums the chances of members. A release has hundreds of them, so that two and four
// classes have loops of their own.
func (o *objective) gather(members []int32) {
	switch len(o.mean) {
	case 2:
		var s0, s1 float32
		for _, m := range members {
			own := (*[2]float32)(o.chances[2*int(m):])
			s0 += own[0]
			s1 += own[1]
		}
		o.mean[0], o.mean[1] = s0, s1
	case 4:
		var s0, s1, s2, s3 float32
		for _, m := range members {
			own := (*[4]float32)(o.chances[4*int(m):])
			s0 += own[0]
			s1 += own[1]
			s2 += own[2]
			s3 += own[3]
		}
		o.mean[0], o.mean[1], o.mean[2], o.mean[3] = s0, s1, s2, s3
	default:
		for _, m := range members {
			own := o.chances[int(m)*len(o.mean):][:len(o.mean)]
			for c := range o.mean {
				o.mean[c] += own[c]
			}
		}
	}
}

// scatter adds pull to those of members.
func (o *objective) scatter(members []int32) {
	switch len(o.pull) {
	case 2:
		p := [2]float32(o.pull)
		for _, m := range members {
			own := (*[2]float32)(o.pulls[2*int(m):])
			own[0] += p[0]
			own[1] += p[1]
		}
	case 4:
		p := [4]float32(o.pull)
		for _, m := range members {
			own := (*[4]float32)(o.pulls[4*int(m):])
			own[0] += p[0]
			own[1] += p[1]
			own[2] += p[2]
			own[3] += p[3]
		}
	default:
		for _, m := range members {
			own := o.pulls[int(m)*len(o.pull):][:len(o.pull)]
			for c, p := range o.pull {
				own[c] += p
			}
		}
	}
}

// leastChance keeps logarithms finite when a float32 probability is 0.
const leastChance = 1e-30

// gradient converts pulls to the gradient with respect to the parameters, and returns the
// penalty.
func (o *objective) gradient(w, slope []float32) (penalty float64) {
	classes := o.classes
	clear(slope)
	clear(o.turned)
	terms := slope[o.fixed():]
	for _, i := range o.used {
		p, g := o.chances[int(i)*classes:][:classes], o.pulls[int(i)*classes:][:classes]
		sum := float32(0)
		for c := range p {
			sum += p[c] * g[c]
		}
		for c := range p {
			g[c] = p[c] * (g[c] - sum)
			slope[c*(o.dim+1)+o.dim] += g[c]
			o.turned[c*o.rows+int(i)] = g[c]
		}
		if o.scale != 0 {
			o.terms.pull(terms, g, int(i), float32(o.scale))
		}
	}
	o.across.Multiply(gemm.Of(o.slopes, classes, o.dim), gemm.Of(o.turned, classes, o.rows), false, 1)
	for c := range classes {
		copy(slope[c*(o.dim+1):], o.slopes[c*o.dim:(c+1)*o.dim])
	}
	each, ridge := float32(1/o.total), float32(o.ridge)
	for c := range classes {
		from := c * (o.dim + 1)
		penalty += penalise(slope[from:from+o.dim], w[from:], each, ridge)
		slope[from+o.dim] *= each // a bias has no penalty
	}
	from := o.fixed()
	return penalty + penalise(slope[from:], w[from:], each, ridge)
}

// penalise scales slopes of the loss, adds those of the penalty, and returns the penalty.
func penalise(slope, w []float32, each, ridge float32) float64 {
	sum := 0.0
	for k := range slope {
		slope[k] = slope[k]*each + ridge*w[k]
		sum += float64(w[k] * w[k])
	}
	return float64(ridge) / 2 * sum
}
