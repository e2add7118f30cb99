package corpus

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/sotto-dp/sotto/internal/nearest"
)

// A search by the index compares a vector with comparedPerText texts for each text of
// the set and 1/comparedShare of the corpus besides. Where that is 1/exactShare of the
// corpus or more it compares with all: an index saves little there.
const (
	comparedPerText = 4
	comparedShare   = 32
	exactShare      = 4
)

// indexTexts is the least number of texts per cluster, on average, in the clusters that
// an index uses: fewer would leave the blocks of a packed list half empty.
const indexTexts = 100

// ErrNoClusters is the error of Index for a corpus without clusters in its file.
var ErrNoClusters = errors.New("corpus: the file has no clusters")

// index is made when it is first needed.
type index struct {
	sync.Mutex
	lists  *nearest.Lists
	digest string
}

// Index builds the lists that Approximate searches, unless they exist: a second copy of the
// vectors, in the order of the clusters. It returns the SHA-256 of the clusters, in
// hexadecimal. The clusters are those in the corpus's file, and their centres do not depend
// on any private text.
func (c *Corpus) Index() (digest string, err error) {
	c.index.Lock()
	defer c.index.Unlock()
	if c.index.lists != nil {
		return c.index.digest, nil
	}
	count := c.card.indexClusters()
	if count == 0 {
		return "", ErrNoClusters
	}
	k, err := c.Clusters(context.Background(), count)
	if err != nil {
		return "", err
	}
	c.index.digest = k.Digest()
	c.index.lists = nearest.NewLists(c.table, k.table, k.of)
	return c.index.digest, nil
}

// indexClusters returns the size of the clustering that an index uses: the most clusters
// of indexTexts texts, or the fewest there are; 0 for none.
func (c *Card) indexClusters() int {
	fewest, most := math.MaxInt, 0
	for _, size := range c.clusterings() {
		fewest = min(fewest, size)
		if size <= c.Texts/indexTexts {
			most = max(most, size)
		}
	}
	switch {
	case most > 0:
		return most
	case fewest < math.MaxInt:
		return fewest
	}
	return 0
}

// Compared returns the number of texts that Approximate compares a vector with for a set
// of k: 4k + Len/32, or Len where that is a quarter of Len or more.
func (c *Corpus) Compared(k int) int {
	if compared := comparedPerText*k + c.Len()/comparedShare; k < c.Len() && compared < c.Len()/exactShare {
		return compared
	}
	return c.Len()
}

// Approximate appends, for each of the vectors, the indices of exactly k texts to dst, in
// ascending order: the nearest among Compared(k) texts. These are the texts of the clusters
// with the nearest centres, nearest first and ties by cluster number. Of the last cluster
// they are the texts with the lowest indices. So the set of a vector depends only on the
// corpus and that vector, and every vector is compared with the same number of texts.
func (c *Corpus) Approximate(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	if err := c.checkSearch(vectors, k); err != nil {
		return dst, err
	}
	if _, err := c.Index(); err != nil {
		return dst, err
	}
	compared := c.Compared(k)
	if compared == c.Len() {
		return c.table.Nearest(dst, vectors, k), nil
	}
	return c.index.lists.Nearest(dst, vectors, k, compared), nil
}
