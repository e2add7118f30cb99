package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

// committedRows are the rows in results/full.
type committedRows struct {
	t    *testing.T
	rows Rows
}

// mean returns a figure of the one group of a plan with these parameters, over seeds.
func (c committedRows) mean(plan, value, where string) float64 {
	c.t.Helper()
	all, err := groups(c.rows, plan)
	m, ok := figureAt{plan, value, where}.mean(all)
	if err != nil || !ok {
		c.t.Errorf("%s: no single group has %s where %s (%v)", plan, value, where, err)
	}
	return m
}

// best returns the largest mean of a figure over the groups of a plan with an epsilon and these
// parameters.
func (c committedRows) best(plan, value, where string) (best float64) {
	c.t.Helper()
	all, err := groups(c.rows, plan)
	if err != nil {
		c.t.Error(err)
	}
	for _, g := range all {
		private := g.Params.Get("epsilon") != "" && g.Params.Get("learnt") != "clear"
		if private && hasParams(g, where) && len(g.Values(value)) > 0 {
			best = max(best, mean(g, value))
		}
	}
	return best
}

// words is what words for labels teach alone of a set over a corpus.
func (c committedRows) words(set, codebook string) float64 {
	return c.mean("public-knowledge", "accuracy", "set="+set+", codebook="+codebook+", mechanism=public knowledge")
}

func (c committedRows) none(set, codebook string) float64 {
	return c.mean("public-knowledge", "accuracy", "set="+set+", codebook="+codebook+", mechanism=none")
}

// Figures in prose are those of the rows: what a page says, with figures put in from the rows. A
// sentence that is written otherwise, or rows that change, fail.
func TestFiguresInProseAreThoseOfTheirRows(t *testing.T) {
	c := committedRows{t, RowsOf(filepath.Join("..", "results", "full"))}
	copyOf := func(set, codebook, epsilon string) float64 {
		return c.mean("synthetic-corpora", "accuracy", "set="+set+", codebook="+codebook+", mechanism=synthesize, epsilon="+epsilon)
	}
	ahead := func(set, codebook string) float64 {
		return c.best("synthetic-corpora", "accuracy", "set="+set+", codebook="+codebook) - c.words(set, codebook)
	}
	known := func(set, epsilon string) float64 {
		return c.mean("public-knowledge", "accuracy", "set="+set+", about=words, begins=words, mechanism=synthesize, epsilon="+epsilon)
	}
	text := func(set, codebook, value, epsilon string) float64 {
		return c.mean("whole-texts", value, "set="+set+", codebook="+codebook+", epsilon="+epsilon)
	}
	written := func(value, epsilon string) float64 {
		return c.mean("synthetic-corpora-written", value, "set=ag-news, epsilon="+epsilon)
	}
	linked := func(mechanism, value, epsilon string) float64 {
		return c.mean("linkage", value, "set=ag-news, among=1000, mechanism="+mechanism+", epsilon="+epsilon)
	}
	// lost are what classes of words cost a set, the least and the most.
	lost := func(set string) (least, most float64) {
		least = 1
		for _, at := range []string{"k=50, epsilon=4", "k=300, epsilon=4", "objective=signal, epsilon=4", "k=20, epsilon=6"} {
			loss := c.mean("learning", "accuracy", "set="+set+", mechanism=neighbours "+at) - c.mean("learning", "accuracy", "set="+set+", mechanism=neighbours classes=english "+at)
			least, most = min(least, loss), max(most, loss)
		}
		return least, most
	}
	newsLeast, newsMost := lost("ag-news")
	questionsLeast, questionsMost := lost("trec6")
	reviewsLeast, reviewsMost := lost("sst2")
	said := map[string][]string{
		"README.md": {
			fmt.Sprintf("| %.3f | %.3f | %.3f |", c.words("trec6", "own"), known("trec6", "1"), c.none("trec6", "own")),
			fmt.Sprintf("Of news the copy teaches little that was not known: %.3f, %.3f and %.3f.", c.words("ag-news", "own"), known("ag-news", "1"), c.none("ag-news", "own")),
		},
		"docs/results/synthetic-corpora.md": {
			fmt.Sprintf("a copy is ahead of words alone by %.3f at most (AG News over `english`, at 4): by %.3f on TREC-6, %.3f on Yelp, %.3f on AG News and %.3f on IMDB, and on SST-2 at no epsilon",
				ahead("ag-news", "english"), ahead("trec6", "own"), ahead("yelp-short", "own"), ahead("ag-news", "own"), ahead("imdb", "own")),
			fmt.Sprintf("AG News is learnt with %.3f at 0.25 and %.3f at 1 by `synthesize`, and with %.3f and %.3f from vectors of `privunit`",
				copyOf("ag-news", "imdb-sentences", "0.25"), copyOf("ag-news", "imdb-sentences", "1"),
				c.mean("synthetic-corpora-shuffled", "accuracy", "set=ag-news, codebook=imdb-sentences, mechanism=privunit dimensions=50 average=weighted, epsilon=0.25"),
				c.mean("synthetic-corpora-shuffled", "accuracy", "set=ag-news, codebook=imdb-sentences, mechanism=privunit dimensions=50 average=weighted, epsilon=1")),
			fmt.Sprintf("and there less than words and public news (%.3f)", c.words("ag-news", "own")),
		},
		"docs/results/whole-texts.md": {
			fmt.Sprintf("[%.3f on TREC-6, %.3f on SST-2, %.3f on AG News, %.3f on Yelp and %.3f on IMDB]", c.words("trec6", "own"), c.words("sst2", "imdb-sentences"),
				c.words("ag-news", "own"), c.words("yelp-short", "own"), c.words("imdb", "own")),
			fmt.Sprintf("by %.3f on TREC-6, %.3f on AG News and %.3f (plain) on IMDB", text("trec6", "own", "accuracy", "8")-c.words("trec6", "own"),
				text("ag-news", "own", "accuracy", "8")-c.words("ag-news", "own"), text("imdb", "own", "plain_accuracy", "8")-c.words("imdb", "own")),
			fmt.Sprintf("with which the words teach %.3f, they teach %.3f at 4 and %.3f at 8: more, and less than words with public news (%.3f)", c.words("ag-news", "english"),
				text("ag-news", "english", "accuracy", "4"), text("ag-news", "english", "accuracy", "8"), c.words("ag-news", "own")),
		},
		"docs/results/learning.md": {
			fmt.Sprintf("classes lose %.3f to %.3f on AG News, %.3f to %.3f on TREC-6 and up to %.3f on SST-2, where one of four comparisons is a gain, of %.3f",
				newsLeast, newsMost, questionsLeast, questionsMost, reviewsMost, -reviewsLeast),
			fmt.Sprintf("words for its labels and public news teach %.3f without any private text, and releases %.3f at epsilon 1", c.words("ag-news", "own"), text("ag-news", "own", "accuracy", "1")),
			fmt.Sprintf("(%.3f, %.3f and %.3f at 1, 2 and 4 on AG News; %.3f at 4 on TREC-6; %.3f at 2 on IMDB)", text("ag-news", "own", "accuracy", "1"), text("ag-news", "own", "accuracy", "2"),
				text("ag-news", "own", "accuracy", "4"), text("trec6", "own", "accuracy", "4"), text("imdb", "own", "accuracy", "2")),
		},
		"plan synthetic-corpora-written": {
			fmt.Sprintf("Written texts teach AG News %.3f, %.3f and %.3f at 0.25, 0.5 and 1, the public texts that they replace %.3f, %.3f and %.3f, and words alone %.3f",
				written("accuracy", "0.25"), written("accuracy", "0.5"), written("accuracy", "1"),
				written("public_accuracy", "0.25"), written("public_accuracy", "0.5"), written("public_accuracy", "1"), c.words("ag-news", "own")),
		},
		"plan linkage": {
			fmt.Sprintf("are linked among 1,000 with probability %.3f (three seeds), and all at 4; two adjacent words with %.3f at 4 and %.3f at 8",
				linked("neighbours", "linked", "1"), linked("neighbours", "pair", "4"), linked("neighbours", "pair", "8")),
			fmt.Sprintf("retrieval is linked with %.3f and privunit with %.3f, of %.3f at most", linked("retrieval objective=signal", "linked", "4"), linked("privunit", "linked", "4"), linked("privunit", "limit", "4")),
		},
		"plan synthetic-corpora": {
			fmt.Sprintf("AG News: %.3f, %.3f, %.3f and %.3f at 0.1, 0.25, 0.5 and 1 (%.3f, %.3f)", copyOf("ag-news", "own", "0.1"), copyOf("ag-news", "own", "0.25"), copyOf("ag-news", "own", "0.5"),
				copyOf("ag-news", "own", "1"), c.words("ag-news", "own"), c.none("ag-news", "own")),
			fmt.Sprintf("IMDB: %.3f at 1 (%.3f, %.3f)", copyOf("imdb", "own", "1"), c.words("imdb", "own"), c.none("imdb", "own")),
			fmt.Sprintf("SST-2 over sentences of IMDB: %.3f at 0.5 (%.3f, %.3f)", copyOf("sst2", "imdb-sentences", "0.5"), c.words("sst2", "imdb-sentences"), c.none("sst2", "imdb-sentences")),
			fmt.Sprintf("TREC-6: %.3f at 0.5 and %.3f at 2 (%.3f, %.3f)", copyOf("trec6", "own", "0.5"), copyOf("trec6", "own", "2"), c.words("trec6", "own"), c.none("trec6", "own")),
			fmt.Sprintf("Yelp: %.3f at 0.5 (%.3f, %.3f)", copyOf("yelp-short", "own", "0.5"), c.words("yelp-short", "own"), c.none("yelp-short", "own")),
			fmt.Sprintf("AG News reaches %.3f at 0.5 and %.3f at 1", copyOf("ag-news", "imdb-sentences", "0.5"), copyOf("ag-news", "imdb-sentences", "1")),
		},
	}
	for page, sentences := range said {
		var text string
		if name, ok := strings.CutPrefix(page, "plan "); ok {
			p, err := plan.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			text = p.Findings
		} else {
			read, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(page)))
			if err != nil {
				t.Fatal(err)
			}
			text = strings.Join(strings.Fields(string(read)), " ")
		}
		for _, s := range sentences {
			if !strings.Contains(text, s) {
				t.Errorf("%s does not say, as its rows do: %s", page, s)
			}
		}
	}
}

// What learning.md, whole-texts.md and synthetic-corpora.md say of all rows.
func TestRowsAreNotAheadOfPublicKnowledgeWhereThePagesSaySo(t *testing.T) {
	c := committedRows{t, RowsOf(filepath.Join("..", "results", "full"))}
	alone := map[string]float64{"ag-news": c.words("ag-news", "own"), "trec6": c.words("trec6", "own"), "sst2": c.words("sst2", "imdb-sentences"), "imdb": c.words("imdb", "own")}
	for plan, values := range map[string][]string{
		"learning": {"accuracy"}, "readable": {"accuracy"}, "text-vectors": {"accuracy"},
		"restored":  {"words", "restored_words", "vectors", "restored_vectors"},
		"corrected": {"counts", "counts_through", "counts_nonnegative", "counts_unbiased", "vectors", "vectors_through"},
	} {
		for set, words := range alone {
			for _, value := range values {
				best := c.best(plan, value, "set="+set)
				if best > words || best == 0 && set == "ag-news" {
					t.Errorf("%s of %s: %s is %.4f, and words alone teach %.4f", plan, set, value, best, words)
				}
			}
		}
	}
	all, err := groups(c.rows, "synthetic-corpora-shuffled")
	if err != nil {
		t.Fatal(err)
	}
	b, err := besideOf(c.rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if words := b.words[pair(g)]; words > 0 && g.Params.Get("codebook") != "english" && mean(g, "accuracy") > words {
			t.Errorf("a release of single texts of %s (%s) teaches %.4f, and words alone %.4f", pair(g), g.Params.String(), mean(g, "accuracy"), words)
		}
	}
	if !slices.ContainsFunc(all, func(g result.Group) bool { return pair(g) == "TREC-6, TREC-6" }) {
		t.Error("synthetic-corpora-shuffled has no rows of TREC-6")
	}
}
