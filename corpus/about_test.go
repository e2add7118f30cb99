package corpus

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/text/about"
)

func opinionWords(t *testing.T, list string) *about.Words {
	t.Helper()
	w, err := about.Read([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func built(t *testing.T, w *about.Words) *Corpus {
	t.Helper()
	b, err := NewBuilder(Options{Name: "films", Public: true, Encoder: LSA, About: w, Similar: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		text := fmt.Sprintf("%s number %d about %s was %s", [...]string{"film", "play", "book"}[i%3], i, [...]string{"ships", "trains", "cooks", "kings", "bees"}[i%5], [...]string{"good", "bad", "long"}[i/15%3])
		if err := b.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestClustersAreCutAlongWordsForLabels(t *testing.T) {
	stage.Unraced(t)
	w := opinionWords(t, "no\tbad\nyes\tgood\n")
	c := built(t, w)
	k, err := c.Clusters(context.Background(), 10)
	if err != nil {
		t.Fatal(err)
	}
	both := map[int][2]int{}
	for i := range c.Len() {
		n := both[k.Of(i)]
		if text := c.Text(i); strings.HasSuffix(text, "good") {
			n[1]++
		} else if strings.HasSuffix(text, "bad") {
			n[0]++
		}
		both[k.Of(i)] = n
	}
	for cluster, n := range both {
		if n[0] > 0 && n[1] > 0 {
			t.Errorf("cluster %d has %d texts with bad and %d with good", cluster, n[0], n[1])
		}
	}
}

// A corpus that is cut afterwards is the one that is built so, and a file keeps its words.
func TestAlongGivesTheCorpusThatIsBuilt(t *testing.T) {
	stage.Unraced(t)
	w := opinionWords(t, "no\tbad\nyes\tgood\n")
	c, plain := built(t, w), built(t, nil)
	along, err := plain.Along(context.Background(), w, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if along.Digest() != c.Digest() || along.Digest() == plain.Digest() {
		t.Errorf("digest %.12s, built %.12s, without words %.12s", along.Digest(), c.Digest(), plain.Digest())
	}
	if plain.Words() != nil || along.Words().Digest() != w.Digest() || along.AboutDim() != aboutBins || plain.AboutDim() != 0 {
		t.Error("the words of a corpus are not those it was cut along")
	}
	if again, err := along.Along(context.Background(), w, nil, nil); err != nil || again != along {
		t.Errorf("the same words twice give %v", err)
	}
	if _, err := along.Along(context.Background(), opinionWords(t, "no\tbad\nyes\tfine\n"), nil, nil); err == nil {
		t.Error("a corpus is cut along two lists")
	}
	name := filepath.Join(t.TempDir(), "films.corpus")
	if err := c.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	opened, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	e, err := opened.Encoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Len() {
		if got := e.Encode(nil, []byte(c.Text(i))); !slices.Equal(got, c.Vector(nil, i)) {
			t.Fatalf("text %d has another vector by the encoder that was read", i)
		}
	}
}

func TestWordsForLabelsNeedAnEncoder(t *testing.T) {
	w := opinionWords(t, "no\tbad\nyes\tgood\n")
	vectors := func(v []float64, i int) error { v[0], v[1] = 1, float64(i); return nil }
	if _, err := NewBuilder(Options{Name: "x", Vectors: vectors, Dimensions: 2, About: w}); err == nil {
		t.Error("given vectors are cut along words")
	}
	b, err := NewBuilder(Options{Name: "x", Vectors: vectors, Dimensions: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add([]byte("a text")); err != nil {
		t.Fatal(err)
	}
	c, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Along(context.Background(), w, nil, nil); err == nil {
		t.Error("a corpus with given vectors is cut along words")
	}
}

func TestForgedWordsForLabelsAreRefused(t *testing.T) {
	card := EncoderCard{About: &AboutCard{Words: "no\tbad\nyes\tgood\n"}}
	card.About.SHA256 = opinionWords(t, card.About.Words).Digest()
	if _, err := card.aboutWords(); err != nil {
		t.Fatal(err)
	}
	card.About.Words = "no\tgood\nyes\tbad\n"
	if _, err := card.aboutWords(); err == nil {
		t.Error("words of another digest are read")
	}
}
