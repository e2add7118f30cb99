package attack_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// labelled returns rows of two numbers, of which the first tells the class, and classes.
func labelled(n int, seed uint64) (rows []float32, classes []int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for range n {
		k := rng.IntN(2)
		rows, classes = append(rows, float32(2*k-1), rng.Float32()), append(classes, k)
	}
	return rows, classes
}

func TestLabelsThatFeaturesTellAreFound(t *testing.T) {
	public, ofPublic := labelled(200, 1)
	sample, ofSample := labelled(50, 2)
	l := attack.Labels{Classes: []string{"a", "b"}, Public: ofPublic, Sample: ofSample}
	found, err := l.Guess(t.Context(), 2, public, sample)
	if err != nil || found.Share != 1 || found.Of != 50 || found.Low >= 1 {
		t.Errorf("labels that a feature states: %+v (%v)", found, err)
	}
	// Features of other texts say nothing: 25 of 50 with deviation 3.5, and the seeds are
	// fixed.
	other, _ := labelled(50, 3)
	if found, err := l.Guess(t.Context(), 2, public, other); err != nil || found.Share > 0.8 {
		t.Errorf("labels that the features do not state: %+v (%v)", found, err)
	}
	if _, err := l.Guess(t.Context(), 2, public, sample[:2]); err == nil {
		t.Error("features of fewer texts are taken")
	}
}

func TestTheBlindGuessIsTheMostFrequentPublicLabel(t *testing.T) {
	l := attack.Labels{Classes: []string{"a", "b", "c"}, Public: []int{0, 1, 1, 2}, Sample: []int{1, 1, 2, attack.Unlabelled}}
	if s := l.Blind(); s.Share != 0.5 || s.Of != 4 {
		t.Errorf("the blind guess is right for %+v", *s)
	}
}

func TestMeansAreOfTheWordsOfATextAlone(t *testing.T) {
	table := small(t, 20)
	rows := attack.Means(table, [][]embedding.ID{{3}, {}, {4, 5}}, nil)
	three := table.Vector(nil, 3)
	sum := table.Vector(table.Vector(nil, 4), 5)
	for k := range table.Dim() {
		if rows[k] != three[k] || rows[table.Dim()+k] != 0 || rows[2*table.Dim()+k] != (sum[k]/2+sum[table.Dim()+k]/2) {
			t.Fatalf("component %d is %v, %v and %v", k, rows[k], rows[table.Dim()+k], rows[2*table.Dim()+k])
		}
	}
	weights := make([]float64, 20)
	weights[4], weights[5] = 3, 1
	rows = attack.Means(table, [][]embedding.ID{{4, 5}, {6}}, weights)
	for k := range table.Dim() {
		want := float32((3*float64(sum[k]) + float64(sum[table.Dim()+k])) / 4)
		if rows[k] != want || rows[table.Dim()+k] != 0 {
			t.Fatalf("component %d is %v with weights, want %v; of a text without weight it is %v", k, rows[k], want, rows[table.Dim()+k])
		}
	}
}

// Releases of a reader's own texts use other draws than those of the sample.
func TestAReaderDrawsOnItsOwn(t *testing.T) {
	const words = 200
	table := small(t, words)
	entry, _ := catalog.Find("response")
	m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	own := texts(words, 60, 12, 2)
	w, err := attack.OfWords(t.Context(), m.(mechanism.Channel), sample(own), attack.Options{Model: trained(t, table, texts(words, 50, 12, 1)), Among: 4, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := attack.ReleaseWords(m.(mechanism.Channel), own, 5)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for i, y := range drawn {
		if slices.Equal(y, w.Released[i]) {
			same++
		}
	}
	if same > 0 || len(w.Released) != len(own) || len(w.Restored) != len(own) {
		t.Errorf("%d of %d releases are those of the sample", same, len(w.Released))
	}
}
