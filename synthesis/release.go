package synthesis

import (
	"math/rand/v2"

	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy/identity"
)

// Release holds noisy counts and public data. All its methods are post-processing and may
// be repeated.
type Release struct {
	plan       *Plan
	clustering int
	cells      []int64 // as counted, with noise; label-major, Other last
	records    *int64  // the noisy count; nil where Options.Expect was given
	near, far  int64
	projected  []float64       // cells, not negative, with the same sum
	given      bool            // the caller gave the source of the noise
	drawn      *identity.Drawn // what was drawn last; nil before
}

// Release adds noise to counts and returns the release. Counts are released once: a second
// release of the same counts would cost epsilon again, and is refused. A nil src means a
// secure source, or that of Options.InsecureSeed. A caller who must be able to repeat a
// release provides a source: its seed is as private as the counts, and the statement
// records that the caller chose the source.
//
// One clustering is released. The noisy count of the records, or Options.Expect, determines
// which.
func (p *Plan) Release(c *Counts, src rand.Source) (*Release, error) {
	switch {
	case c.plan != p:
		return nil, errOtherPlan
	case c.released:
		return nil, errReleased
	}
	c.released = true
	r := &Release{plan: p, given: src != nil}
	src = p.source(src, 0)
	n := int64(0)
	if p.drawn.count != nil {
		n = c.records + p.drawn.count.Draw(src)
		r.records = &n
	}
	r.near, r.far = c.near+p.drawn.far.Draw(src), c.far+p.drawn.far.Draw(src)
	r.clustering = p.choose(n)
	r.cells = make([]int64, p.cells(r.clustering))
	for i, count := range c.cells[r.clustering] {
		r.cells[i] = count + p.drawn.cell.Draw(src)
	}
	*c = Counts{plan: p, released: true}
	r.projected = project(r.cells)
	return r, nil
}

// clusters returns the clustering that was released.
func (r *Release) clusters() *clustering { return &r.plan.clusterings[r.clustering] }

// Counted returns what the released counts count.
func (r *Release) Counted() Counted { return r.plan.noise.counted() }

// RecordsNoisy returns the sum of the released counts, of what Counted says, not below 0.
func (r *Release) RecordsNoisy() int64 {
	sum := int64(0)
	for _, n := range r.cells {
		sum += n
	}
	return max(0, sum)
}

// source returns src, or the plan's own.
func (p *Plan) source(src rand.Source, stream uint64) rand.Source {
	if src == nil && p.o.InsecureSeed != nil {
		return noise.Seeded(*p.o.InsecureSeed, stream)
	}
	return noise.OrSecure(src)
}
