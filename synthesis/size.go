package synthesis

import (
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
)

// The number of clusters is clip(epsilon n/(3 labels), leastClusters, M/clusterTexts)
// for n records and M public texts, so that a cell has about three times the scale of
// its noise.
const (
	perCell       = 3
	leastClusters = 10
	clusterTexts  = 8
)

// farShare is the share of the public texts that count as far from their centre.
const farShare = 0.05

// wanted returns the number of clusters for n records, as a real number.
func (p *Plan) wanted(n int64) float64 {
	return clustersFor(n, p.noise.perVote(), p.labels, p.o.Corpus.Len())
}

// clustersFor is wanted for a rate of the noise.
func clustersFor(n int64, rate float64, labels, texts int) float64 {
	c := float64(max(0, n)) * rate / float64(perCell*labels)
	return max(1, min(max(c, leastClusters), float64(texts)/clusterTexts))
}

// nearestSize returns the place of the size that is nearest by its ratio; the smaller of
// two equally near ones.
func nearestSize(sizes []int, wanted float64) int {
	best := 0
	for i, size := range sizes {
		if math.Abs(math.Log(float64(size)/wanted)) < math.Abs(math.Log(float64(sizes[best])/wanted)) {
			best = i
		}
	}
	return best
}

// choose returns the clustering for n records: by what the caller expects, or by the
// noisy count. It reads nothing else.
func (p *Plan) choose(n int64) int {
	if p.o.Expect > 0 {
		n = int64(p.o.Expect)
	}
	var sizes []int
	for _, k := range p.clusterings[:p.candidates] {
		sizes = append(sizes, k.Len())
	}
	return nearestSize(sizes, p.wanted(n))
}

// cluster opens the clusterings that may be chosen, and the one that decides what is
// far: that with about as many clusters as texts in a cluster.
func (p *Plan) cluster(ctx context.Context) error {
	c := p.o.Corpus
	sizes, middle := candidates(c, p.labels, p.o.Expect, p.noise.perVote())
	if len(sizes) == 0 {
		return privacy.Bad(Name, "combinations of labels", p.labels, "fewer, for a corpus with this many clusters")
	}
	p.candidates, p.reference = len(sizes), slices.Index(sizes, middle)
	if p.reference < 0 {
		p.reference, sizes = len(sizes), append(sizes, middle)
	}
	for i, size := range sizes {
		k, err := c.Clusters(ctx, size)
		if err != nil {
			return err
		}
		p.clusterings = append(p.clusterings, clustering{Clusters: k, texts: textsOf(k, c.Len())})
		p.o.Progress.Stage("opening clusters").At(i+1, len(sizes))
	}
	p.far = farBelow(c, p.clusterings[p.reference].Clusters)
	return nil
}

// candidates returns the sizes that may be chosen, ascending, and that of the clustering
// which decides what is far.
func candidates(c *corpus.Corpus, labels, expect int, rate float64) (sizes []int, middle int) {
	card := c.Card()
	sizes = slices.Clone(card.Clusterings)
	switch card.Clusters {
	case 0:
		sizes = corpus.ClusterSizes(c.Len())
	default:
		sizes = append(sizes, card.Clusters)
	}
	slices.Sort(sizes)
	middle = sizes[nearestSize(sizes, math.Sqrt(float64(c.Len())))]
	if expect > 0 {
		sizes = []int{sizes[nearestSize(sizes, clustersFor(int64(expect), rate, labels, c.Len()))]}
	}
	return fitting(sizes, labels), middle
}

// fitting leaves out the largest clusterings, so that all cells fit the memory.
func fitting(sizes []int, labels int) []int {
	cells := 0
	for i, size := range sizes {
		if cells += labels * size; cells > maxCells {
			return sizes[:i]
		}
	}
	return sizes
}

func textsOf(k *corpus.Clusters, texts int) [][]int32 {
	of := make([][]int32, k.Len())
	for i := range texts {
		of[k.Of(i)] = append(of[k.Of(i)], int32(i))
	}
	return of
}

// farBelow returns the score below which a text is far: the public texts that have a vector
// are, up to farShare of them.
func farBelow(c *corpus.Corpus, k *corpus.Clusters) int32 {
	var scores []int32
	var vector, centre []int8
	for i := range c.Len() {
		if vector = c.Vector(vector[:0], i); isZero(vector) {
			continue
		}
		centre = k.Centre(centre[:0], k.Of(i))
		scores = append(scores, score(vector, centre))
	}
	if len(scores) == 0 {
		return math.MinInt32
	}
	slices.Sort(scores)
	return scores[int(farShare*float64(len(scores)))]
}

// score is the inner product of two vectors on the grid.
func score(a, b []int8) int32 {
	sum := int32(0)
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

func isZero(v []int8) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
