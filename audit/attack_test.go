package audit

import (
	"bufio"
	"compress/gzip"
	"context"
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
)

func TestBayesSuccessIsExact(t *testing.T) {
	c := channelOf{rows: [][]uint64{{6, 1, 1}, {2, 4, 2}, {4, 1, 3}}}
	success, guess, err := BayesSuccess(context.Background(), c, []float64{0.5, 0.25, 0.25}, nil)
	if err != nil || math.Abs(success-(3+1+0.75)/8) > 1e-15 || guess != 0.5 {
		t.Errorf("success %g, best guess %g, %v, want 0.59375 and 0.5", success, guess, err)
	}
	table := randomTable(t, 40, 2)
	_, m := open(t, table, "response", mechanism.Spec{Epsilon: 3})
	limit, _ := UnchangedLimit(3, 0, table.Len())
	if success, _, err = BayesSuccess(context.Background(), m.(mechanism.Channel), UniformPrior(40), nil); err != nil || math.Abs(success-limit) > 1e-8 {
		t.Errorf("response: success %g, %v, want %g", success, err, limit)
	}
	for _, prior := range [][]float64{nil, {0.5}, {0.5, 0.5}, UniformPrior(41)} {
		if _, _, err := BayesSuccess(context.Background(), m.(mechanism.Channel), prior, nil); err == nil {
			t.Errorf("a prior of %d words must be refused", len(prior))
		}
	}
}

// Forward-backward against the sum over all texts of three words.
func TestContextAttackIsExactOnShortTexts(t *testing.T) {
	const n = 5
	prior, err := NewBigram(n, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	prior.Add([]embedding.ID{0, 1, 2, 1, 0, 4})
	prior.Add([]embedding.ID{3, 1, 2})
	language, err := prior.compile()
	if err != nil {
		t.Fatal(err)
	}
	chance := func(a, b int) float64 { // P(b|a) by the definition
		own := (prior.counts[b] + 1) / (prior.tokens + n)
		return (prior.follows[a][embedding.ID(b)] + prior.k*own) / (prior.after[a] + prior.k)
	}
	emissions := [][]float64{{0.3, 0.1, 0.2, 0.3, 0.1}, {0.1, 0.2, 0.4, 0.2, 0.1}, {0.2, 0.2, 0.1, 0.2, 0.3}}
	var posterior [3][n]float64
	total := 0.0
	for a := range n {
		for b := range n {
			for c := range n {
				p := chance(n, a) * chance(a, b) * chance(b, c)
				total += p
				p *= emissions[0][a] * emissions[1][b] * emissions[2][c]
				posterior[0][a] += p
				posterior[1][b] += p
				posterior[2][c] += p
			}
		}
	}
	if math.Abs(total-1) > 1e-12 {
		t.Fatalf("the prior over texts sums to %g", total)
	}
	guesses := language.decode(3, func(t int) []float64 { return emissions[t] })
	for i, g := range guesses {
		for x, p := range posterior[i] {
			if p > posterior[i][g]*(1+1e-12) {
				t.Errorf("position %d: guessed %d, but %d is likelier", i, g, x)
			}
		}
	}
	empty, _ := NewBigram(n, 1)
	if _, err := AttackInContext(context.Background(), channelOf{}, empty, nil, nil); err == nil {
		t.Error("an empty corpus must be refused")
	}
}

// On real questions: the attacker with context does at least as well as both
// what stays and what the prior alone guesses, except for chance. 300 texts have
// over 2,000 tokens, so 0.05 is above 4 standard deviations of a share's noise.
func TestContextAttackOnRealText(t *testing.T) {
	stage.Unraced(t)
	table := glove(t, 600)
	read := func(split string) (texts [][]embedding.ID) {
		f, err := os.Open(refdata.Path(t, "data/trec6/"+split+".tsv.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Scan() // the header
		for lines.Scan() {
			_, line, _ := strings.Cut(lines.Text(), "\t")
			var ids []embedding.ID
			for _, word := range strings.Fields(strings.ToLower(line)) {
				id, ok := table.Lookup(word)
				if !ok {
					id = table.Unknown()
				}
				ids = append(ids, id)
			}
			texts = append(texts, ids)
		}
		return texts
	}
	prior, err := NewBigram(table.Len(), 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range read("train") {
		prior.Add(text)
	}
	texts := read("test")[:300]
	for _, epsilon := range []float64{2, 6} {
		_, m := open(t, table, "response", mechanism.Spec{Epsilon: epsilon})
		got, err := AttackInContext(context.Background(), m.(mechanism.Channel), prior, texts, noise.Seeded(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("epsilon %g: %+v", epsilon, *got)
		if got.Recovered < got.PriorAlone-0.05 || got.Recovered < got.Unchanged-0.05 || got.Tokens < 2000 {
			t.Errorf("epsilon %g: %+v", epsilon, *got)
		}
	}
}

// glove returns the table of the first n words of GloVe 6B, 100 dimensions.
func glove(t testing.TB, n int) *embedding.Table {
	t.Helper()
	table, err := embedding.Find(refdata.Path(t, "data/embeddings/glove.6B.100d.50k.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.First(n); err != nil {
		t.Fatal(err)
	}
	return table
}
