package synthesis

import (
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/interval"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Attack configures a membership inference: an attacker who knows all records except those
// of one unit, the canary, decides from a release whether the canary took part.
type Attack struct {
	Releases int     // of either kind, with and without the canary
	Alarm    float64 // probability that EpsilonLow exceeds the true loss
	Progress progress.Func
}

// Membership is the result of an attack.
type Membership struct {
	Releases int `json:"releases"`
	// EpsilonLow is a lower bound on the true epsilon, at the claim's delta, with a
	// confidence of 1 - Attack.Alarm: the larger of EventLow and what MuLow implies.
	EpsilonLow float64 `json:"epsilon_low"`
	Confidence float64 `json:"confidence"`
	// Caught and Mistaken are the shares of releases in which the event that gives
	// EpsilonLow occurs: Caught in the world where it is likelier, and Mistaken in the
	// other.
	Caught   float64 `json:"caught"`
	Mistaken float64 `json:"mistaken"`
	// EventLow is the bound ln((p - delta)/q) of one event. It assumes nothing about the
	// noise, and is 0 if the event shows no loss.
	EventLow float64 `json:"epsilon_low_event"`
	// MuLow is a lower bound on the distance of the two worlds' histograms, in standard
	// deviations, if the plan has Gaussian noise; otherwise 0.
	MuLow float64 `json:"mu_low,omitempty"`
	// Assumption is [AssumesGaussian] if EpsilonLow follows from MuLow, and otherwise
	// empty.
	Assumption string `json:"assumption,omitempty"`
}

// AssumesGaussian states that a bound assumes Gaussian noise. An attack on one event does
// not assume it.
const AssumesGaussian = "gaussian-noise"

// Attack makes releases of public texts with and without a canary. It distinguishes them by
// the likelihood ratio of everything that is released, which is the optimal statistic
// (Neyman and Pearson). One half of the releases chooses the event, and the event is
// counted in the other half. Bounds on the probabilities of an event are those of Clopper
// and Pearson (1934).
//
// With Gaussian noise this attack finds little, because at a small delta only rare events
// come close to the claim. A second attack then bounds the whole trade-off curve by one
// point of it (Nasr et al. 2023, "Tight auditing of differentially private machine
// learning"): see [gaussianAttack]. Each of the two has half of the false-positive rate.
func (p *Plan) Attack(ctx context.Context, a Attack) (Membership, error) {
	m := Membership{Releases: a.Releases, Confidence: 1 - a.Alarm}
	switch {
	case a.Releases < 100:
		return m, privacy.Bad(Name, "releases", a.Releases, "at least 100")
	case !(a.Alarm > 0 && a.Alarm < 1):
		return m, privacy.Bad(Name, "alarm", a.Alarm, "in (0, 1)")
	}
	without, with := p.worlds()
	ratios, sums := [2][]float64{}, make([]gaussianAttack, p.candidates)
	for k := range sums {
		sums[k].variance, sums[k].changed = p.noise.variance, changed(without.cells[k], with.cells[k])
	}
	for i := range a.Releases {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		a.Progress.Stage("releasing").At(i, a.Releases)
		for world, counts := range []*Counts{without, with} {
			r, err := p.Release(counts.clone(), noise.Secure())
			if err != nil {
				return m, err
			}
			ratios[world] = append(ratios[world], r.likelihood(with)-r.likelihood(without))
			sums[r.clustering].sums[world] = append(sums[r.clustering].sums[world], r.along(without, with))
		}
	}
	if p.noise.variance > 0 {
		a.Alarm /= 2
	}
	d := p.event(ratios, a.Alarm)
	m.EventLow = max(0, epsilonLow(d))
	m.EpsilonLow, m.Caught, m.Mistaken = m.EventLow, d.share(0), d.share(1)
	if p.noise.variance > 0 {
		g := mostReleases(sums)
		var event decisions
		m.MuLow, event = g.bound(a.Alarm)
		if e := gaussianEpsilon(m.MuLow, p.Claim().Delta); e > m.EpsilonLow {
			m.EpsilonLow, m.Assumption = e, AssumesGaussian
			m.Caught, m.Mistaken = event.share(0), event.share(1)
		}
	}
	return m, nil
}

// event chooses an event by one half of the releases, and counts it in the other.
func (p *Plan) event(ratios [2][]float64, alarm float64) decisions {
	n := len(ratios[0])
	half := n / 2
	best := math.Inf(-1)
	threshold, below := 0.0, false
	for _, low := range []bool{false, true} {
		for _, t := range thresholds(ratios[0][:half], ratios[1][:half], 200) {
			if e := epsilonLow(p.decide(ratios, t, low, 0, half, alarm)); e > best {
				best, threshold, below = e, t, low
			}
		}
	}
	return p.decide(ratios, threshold, below, half, n, alarm)
}

// worlds returns the counts of some public texts, without and with the canary: the
// records of one unit whose loss is the largest. For Laplace noise they all vote for one
// cell; for Gaussian noise, each for its own, as far as there are cells.
func (p *Plan) worlds() (without, with *Counts) {
	c := p.o.Corpus
	record := func(i, label int) Record {
		r := Record{Text: c.AppendText(nil, i%c.Len())}
		for _, value := range p.label(nil, label%p.labels) {
			r.Labels = append(r.Labels, []byte(value))
		}
		if p.o.Brought {
			for _, x := range c.Vector(nil, i%c.Len()) {
				r.Vector = append(r.Vector, float64(x))
			}
		}
		return r
	}
	var others, canary []Record
	for i := range min(c.Len(), 200) {
		r := record(i, i)
		r.User = []byte{byte(i), 'o'}
		others = append(others, r)
	}
	likely := p.choose(int64(len(others))) // the clustering that most releases will have
	seen := map[uint32]bool{}
	for i := 0; len(canary) < p.noise.votes; i++ {
		r := record(i/p.labels, i)
		r.User = []byte("canary")
		if p.noise.variance > 0 && i < c.Len()*p.labels {
			v := p.Vote([]Record{r})
			cell := uint32(max(0, v.rows[0].label))*uint32(p.clusterings[likely].Len()) + v.clusters[likely]
			if v.rows[0].label == other || seen[cell] {
				continue
			}
			seen[cell] = true
		} else if p.noise.variance == 0 && len(canary) > 0 {
			r = canary[0]
		}
		canary = append(canary, r)
	}
	without, with = p.NewCounts(), p.NewCounts()
	without.Add(p.Vote(others))
	with.Add(p.Vote(others))
	with.Add(p.Vote(canary))
	return without, with
}

// clone returns counts with the same numbers, which are released once too.
func (c *Counts) clone() *Counts {
	d := &Counts{plan: c.plan, records: c.records, near: c.near, far: c.far}
	for _, cells := range c.cells {
		d.cells = append(d.cells, slices.Clone(cells))
	}
	return d
}

// likelihood returns the logarithm of the probability of a release, up to a term that is
// the same for all counts.
func (r *Release) likelihood(c *Counts) float64 {
	s := &r.plan.noise
	far := func(x, y int64) float64 { return math.Abs(float64(x - y)) }
	log := float64(-s.rate(s.far) * (far(r.near, c.near) + far(r.far, c.far)))
	if r.records != nil {
		log -= float64(s.rate(s.count) * far(*r.records, c.records))
	}
	for i, n := range c.cells[r.clustering] {
		d := far(r.cells[i], n)
		if s.variance > 0 {
			log -= d * d / (2 * float64(s.variance))
		} else {
			log -= float64(s.rate(s.histogram) * d)
		}
	}
	return log
}

// thresholds returns some of the numbers, at most this many, evenly spaced among all.
func thresholds(without, with []float64, most int) []float64 {
	all := append(slices.Clone(without), with...)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) <= most {
		return all
	}
	some := make([]float64, most)
	for i := range some {
		some[i] = all[i*len(all)/most]
	}
	return some
}

// decisions count how often an event occurs in the world where it is likelier, and in the
// other.
type decisions struct {
	hits         [2]int
	n            int
	delta, alarm float64
}

// decide counts the releases from one to another whose ratio is at least t, or, where
// below is set, less than it: then the event is likelier without the canary.
func (p *Plan) decide(ratios [2][]float64, t float64, below bool, from, to int, alarm float64) decisions {
	d := decisions{n: to - from, delta: p.Claim().Delta, alarm: alarm}
	for i := from; i < to; i++ {
		for world := range ratios {
			if (ratios[world][i] < t) == below {
				likelier := 1
				if below {
					likelier = 0
				}
				if world == likelier {
					d.hits[0]++
				} else {
					d.hits[1]++
				}
			}
		}
	}
	return d
}

func (d decisions) share(i int) float64 { return float64(d.hits[i]) / float64(d.n) }

// epsilonLow returns the bound ln((p - delta)/q), for the lower bound of p and the upper
// bound of q, each of which fails with half the chance.
func epsilonLow(d decisions) float64 {
	p := interval.AtLeast(d.hits[0], d.n, d.alarm/2) - d.delta
	q := interval.AtMost(d.hits[1], d.n, d.alarm/2)
	if !(p > 0) {
		return math.Inf(-1)
	}
	return math.Log(p / q)
}
