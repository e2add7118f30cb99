package corpus

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/corpus/internal/kmeans"
	"github.com/sotto-dp/sotto/internal/nearest"
	"github.com/sotto-dp/sotto/internal/simd/inner"
	"github.com/sotto-dp/sotto/progress"
)

// DefaultClusters returns the number of clusters that a Builder stores for n texts: the
// square root, and none for fewer than 64 texts.
func DefaultClusters(n int) int {
	if n < 64 {
		return 0
	}
	return min(int(math.Round(math.Sqrt(float64(n)))), MaxClusters)
}

// The sizes of the clusterings that a corpus has for synthesis: leastSize, doubled while
// each cluster has clusterTexts texts on average, and up to mostSize, which takes minutes
// for a million texts.
const (
	leastSize    = 10
	mostSize     = leastSize << 9
	clusterTexts = 8
)

// ClusterSizes returns the sizes of the clusterings of a corpus of n texts that synthesis
// can choose from, ascending; it is never empty. A Builder stores them, and one of
// DefaultClusters, for 64 or more texts.
func ClusterSizes(n int) []int {
	most := max(1, n/clusterTexts)
	sizes := []int{min(leastSize, most)}
	for size := 2 * leastSize; size <= min(most, mostSize); size *= 2 {
		sizes = append(sizes, size)
	}
	return sizes
}

const (
	clusterRounds = 12
	clusterSample = 256 // largest number of texts per cluster on which the centres are fitted
	clusterSeed   = 1
)

// Clusters divides the texts of a corpus by their nearest centre. It is made from public
// data only. It is safe for concurrent use.
type Clusters struct {
	centres []int8
	of      []uint32
	table   *nearest.Table
	dim     int
}

// Len returns the number of clusters.
func (c *Clusters) Len() int { return len(c.centres) / c.dim }

// Of returns the cluster of text i.
func (c *Clusters) Of(i int) int { return int(c.of[i]) }

// Centre appends the grid vector of the centre of cluster i to dst.
func (c *Clusters) Centre(dst []int8, i int) []int8 {
	return append(dst, c.centres[i*c.dim:(i+1)*c.dim]...)
}

// Assign appends, for each of the vectors (rows of the corpus's number of components),
// the cluster with the nearest centre to dst. Of equally near centres it takes the first.
func (c *Clusters) Assign(dst []uint32, vectors []int8) []uint32 {
	return c.table.Nearest(dst, vectors, 1)
}

// Clusters divides the texts into count clusters, 1 to Len, by spherical k-means on the
// grid. The same count gives the same clusters on every machine. Clusters stored in the
// file are not computed again.
func (c *Corpus) Clusters(ctx context.Context, count int) (*Clusters, error) {
	if count < 1 || count > min(c.Len(), MaxClusters) {
		return nil, fmt.Errorf("corpus: clusters must be 1 to %d, got %d", min(c.Len(), MaxClusters), count)
	}
	centres, texts := c.content[sectionCentres], c.content[sectionClusters]
	for _, size := range c.card.clusterings() {
		if size == count {
			k := newClusters(signed(centres[:size*c.Dim()]), c.Dim())
			for i := range c.Len() {
				k.of = append(k.of, binary.LittleEndian.Uint32(texts[4*i:]))
			}
			return k, nil
		}
		centres, texts = centres[size*c.Dim():], texts[4*c.Len():]
	}
	if of, err := c.lastRound(count); err != nil {
		return nil, err
	} else if of != nil {
		d := c.vectors().Start(c.sample(count), count)
		d.Resume(of)
		return c.divide(ctx, d)
	}
	return c.kMeans(ctx, c.vectors(), count, nil)
}

// lastRound returns the clusters of the sample that the last centres are means of, nil where
// they are not stored.
func (c *Corpus) lastRound(count int) ([]uint32, error) {
	if c.lastRounds == nil {
		return nil, nil
	}
	rounds, err := c.lastRounds()
	return rounds[count], err
}

func signed(data []byte) []int8 {
	v := make([]int8, len(data))
	for i, x := range data {
		v[i] = int8(x)
	}
	return v
}

func newClusters(centres []int8, dim int) *Clusters {
	packed := inner.NewBlocks(len(centres)/dim, dim)
	for i := range len(centres) / dim {
		inner.Set(packed, i, centres[i*dim:(i+1)*dim])
	}
	return &Clusters{centres: centres, table: nearest.New(packed, len(centres)/dim, dim), dim: dim}
}

// kMeans starts from texts drawn with a fixed seed and moves each centre to the mean of
// its texts.
func (c *Corpus) kMeans(ctx context.Context, vectors *kmeans.Vectors, count int, report progress.Func) (*Clusters, error) {
	sample := c.sample(count)
	d := vectors.Start(sample, count)
	for round := range clusterRounds {
		if err := d.Assign(ctx); err != nil {
			return nil, err
		}
		d.Move()
		report.At(round+1, clusterRounds+1)
	}
	k, err := c.divide(ctx, d)
	report.At(clusterRounds+1, clusterRounds+1)
	return k, err
}

// vectors returns the vectors of the texts for kMeans.
func (c *Corpus) vectors() *kmeans.Vectors {
	return kmeans.New(c.content[sectionVectors], c.Len(), c.Dim())
}

// sample returns the texts on which the centres are fitted. They start at the first
// count of them.
func (c *Corpus) sample(count int) []int {
	order := rand.New(rand.NewPCG(clusterSeed, uint64(count))).Perm(c.Len())
	return order[:min(c.Len(), count*clusterSample)]
}

// divide assigns all texts to their nearest centres.
func (c *Corpus) divide(ctx context.Context, d *kmeans.Division) (*Clusters, error) {
	k := newClusters(d.Centres(), c.Dim())
	k.of = make([]uint32, c.Len())
	if d.Len() < c.Len() {
		d = d.All()
	}
	err := d.Assign(ctx)
	d.Each(func(text int, centre uint32) { k.of[text] = centre })
	return k, err
}

// cluster stores the clusters that the options ask for.
func (c *Corpus) cluster(ctx context.Context, o *Options) error {
	sizes := []int{min(o.Clusters, c.Len())}
	switch {
	case o.Clusters < 0 || o.Clusters == 0 && DefaultClusters(c.Len()) == 0:
		return nil
	case o.Clusters == 0:
		sizes[0] = DefaultClusters(c.Len())
		for _, size := range ClusterSizes(c.Len()) {
			if size != sizes[0] {
				sizes = append(sizes, size)
			}
		}
	}
	c.card.Clusters, c.card.Clusterings = sizes[0], sizes[1:]
	report := o.Progress.Stage("finding clusters")
	done, total := 0, 0
	for _, size := range sizes {
		total += size
	}
	c.content[sectionCentres] = make([]byte, 0, total*c.Dim())
	c.content[sectionClusters] = make([]byte, 0, len(sizes)*4*c.Len())
	vectors := c.vectors()
	for _, size := range sizes {
		k, err := c.kMeans(ctx, vectors, size, func(r progress.Report) { report.At(done+size*r.Done/r.Total, total) })
		if err != nil {
			return err
		}
		done += size
		for _, x := range k.centres {
			c.content[sectionCentres] = append(c.content[sectionCentres], byte(x))
		}
		for _, i := range k.of {
			c.content[sectionClusters] = binary.LittleEndian.AppendUint32(c.content[sectionClusters], i)
		}
	}
	return nil
}

const encodedAtOnce = 256 // texts per block
