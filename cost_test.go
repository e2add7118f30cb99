package sotto

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/zipf"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// undrawn is a channel that must not draw, without the shortcuts of the original.
type undrawn struct{ mechanism.Channel }

func (undrawn) Replace([]embedding.ID, []embedding.ID, rand.Source) ([]embedding.ID, error) {
	panic("a price was drawn for")
}

// costOf counts texts with a channel that must not draw.
func costOf(t *testing.T, cfg Words, input string) (c Cost, r *Rewriter, words *WordCounts) {
	t.Helper()
	table, err := builtin.English()
	if err == nil {
		cfg.Table, err = table.First(300)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r, err = Open(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	slow := withMechanism(t, r, undrawn{r.Mechanism().(mechanism.Channel)})
	words = &WordCounts{}
	counts, err := slow.Count(t.Context(), strings.NewReader(input), Stream{Words: words})
	if err != nil {
		t.Fatal(err)
	}
	c = slow.Statement(counts).Cost()
	if c.Unchanged, c.Sampled, err = slow.Unchanged(t.Context(), words); err != nil {
		t.Fatal(err)
	}
	share, _, err := r.Unchanged(t.Context(), words)
	if err != nil || (share == nil) != (c.Unchanged == nil) || share != nil && math.Abs(*share-*c.Unchanged) > 1e-12 {
		t.Errorf("unchanged %v by a shortcut, %v by rows (%v)", share, c.Unchanged, err)
	}
	return c, r, words
}

const priced = "the food and the people of the city\nwe can see the people\n"

// The figures of a price are those of the channel, entry by entry, for every kind of row.
func TestCostIsThatOfTheChannel(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	for _, cfg := range []Words{
		{Mechanism: "neighbours", Epsilon: 6},
		{Mechanism: "neighbours", Epsilon: 3, Parameters: mechanism.Values{"outputs": "50"}},
		{Mechanism: "classes", Epsilon: 4},
		{Mechanism: "response", Epsilon: 5},
		{Mechanism: "exponential", Epsilon: 2},
		{Mechanism: "tem", Epsilon: 2},
		{Mechanism: "packing", Epsilon: 2},
		{Mechanism: "neighbours", Epsilon: 6, Unit: privacy.Word},
	} {
		t.Run(fmt.Sprintf("%s %g %s", cfg.Mechanism, cfg.Epsilon, cfg.Unit), func(t *testing.T) {
			c, r, words := costOf(t, cfg, priced)
			recovered, err := r.Recovered(t.Context(), words, nil)
			if err != nil {
				t.Fatal(err)
			}
			channel, n := r.Mechanism().(mechanism.Channel), r.Table().Len()
			chance := make([][]float64, n)
			for x := range chance {
				sum := 0.0
				for _, w := range channel.Weights(nil, embedding.ID(x)) {
					chance[x] = append(chance[x], float64(w))
					sum += float64(w)
				}
				for y := range chance[x] {
					chance[x][y] /= sum
				}
			}
			shares := zipf.Shares(n)
			shares[r.Table().Unknown()] = 0
			stay, named, total, unknown := 0.0, 0.0, 0, 0
			times := make([]int, n)
			for _, id := range idsOf(r.Table(), priced) {
				times[id]++
			}
			for x, times := range times {
				total += times
				if embedding.ID(x) == r.Table().Unknown() {
					unknown += times
					continue
				}
				stay += float64(times) * chance[x][x]
				for y := range chance {
					guess := 0
					for z := range chance {
						if shares[z]*chance[z][y] > shares[guess]*chance[guess][y]*(1+1e-12) {
							guess = z
						}
					}
					if times > 0 && guess == x {
						named += float64(times) * chance[x][y]
					}
				}
			}
			if total != 13 || unknown == 0 || c.Texts != 2 {
				t.Fatalf("%d tokens in %d texts", total, c.Texts)
			}
			if want := stay / float64(total-unknown); c.Unchanged == nil || c.Sampled || math.Abs(*c.Unchanged-want) > 1e-12 {
				t.Errorf("unchanged %v, want %g", c.Unchanged, want)
			}
			if want := max(named, stay) / float64(total-unknown); recovered == nil || math.Abs(*recovered-want) > 1e-9 {
				t.Errorf("recovered %v, want %g", *recovered, want)
			}
			units := 13
			if cfg.Unit == privacy.Word {
				units = 11 // "the" is three words of the first text
			}
			if c.Units != units || *c.EpsilonEach != cfg.Epsilon || *c.EpsilonTotal != cfg.Epsilon*float64(units) {
				t.Errorf("%+v", c)
			}
		})
	}
}

// The reader of a price is no worse than one who takes each output for the word itself, or who
// names the commonest word without reading: not even where the unknown entry is the likeliest of
// all, and response leaves hardly more of a word than of any other.
func TestBestGuessIsAtLeastTheOutputAndTheBlindOne(t *testing.T) {
	table, err := builtin.English()
	if err == nil {
		table, err = table.First(300)
	}
	if err != nil {
		t.Fatal(err)
	}
	var words []string // each as often as a text has it, by Zipf's law
	shares := zipf.Shares(table.Len())
	shares[table.Unknown()] = 0
	for x, share := range shares {
		words = append(words, slices.Repeat([]string{table.Word(embedding.ID(x))}, int(5000*share))...)
	}
	common, rare := strings.Join(words, " ")+"\n", table.Word(250)+" "+table.Word(260)+"\n"
	for _, epsilon := range []float64{0.05, 1, 2, 3, 4, 5, 6, 8} {
		cfg := Words{Mechanism: "response", Epsilon: epsilon}
		c, r, counted := costOf(t, cfg, rare)
		if got, err := r.Recovered(t.Context(), counted, nil); err != nil || *got < *c.Unchanged {
			t.Errorf("at %g the best guess names %v (%v) of rare words, and %v stays", epsilon, *got, err, *c.Unchanged)
		}
		c, r, counted = costOf(t, cfg, common)
		recovered, err := r.Recovered(t.Context(), counted, nil)
		if err != nil {
			t.Fatal(err)
		}
		known, most := 0, 0
		times := make([]int, table.Len())
		for _, id := range idsOf(table, common) {
			if id != table.Unknown() {
				known++
				times[id]++
				most = max(most, times[id])
			}
		}
		blind := float64(most) / float64(known)
		if recovered == nil || *recovered < *c.Unchanged-1e-9 || *recovered < blind-1e-9 {
			t.Errorf("at %g the best guess names %v, %v stays, and a blind guess names %v", epsilon, *recovered, *c.Unchanged, blind)
		}
	}
}

// Tokens beyond a cap are drawn from the whole table, and cost nothing.
func TestCostUnderACap(t *testing.T) {
	stage.Unraced(t)
	c, r, _ := costOf(t, Words{Cap: Cap{Epsilon: 10, Tokens: 5, Over: Clamp}}, priced)
	if c.Units != 10 || *c.EpsilonLongest > 10 || *c.EpsilonLongest < 9 {
		t.Errorf("%+v", c)
	}
	inside := r.Mechanism().(mechanism.Channel).Weights(nil, 5)
	sum := uint64(0)
	for _, w := range inside {
		sum += w
	}
	// One of the ten words within the cap is unknown: it does not count.
	if want := (9*float64(inside[5])/float64(sum) + 3.0/300) / 12; math.Abs(*c.Unchanged-want) > 1e-12 {
		t.Errorf("unchanged %g, want %g", *c.Unchanged, want)
	}
}

// A mechanism without an exact channel is tried on words of the table, not on the texts.
func TestCostOfNoiseIsThatOfPublicWords(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	shares := map[string]float64{}
	for _, input := range []string{priced, "food\n"} {
		r, err := Open(t.Context(), Config{Mechanism: "brr", Epsilon: 4})
		if err != nil {
			t.Fatal(err)
		}
		var words WordCounts
		if _, err := r.Count(t.Context(), strings.NewReader(input), Stream{Words: &words}); err != nil {
			t.Fatal(err)
		}
		share, sampled, err := r.Unchanged(t.Context(), &words)
		if err != nil || share == nil || !sampled || *share < 0.9 {
			t.Fatalf("%v %v %v", share, sampled, err)
		}
		shares[input] = *share
	}
	if shares[priced] != shares["food\n"] {
		t.Error("the share depends on the texts")
	}
}

// Without the words of the texts the share is that of the table: the mean of the chances of
// words spread over it, which every word of so small a table is.
func TestUnchangedWithoutTextsIsOfTheTable(t *testing.T) {
	for _, name := range []string{"neighbours", "exponential", "response", "classes"} {
		whole, err := builtin.English()
		if err != nil {
			t.Fatal(err)
		}
		table, err := whole.First(200)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(t.Context(), Words{Mechanism: name, Epsilon: 4, Table: table})
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for x := range table.Len() {
			row := r.Mechanism().(mechanism.Channel).Weights(nil, embedding.ID(x))
			sum := uint64(0)
			for _, weight := range row {
				sum += weight
			}
			want += float64(row[x]) / float64(sum) / float64(table.Len())
		}
		share, sampled, err := r.Unchanged(t.Context(), nil)
		if err != nil || !sampled || math.Abs(*share-want) > 1e-12 {
			t.Errorf("%s: %v, %t (%v), want %g", name, share, sampled, err, want)
		}
	}
}

// The figures of vectors and of whole texts follow from counts alone.
func TestCostOfVectorsAndTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts nothing beside it: nothing for the race detector")
	}
	for of, units := range map[Of]int{Documents: 2, Tokens: 13} {
		e, err := OpenEmbedder(t.Context(), Vectors{Of: of, Epsilon: 4})
		if err != nil {
			t.Fatal(err)
		}
		counted, err := e.Count(t.Context(), strings.NewReader(priced), Stream{})
		if err != nil {
			t.Fatal(err)
		}
		var drawn Counts
		if _, err := e.Copy(t.Context(), func([]release.Vectors) error { return nil }, strings.NewReader(priced), Stream{Counts: &drawn}); err != nil {
			t.Fatal(err)
		}
		if c := e.Statement(counted).Cost(); counted != drawn || c.Units != units || *c.EpsilonTotal != 4*float64(units) {
			t.Errorf("%s: %+v of %+v, drawn %+v", of, c, counted, drawn)
		}
	}
	r, err := Open(t.Context(), Config{Unit: privacy.Text, Epsilon: 3})
	if err != nil {
		t.Fatal(err)
	}
	var words WordCounts
	counts, err := r.Count(t.Context(), strings.NewReader(priced), Stream{Words: &words})
	if err != nil {
		t.Fatal(err)
	}
	share, _, err := r.Unchanged(t.Context(), &words)
	if c := r.Statement(counts).Cost(); err != nil || share != nil || c.Units != 2 || *c.EpsilonTotal != 6 || *c.EpsilonLongest != 3 {
		t.Errorf("%+v %v %v", c, share, err)
	}
}

// Counts of words do not get into a document or a log.
func TestWordCountsAreWithheld(t *testing.T) {
	_, _, words := costOf(t, Words{Epsilon: 8}, priced)
	if _, err := json.Marshal(words); err == nil {
		t.Error("word counts became JSON")
	}
	for _, form := range []string{"%v", "%s", "%+v", "%#v"} {
		if s := fmt.Sprintf(form, words); s != "(withheld)" {
			t.Errorf("%s prints %s", form, s)
		}
	}
}

func TestUnchangedEndsWithItsContext(t *testing.T) {
	_, r, words := costOf(t, Words{Mechanism: "exponential", Epsilon: 2}, priced)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Recovered(ctx, words, nil); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// The figures of words are of those that the table has. The share of the others is a figure
// of its own, and a text without known words has no other.
func TestUnknownWordsNeitherStayNorAreNamed(t *testing.T) {
	cfg := Words{Mechanism: "neighbours", Epsilon: 6}
	known, r, alone := costOf(t, cfg, priced)
	mixed, _, words := costOf(t, cfg, priced+strings.Repeat("zyxq ", 39))
	want, err := r.Recovered(t.Context(), alone, nil)
	got, err2 := r.Recovered(t.Context(), words, nil)
	if err != nil || err2 != nil || math.Abs(*want-*got) > 1e-12 || math.Abs(*known.Unchanged-*mixed.Unchanged) > 1e-12 {
		t.Errorf("with unknown words: named %v and unchanged %v, want %v and %v", got, mixed.Unchanged, want, known.Unchanged)
	}
	few, most := *r.Unknown(alone), *r.Unknown(words)
	if want := (13*few + 39) / 52; few > 0.5 || math.Abs(most-want) > 1e-12 {
		t.Errorf("the shares of unknown words are %g and %g, want %g", few, most, want)
	}
	none, _, words := costOf(t, cfg, "zyxq")
	if got, err := r.Recovered(t.Context(), words, nil); none.Unchanged != nil || got != nil || err != nil || *r.Unknown(words) != 1 {
		t.Errorf("of unknown words alone: named %v, unchanged %v (%v)", got, none.Unchanged, err)
	}
	if r.Unknown(&WordCounts{}) != nil {
		t.Error("no words have a share of unknown ones")
	}
}
