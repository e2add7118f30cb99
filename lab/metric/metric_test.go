package metric

import (
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// words numbers the words of a text by their first letters.
func words(text string) []embedding.ID {
	var ids []embedding.ID
	numbers := map[string]embedding.ID{}
	for _, w := range strings.Fields(text) {
		id := embedding.ID(0)
		for _, r := range w {
			id = id*31 + embedding.ID(r)
		}
		numbers[w] = id
		ids = append(ids, id)
	}
	return ids
}

func equal(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %.10f, want %.10f", what, got, want)
	}
}

func TestOverlapsByHand(t *testing.T) {
	// Lin 2004, section 2's example of unigrams: "police killed the gunman" against
	// "police kill the gunman" shares 3 of 4 words on both sides.
	gunman := words("police killed the gunman")
	equal(t, "ROUGE-1", Rouge1(gunman, words("police kill the gunman")), 0.75)
	equal(t, "ROUGE-1 of other lengths", Rouge1(gunman, words("the the police")), 2*2.0/7)
	equal(t, "ROUGE-1 of nothing shared", Rouge1(gunman, words("a b c d")), 0)
	// Papineni et al. 2002, section 2.1: seven times "the" against a reference with
	// two of them has clipped unigram precision 2/7.
	if n := matches(words("the cat is on the mat"), words("the the the the the the the"), 1); n != 2 {
		t.Errorf("clipped matches are %d, want 2", n)
	}
	equal(t, "BLEU of the same", BLEU(gunman, gunman), 1)
	// By hand: orders 1 to 4 match 3 of 4, 1 (+1) of 3 (+1), 0 (+1) of 2 (+1), 0 (+1) of 1 (+1).
	equal(t, "BLEU", BLEU(gunman, words("police kill the gunman")), math.Pow(3.0/4*2/4*1/3*1/2, 0.25))
	// A short candidate pays e^(1 - 4/2); its orders are 1 and 2 (1 + 1 of 1 + 1).
	equal(t, "BLEU of a short one", BLEU(gunman, words("the gunman")), math.Exp(-1))
	equal(t, "BLEU of nothing shared", BLEU(gunman, words("a b")), 0)
	equal(t, "unchanged", Unchanged(gunman, words("police kill the gunman")), 0.75)
}

func TestClassesByHand(t *testing.T) {
	labels, predicted := []int{0, 0, 1, 1, 2}, []int{0, 1, 1, 1, 0}
	equal(t, "accuracy", Accuracy(predicted, labels), 0.6)
	// Class 0: 2*1/(2+2); class 1: 2*2/(3+2); class 2: 0.
	equal(t, "macro-F1", MacroF1(predicted, labels, 3), (0.5+0.8+0)/3)
	equal(t, "macro-F1 without the absent", MacroF1([]int{0, 1}, []int{0, 1}, 5), 1)
	// Of six pairs of yes and no: 0.8 beats both, 0.4 beats one and ties with one, 0.1 beats none.
	equal(t, "AUC", AUC([]float64{0.8, 0.4, 0.1, 0.4, 0.2}, []bool{true, true, true, false, false}), 3.5/6)
	equal(t, "AUC of a perfect score", AUC([]float64{1, 2}, []bool{false, true}), 1)
	if !math.IsNaN(AUC([]float64{1, 2}, []bool{true, true})) {
		t.Error("an AUC without a no is a number")
	}
}

func TestCorrelationsByHand(t *testing.T) {
	// 1 - 6 sum d^2/(n (n^2-1)) with differences 0, 1, 1, 0, 0.
	equal(t, "Spearman", Spearman([]float64{1, 2, 3, 4, 5}, []float64{10, 30, 20, 40, 50}), 1-6*2.0/(5*24))
	equal(t, "Spearman backwards", Spearman([]float64{1, 2, 3}, []float64{9, 4, 1}), -1)
	if r := Ranks([]float64{5, 1, 5, 3}); r[0] != 3.5 || r[1] != 1 || r[2] != 3.5 || r[3] != 2 {
		t.Errorf("ranks with a tie are %v", r)
	}
	mean, half := Interval95([]float64{1, 2, 3})
	equal(t, "mean", mean, 2)
	if math.Abs(half-2.484138) > 1e-5 { // t = 4.302653 for 2 degrees, times 1/sqrt 3
		t.Errorf("the interval is +-%g", half)
	}
}

func square(t *testing.T) *embedding.Table {
	table, err := embedding.New(embedding.Source{Name: "square", Dim: 2,
		Words: []string{"east", "north", "west", "northeast"}, Vectors: []float32{1, 0, 0, 2, -1, 0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTokenMatchingByHand(t *testing.T) {
	table := square(t)
	unit := NewUnit(table)
	root := math.Sqrt(0.5)
	// "east west" against "northeast": recall (sqrt(1/2) - sqrt(1/2))/2 = 0.
	if got := TokenMatch(unit, []embedding.ID{0, 2}, []embedding.ID{3}); math.Abs(got) > 1e-6 {
		t.Errorf("opposites score %g", got)
	}
	// "east north" against "northeast": every best match is sqrt(1/2).
	if got := TokenMatch(unit, []embedding.ID{0, 1}, []embedding.ID{3}); math.Abs(got-root) > 1e-6 {
		t.Errorf("neighbours score %g", got)
	}
	// "east north" against "east": recall 1/2, precision 1.
	if got := TokenMatch(unit, []embedding.ID{0, 1}, []embedding.ID{0}); math.Abs(got-2.0/3) > 1e-6 {
		t.Errorf("half a text scores %g", got)
	}
}

func TestSimLexScoresThePairsItKnows(t *testing.T) {
	table := square(t)
	file := "word1\tword2\tPOS\tSimLex999\neast\tnortheast\tN\t9\neast\tnorth\tN\t3\neast\twest\tN\t1\neast\tsouth\tN\t5\n"
	r, pairs, err := SimLex(strings.NewReader(file), table, NewUnit(table))
	if err != nil || pairs != 3 || math.Abs(r-1) > 1e-9 {
		t.Errorf("correlation %g over %d pairs (%v), want 1 over 3", r, pairs, err)
	}
	if _, _, err := SimLex(strings.NewReader("a\tb\n"), table, NewUnit(table)); err == nil {
		t.Error("a file without the columns is taken")
	}
}
