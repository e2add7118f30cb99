package restore_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/restore"
)

// Under a model in which context says nothing, the rest of the first word is exactly what
// its level leaves out, however few nodes that has. Of a text it is close: edges between
// nodes are left out too.
func TestWithoutContextTheRestIsWhatIsLeftOut(t *testing.T) {
	const words = 30
	table := small(t, words)
	m := contextless(t, table)
	for _, c := range []struct {
		name   string
		values mechanism.Values
	}{{"response", nil}, {"neighbours", mechanism.Values{"neighbours": "4"}}, {"tem", nil}} {
		channel := opened(t, table, c.name, 2, c.values)
		y, err := channel.Replace(nil, []embedding.ID{3, 17, 0, 29, 8}, noise.Seeded(4, 1))
		if err != nil {
			t.Fatal(err)
		}
		read := columns(t, channel, words, y)
		for _, beam := range []int{1, 3, 10} {
			end := m.End(m.Empty())
			log := end
			for _, out := range y {
				of, sum := make([]float64, words), 0.0
				for w := range of {
					p, _ := m.Next(m.Empty(), embedding.ID(w))
					of[w] = math.Exp(p + read.Log([]embedding.ID{embedding.ID(w)}, []embedding.ID{out}))
					sum += of[w]
				}
				log += math.Log(sum)
				l := lattice(t, m, read, restore.Options{Beam: beam}, []embedding.ID{out}, nil)
				if got, want := l.LogLikelihood(), math.Log(sum)+end; math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, beam %d: the log-likelihood of %d is %g, want %g", c.name, beam, out, got, want)
				}
				for _, g := range l.Marginals()[0] {
					if want := of[g.Word] / sum; math.Abs(g.Chance-want) > 1e-9 {
						t.Errorf("%s, beam %d: word %d has the chance %g given %d, want %g", c.name, beam, g.Word, g.Chance, out, want)
					}
				}
			}
			if got := lattice(t, m, read, restore.Options{Beam: beam}, y, nil).LogLikelihood(); math.Abs(got-log) > 0.6 {
				t.Errorf("%s, beam %d: the log-likelihood is %g, want %g", c.name, beam, got, log)
			}
		}
	}
}

// contextless returns a model of order 2 in which each word has the same chance after all
// others.
func contextless(t *testing.T, table *embedding.Table) *language.Model {
	t.Helper()
	n := table.Len()
	total := float64(n*(n+1)/2 + n) // </s> counts n
	var b strings.Builder
	fmt.Fprintf(&b, "\\data\\\nngram 1=%d\nngram 2=1\n\n\\1-grams:\n-99\t<s>\t0\n%.17g\t</s>\n", n+2, math.Log10(float64(n)/total))
	for w := range n {
		fmt.Fprintf(&b, "%.17g\t%s\t0\n", math.Log10(float64(w+1)/total), table.Word(embedding.ID(w)))
	}
	fmt.Fprintf(&b, "\n\\2-grams:\n%.17g\t%s %s\n\n\\end\\\n", math.Log10(2/total), table.Word(0), table.Word(1))
	m, err := language.ReadARPA(t.Context(), strings.NewReader(b.String()), table, true)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A reader who knows the source names no fewer words from a whole release than from each
// output alone, also where the channel says little and few nodes are kept. All draws are
// seeded.
func TestContextDoesNotHarmWhereLittleIsLeft(t *testing.T) {
	stage.Unraced(t)
	const words, texts = 300, 150
	table := small(t, words)
	rng := rand.New(rand.NewPCG(11, 12))
	m := trained(t, table, source{words, rng}.texts(400, 12), 3)
	for _, epsilon := range []float64{0.5, 2, 4} {
		c := opened(t, table, "response", epsilon, nil)
		originals, released := releases(t, m, c, texts, 3, rng)
		channel := columns(t, c, words, released...)
		guesses := restore.NewAlone(m, channel)
		var alone, inContext tallied
		stated := 0.0
		for i, y := range released {
			for at, g := range lattice(t, m, channel, restore.Options{Beam: 20}, y, nil).Marginals() {
				alone.add(guesses.Guess(y[at]) == originals[i][at])
				inContext.add(g[0].Word == originals[i][at])
				stated += g[0].Chance
			}
		}
		stated /= float64(inContext.n)
		t.Logf("epsilon %g: alone %.3f, in context %.3f, stated %.3f", epsilon, alone.share(), inContext.share(), stated)
		if inContext.share() < alone.share() {
			t.Errorf("epsilon %g: of the words %.3f are named in context, and %.3f alone", epsilon, inContext.share(), alone.share())
		}
		if math.Abs(stated-inContext.share()) > 0.05 {
			t.Errorf("epsilon %g: chances state %.3f, and %.3f are right", epsilon, stated, inContext.share())
		}
	}
}
