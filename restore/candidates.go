package restore

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/language"
)

// candidate is an edge from a node of the last position to a word.
type candidate struct {
	next   language.State
	word   embedding.ID
	from   int32
	place  uint32  // in the order of the candidates of from; 0 outside of search
	weight float64 // logarithm of P(word|state) P(output|word)
	score  float64 // weight and the logarithm of the weight of from
}

// candidates holds the best candidates: all, or at least a number of them.
type candidates struct {
	all    []candidate
	most   int     // 0: keep all
	least  float64 // candidates below are not among the best
	equal  bool    // some were left out that are as good as the last
	scores []float64

	// counts is a histogram of the scores by how far they are below top. The steps after
	// last cannot have one of the best.
	top    float64
	counts [256]int32
	last   int
	within int // scores in the steps up to last
}

// stepsPerUnit divides the unit of logarithms. It is a power of two and top is a multiple of
// a step, so that the limits of the steps are not rounded.
const stepsPerUnit = 8

// reset begins a position. The n best candidates are kept, or all if n is 0, of those from
// least on. Scores above top count as of the first step.
func (c *candidates) reset(n int, top, least float64) {
	c.all, c.most, c.least, c.equal = c.all[:0], n, least, false
	c.top = math.Ceil(top*stepsPerUnit) / stepsPerUnit
	clear(c.counts[:])
	c.last, c.within = len(c.counts)-1, 0
}

func (c *candidates) add(x candidate) {
	if x.score < c.least || math.IsInf(x.score, -1) {
		return
	}
	c.all = append(c.all, x)
	if c.most == 0 {
		return
	}
	c.count(x.score)
	if len(c.all) >= 4*c.most {
		c.cut(c.most)
	}
}

// count raises least as the histogram shows that enough scores are better.
func (c *candidates) count(score float64) {
	below := (c.top - score) * stepsPerUnit
	if below >= float64(c.last+1) {
		return
	}
	c.counts[max(0, int(below))]++
	c.within++
	for c.within-int(c.counts[c.last]) >= c.most {
		c.within -= int(c.counts[c.last])
		c.least = max(c.least, c.top-float64(c.last)/stepsPerUnit)
		c.last--
	}
}

// cut keeps the n best candidates, and more where scores are equal.
func (c *candidates) cut(n int) {
	if len(c.all) <= n {
		return
	}
	c.least = c.nth(n)
	kept, room := c.all[:0], n
	for _, x := range c.all {
		if x.score >= c.least {
			kept = append(kept, x)
		}
		if x.score > c.least {
			room--
		}
	}
	if len(kept) >= 2*n { // many equal ones: the first of them
		c.equal = true
		kept = slices.DeleteFunc(kept, func(x candidate) bool {
			if x.score == c.least {
				room--
			}
			return x.score == c.least && room < 0
		})
	}
	c.all = kept
}

// nth returns the n-th best score.
func (c *candidates) nth(n int) float64 {
	c.scores = c.scores[:0]
	from, to := math.Inf(-1), math.Inf(1) // in steps
	if n == c.most && c.within >= n {     // it is in the last one
		n -= c.within - int(c.counts[c.last])
		if to = float64(c.last + 1); c.last > 0 {
			from = float64(c.last)
		}
	}
	for i := range c.all {
		if below := (c.top - c.all[i].score) * stepsPerUnit; below >= from && below < to {
			c.scores = append(c.scores, -c.all[i].score)
		}
	}
	return -selection.Select(c.scores, n)
}
