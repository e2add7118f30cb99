package corpus

import (
	"context"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/sotto-dp/sotto/internal/stage"
)

var update = flag.Bool("update", false, "write english.clusters")

func TestEmbeddedCorpus(t *testing.T) {
	stage.Unraced(t)
	c, err := English()
	if err != nil {
		t.Fatal(err)
	}
	if c.Len() != 33254 || c.Name() != EnglishName || !c.Declared() || c.Digest() != EnglishDigest {
		t.Errorf("%d texts, %+v", c.Len(), c.Card())
	}
	list, err := os.ReadFile("gen/offensive.txt")
	if err != nil {
		t.Fatal(err)
	}
	hurts, words := strings.Fields(string(list)), regexp.MustCompile(`[a-z]+`)
	if !slices.IsSorted(hurts) {
		t.Error("the list of offensive words is not sorted")
	}
	for i := range c.Len() {
		text := c.Text(i)
		if len(strings.Fields(text)) < 4 || len(text) < 20 {
			t.Errorf("text %d is short: %s", i, text)
		}
		for _, word := range words.FindAllString(strings.ToLower(text), -1) {
			if _, found := slices.BinarySearch(hurts, word); found {
				t.Errorf("text %d has an offensive word: %s", i, text)
			}
		}
	}
}

// The corpus computed at start-up equals the one that a Builder makes from its texts.
func TestEmbeddedCorpusIsTheOneThatIsBuilt(t *testing.T) {
	stage.Unraced(t)
	c, err := English()
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, c.Len())
	for i := range texts {
		texts[i] = c.Text(i)
	}
	built := build(t, texts, Options{Name: EnglishName, Encoder: SIF, Table: tableOf(t), Public: true, Clusters: -1})
	if built.Digest() != c.Digest() {
		t.Errorf("built, its digest is %s", built.Digest())
	}
}

func BenchmarkEnglish(b *testing.B) {
	for b.Loop() {
		if _, err := makeEnglish(); err != nil {
			b.Fatal(err)
		}
	}
}

// lastRoundOf is the division of the sample that the last centres of k-means are means of.
func lastRoundOf(t *testing.T, c *Corpus, count int) []uint32 {
	t.Helper()
	d := c.vectors().Start(c.sample(count), count)
	for round := range clusterRounds {
		if round > 0 {
			d.Move()
		}
		if err := d.Assign(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return d.Of()
}

// The embedded clusters are those that are computed without them: for every size that
// synthesis can choose from, at every change for the first.
func TestEmbeddedClustersAreThoseThatAreComputed(t *testing.T) {
	c, err := English()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		var planes []byte
		for _, size := range ClusterSizes(c.Len()) {
			of := lastRoundOf(t, c, size)
			for _, shift := range []int{0, 8} {
				for _, x := range of {
					planes = append(planes, byte(x>>shift))
				}
			}
		}
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("english.clusters", w.EncodeAll(planes, nil), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	sizes := ClusterSizes(c.Len())
	if !stage.Runs(stage.Figures) {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		got, err := c.Clusters(t.Context(), size)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.kMeans(t.Context(), c.vectors(), size, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.centres, want.centres) || !slices.Equal(got.of, want.of) {
			t.Errorf("the %d embedded clusters are not those that are computed", size)
		}
	}
}

// Other sizes are computed, and damaged clusters are an error.
func TestEmbeddedClustersOfOtherSizes(t *testing.T) {
	c, err := English()
	if err != nil {
		t.Fatal(err)
	}
	if of, err := c.lastRound(7); of != nil || err != nil {
		t.Errorf("%d texts are stored for 7 clusters (%v)", len(of), err)
	}
	defer func(data string) { englishClusters = data }(englishClusters)
	englishClusters = englishClusters[:len(englishClusters)-1] + "x"
	if _, err := c.englishRounds(); err == nil {
		t.Error("damaged clusters are decoded")
	}
}

func BenchmarkEnglishClusters(b *testing.B) {
	c, err := English()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, size := range ClusterSizes(c.Len()) {
			if _, err := c.Clusters(context.Background(), size); err != nil {
				b.Fatal(err)
			}
		}
	}
}
