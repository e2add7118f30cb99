package synthesis

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"pgregory.net/rapid"
)

// released are releases of the same counts, made again each time.
func released(t testing.TB, p *Plan, fill func(*Counts), times int) []*Release {
	t.Helper()
	list := make([]*Release, times)
	for i := range list {
		c := p.NewCounts()
		fill(c)
		var err error
		if list[i], err = p.Release(c, noise.Seeded(testseed.Of(t, 3), uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// Every cell of every query has noise of its own, of the variance of its rate, also
// where no record voted. Sums over n draws of a variable with variance v and fourth
// moment 6 v^2 at most have a standard deviation of v sqrt(5/n) in their mean square: six
// of them fail falsely with chance below 2e-9 for each of some 100 checks.
func TestEveryCellHasItsOwnNoise(t *testing.T) {
	stage.Unraced(t)
	const times = 3000
	for _, c := range []struct {
		name string
		o    Options
	}{
		{"records", Options{Epsilon: 0.5, Expect: 100}},
		{"users", Options{Epsilon: 1, Expect: 100, PerUser: 4}},
		{"users, Gaussian", Options{Epsilon: 1, Expect: 100, PerUser: 40, Delta: 1e-6}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Columns = []Column{labels(t, "label", "sport", "money")}
			p := planOf(t, c.o)
			votes := p.Vote([]Record{{Text: []byte(sentence(0, 3)), Labels: [][]byte{[]byte("sport")}}})
			list := released(t, p, func(c *Counts) { c.Add(votes) }, times)
			m := float64(max(1, c.o.PerUser))
			want := laplaceVariance(c.o.Epsilon * 31 / 32 / m) // with Expect, the far share is the only other part
			if c.o.Delta > 0 {
				want = float64(p.noise.variance)
			}
			exact := make([]int64, len(list[0].cells))
			counts := p.NewCounts()
			counts.Add(votes)
			copy(exact, counts.cells[0])
			check := func(what string, want float64, values func(*Release) int64) {
				square := 0.0
				for _, r := range list {
					square += float64(values(r)) * float64(values(r))
				}
				if got := square / times; math.Abs(got-want) > 6*want*math.Sqrt(5.0/times) {
					t.Errorf("%s: variance %g, want %g", what, got, want)
				}
			}
			for i := range exact {
				check("a cell", want, func(r *Release) int64 { return r.cells[i] - exact[i] })
				check("two cells", 2*want, func(r *Release) int64 {
					j := (i + 1) % len(exact)
					return r.cells[i] - exact[i] + r.cells[j] - exact[j]
				})
			}
			check("near", laplaceVariance(c.o.Epsilon/32/m), func(r *Release) int64 { return r.near - counts.near })
			check("far", laplaceVariance(c.o.Epsilon/32/m), func(r *Release) int64 { return r.far - counts.far })
		})
	}
}

// The clustering follows from the noisy count: with much noise it differs between
// releases of the same records, and it is always the one that the released count names.
// Expect fixes it, whatever the records are.
func TestNoisyCountChoosesTheClusters(t *testing.T) {
	stage.Unraced(t)
	p := planOf(t, Options{Epsilon: 0.1, Columns: []Column{labels(t, "label", "sport")}})
	fill := func(c *Counts) {
		for i := range 20 {
			c.Add(p.Vote([]Record{{Text: []byte(sentence(0, i)), Labels: [][]byte{[]byte("sport")}}}))
		}
	}
	seen := map[int]bool{}
	for _, r := range released(t, p, fill, 200) {
		seen[r.clusters().Len()] = true
		sizes := []int{10, 17, 20}
		// 300 texts: at most 37.5 clusters; epsilon n/3.
		want := sizes[nearestSize(sizes, min(max(0.1*float64(max(0, *r.records))/3, 10), 37.5))]
		if got := r.clusters().Len(); got != want {
			t.Fatalf("%d clusters for a count of %d, want %d", got, *r.records, want)
		}
	}
	if len(seen) < 2 {
		t.Errorf("always %v clusters: the noise chooses nothing", seen)
	}
	fixed := planOf(t, Options{Epsilon: 0.1, Expect: 1_000_000})
	for _, r := range released(t, fixed, func(*Counts) {}, 5) {
		if r.records != nil || r.clusters().Len() != 20 {
			t.Errorf("%d clusters where a million records are expected", r.clusters().Len())
		}
	}
}

// The parts of epsilon, in exact arithmetic, times the votes of a unit, are at most
// epsilon, and nearly as much.
func TestPartsOfEpsilonAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Epsilon: math.Exp(rapid.Float64Range(-13.8, 8).Draw(t, "log epsilon")), PerUser: rapid.SampledFrom([]int{0, 1, 3, 10, 1000, MaxPerUser}).Draw(t, "per user"),
			Expect: rapid.SampledFrom([]int{0, 10}).Draw(t, "expect")}
		s := o.scales()
		all := float64(s.histogram+s.far+s.count) / float64(s.den) * float64(s.votes) // below 2^53, except for the last product
		if all > o.Epsilon*(1+0x1p-50) || all < o.Epsilon*(1-1e-2) {
			t.Fatalf("epsilon %g is divided into %g", o.Epsilon, all)
		}
		if s.histogram == 0 || s.far == 0 || (s.count == 0) != (o.Expect > 0) {
			t.Fatalf("a query without noise: %+v", s)
		}
	})
}

// Gaussian noise is for users of many records: from about nine at usual figures, never
// for one.
func TestGaussianNoiseIsUsedWhereItIsSmaller(t *testing.T) {
	first := 0
	for m := 1; m <= 40 && first == 0; m++ {
		s := (&Options{Epsilon: 1, Delta: 1e-6, PerUser: m}).scales()
		if s.variance > 0 {
			first = m
			if float64(s.variance) >= laplaceVariance(s.rate(s.histogram)) {
				t.Errorf("%d records: variance %d, Laplace noise has %g", m, s.variance, laplaceVariance(s.rate(s.histogram)))
			}
		}
	}
	if first < 5 || first > 15 {
		t.Errorf("Gaussian noise is smaller from %d records per user", first)
	}
}

// Extreme figures end, and never with less noise than Laplace noise needs.
func TestNoiseOfExtremeFiguresIsFound(t *testing.T) {
	stage.Unraced(t)
	for _, o := range []Options{
		{Epsilon: privacy.MinEpsilon, Delta: 1e-6, PerUser: MaxPerUser}, {Epsilon: 1, Delta: 1e-300, PerUser: 100}, {Epsilon: 1, Delta: 0.5, PerUser: 20000},
		{Epsilon: 100, Delta: 1e-6, PerUser: 1000}, {Epsilon: 1e-3, Delta: 1e-9, PerUser: 50}, {Epsilon: 1e300, PerUser: 1}, {Epsilon: 1e300, Delta: 1e-9, PerUser: 3},
	} {
		s := o.scales()
		if s.histogram == 0 || s.far == 0 || s.count == 0 || s.variance > 0 && float64(s.variance) >= laplaceVariance(s.rate(s.histogram)) {
			t.Errorf("epsilon %g, delta %g, %d per user: %+v", o.Epsilon, o.Delta, o.PerUser, s)
		}
		src, d := noise.Seeded(1, 1), s.drawn()
		d.cell.Draw(src)
		d.count.Draw(src)
	}
}

func TestProjectionKeepsTheTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Int64Range(-50, 60), 1, 40).Draw(t, "counts")
		total := int64(0)
		for _, n := range counts {
			total += n
		}
		projected := project(counts)
		sum := 0.0
		for i, x := range projected {
			if x < 0 || x > 0 && math.Abs(float64(counts[i])-x-(float64(counts[slices.IndexFunc(projected, func(y float64) bool { return y > 0 })])-projected[slices.IndexFunc(projected, func(y float64) bool { return y > 0 })])) > 1e-9 {
				t.Fatalf("%v becomes %v", counts, projected)
			}
			sum += x
		}
		if math.Abs(sum-float64(max(0, total))) > 1e-6 {
			t.Fatalf("%v has the sum %d, its projection %g", counts, total, sum)
		}
		for _, size := range []int64{0, 1, 7, 100} {
			numbers, all := apportion(projected, size), int64(0)
			for i, n := range numbers {
				if all += n; n < 0 || n > 0 && projected[i] == 0 {
					t.Fatalf("%v gives %v", projected, numbers)
				}
			}
			if sum > 0 && all != size {
				t.Fatalf("%v gives %v, which are %d of %d", projected, numbers, all, size)
			}
		}
	})
}

// Intervals hold with at least their confidence. Of 4,000 releases, more than 5 % misses
// by six standard deviations (83) have a chance below 1e-9.
func TestIntervalsHold(t *testing.T) {
	stage.Unraced(t)
	const times = 4000
	for _, o := range []Options{{Epsilon: 0.5}, {Epsilon: 1, PerUser: 40, Delta: 1e-6}} {
		o.Columns = []Column{labels(t, "label", "sport", "money")}
		p := planOf(t, o)
		var records []Record
		for i := range 60 {
			records = append(records, Record{Text: []byte(sentence(i%4, i)), Labels: [][]byte{[]byte([]string{"sport", "money", "none"}[i%3])}, User: []byte{byte(i)}})
		}
		votes := p.Vote(records)
		exact := p.NewCounts()
		exact.Add(votes)
		share := float64(exact.far) / float64(exact.far+exact.near)
		var misses [4]int
		for _, r := range released(t, p, func(c *Counts) { c.Add(votes) }, times) {
			s := r.Statement()
			for i, outside := range []bool{
				s.Labels[0].Low > 20 || s.Labels[0].High < 20, s.Other.Low > 20 || s.Other.High < 20,
				s.FarShare.Low > share || s.FarShare.High < share, s.Count.Low > 60 || s.Count.High < 60,
			} {
				if outside {
					misses[i]++
				}
			}
		}
		for i, n := range misses {
			if n > times/20+83 {
				t.Errorf("interval %d misses %d times of %d", i, n, times)
			}
		}
	}
}

// Without replacement within a cell, as far as its texts suffice: a text comes out as
// often as any other of its cell, or once more.
func TestTextsAreDrawnWithoutReplacement(t *testing.T) {
	p := planOf(t, Options{Epsilon: 50, Expect: 1, Columns: []Column{labels(t, "label", "sport")}, InsecureSeed: &seed})
	counts := p.NewCounts()
	for i := range 75 {
		counts.Add(p.Vote([]Record{{Text: []byte(sentence(0, i)), Labels: [][]byte{[]byte("sport")}}}))
	}
	r, err := p.Release(counts, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{10, 75, 400} {
		drawn := map[string]int64{}
		n := int64(0)
		if err := r.Draw(t.Context(), size, nil, func(row Row) error { drawn[string(row.Text)]++; n++; return nil }); err != nil || n != size {
			t.Fatalf("%d texts of %d (%v)", n, size, err)
		}
		clusters := r.clusters()
		for cell, number := range apportion(r.textCells(), size) {
			texts := clusters.texts[cell%clusters.Len()]
			for _, i := range texts {
				if got := drawn[p.o.Corpus.Text(int(i))]; got < number/int64(len(texts)) || got > (number+int64(len(texts))-1)/int64(len(texts)) {
					t.Fatalf("a text of a cell of %d texts comes out %d times in %d", len(texts), got, number)
				}
			}
		}
	}
}

func TestCountsOfWorkersAddUp(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, Columns: []Column{labels(t, "label", "sport", "money")}})
	var all []Record
	for i := range 50 {
		all = append(all, Record{Text: []byte(sentence(i%4, i)), Labels: [][]byte{[]byte([]string{"sport", "money"}[i%2])}})
	}
	whole, parts := p.NewCounts(), p.NewCounts()
	whole.Add(p.Vote(all))
	for i := range 5 {
		part, again := p.NewCounts(), p.NewCounts()
		part.Add(p.Vote(all[10*i : 10*i+10]))
		data, err := part.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if err := parts.Merge(again); err != nil {
			t.Fatal(err)
		}
		if again.UnmarshalBinary(data[1:]) == nil || again.UnmarshalBinary(append(data, 0)) == nil {
			t.Error("damaged counts are decoded")
		}
	}
	if d := between(whole, parts); d != (distance{}) || parts.records != 50 {
		t.Errorf("the parts differ from the whole by %+v", d)
	}
	if _, err := planOf(t, Options{Epsilon: 1}).Release(whole, nil); err == nil {
		t.Error("another plan releases the counts")
	}
	users := planOf(t, Options{Epsilon: 1, PerUser: 2})
	if users.NewCounts().Merge(users.NewCounts()) == nil {
		t.Error("counts of users are merged")
	}
}

// Nothing private is printed, however it is asked for.
func TestPrivateValuesAreNotPrinted(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, PerUser: 3})
	r := Record{Text: []byte("a secret football match"), User: []byte("ann")}
	votes, counts := p.Vote([]Record{r}), p.NewCounts()
	counts.Add(votes)
	for _, value := range []any{r, &r, []Record{r}, votes, counts, *votes, *counts} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			if got := fmt.Sprintf(verb, value); !strings.Contains(got, hidden) || strings.Contains(got, "1") || len(got) > 40 {
				t.Errorf("%s prints %.80q", verb, got)
			}
		}
		if data, err := json.Marshal(value); err != nil || len(data) > 20 || strings.Contains(string(data), "1") {
			t.Errorf("JSON is %.80s (%v)", data, err)
		}
	}
}

// A delta is allowed for records, and no part of their claim.
func TestRecordsHavePureNoiseAtAnyDelta(t *testing.T) {
	for _, delta := range []float64{1e-9, 0.5, 0.999} {
		p, err := New(t.Context(), Options{Corpus: publicCorpus(t, 0), Epsilon: 1, Delta: delta})
		if err != nil {
			t.Fatal(err)
		}
		if c := p.Claim(); c.Notion != privacy.Pure || c.Delta != 0 || p.noise.variance != 0 {
			t.Errorf("delta %g: claim %+v, variance %d", delta, c, p.noise.variance)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	c := publicCorpus(t, 0)
	many, err := Bins("a", "1..300")
	if err != nil {
		t.Fatal(err)
	}
	other := many
	other.name = "b"
	for _, o := range []Options{
		{}, {Corpus: c}, {Corpus: c, Epsilon: math.NaN()}, {Corpus: c, Epsilon: math.Inf(1)}, {Corpus: c, Epsilon: -1}, {Corpus: c, Epsilon: 1e-9}, {Corpus: c, Epsilon: 1, Delta: 1},
		{Corpus: c, Epsilon: 1, Delta: math.NaN(), PerUser: 2}, {Corpus: c, Epsilon: 1, Delta: 2, PerUser: 2}, {Corpus: c, Epsilon: 1, Expect: -1}, {Corpus: c, Epsilon: 1, PerUser: -1},
		{Corpus: c, Epsilon: 1, PerUser: MaxPerUser + 1}, {Corpus: c, Epsilon: 1, Brought: true}, {Corpus: c, Epsilon: 1, Columns: []Column{many, other}}, {Corpus: c, Epsilon: 1, Columns: []Column{many, many}},
		{Corpus: c, Epsilon: 1, Columns: []Column{{}}},
	} {
		if _, err := New(t.Context(), o); err == nil {
			t.Errorf("accepted: %+v", o)
		}
	}
	for _, ranges := range []string{"", "1", "5..1", "1.5..3", "1..2.5", "a..b", "0..1e9", "0..10/0", "0..10/-1", "0..10/3", "NaN..5", "0..Inf", "1..5/", "0..10/1e-9"} {
		if _, err := Bins("n", ranges); err == nil {
			t.Errorf("bins %q are accepted", ranges)
		}
	}
}

func TestBinsTakeTheirNumbers(t *testing.T) {
	stars, ages := binsOf(t, "stars", "1..5"), binsOf(t, "age", "0..100/10")
	if !slices.Equal(stars.Values(), []string{"1", "2", "3", "4", "5"}) || len(ages.Values()) != 10 || ages.Values()[9] != "90..100" {
		t.Errorf("values %q and %q", stars.Values(), ages.Values())
	}
	for value, want := range map[string]int{"1": 0, "3.0": 2, "30e-1": 2, " 5 ": 4, "0.5": -1, "1.5": -1, "4.9999": -1, "5.49": -1, "0": -1, "6": -1, "": -1, "x": -1, "NaN": -1, "inf": -1, "1e400": -1, "3stars": -1} {
		got, ok := stars.find([]byte(value))
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q is in bin %d, want %d", value, got, want)
		}
	}
	ratings := binsOf(t, "rating", "0..5/0.5")
	for value, want := range map[string]int{"99.9": 9, "9.5": 0, "10": 1} {
		if got, ok := ages.find([]byte(value)); !ok || got != want {
			t.Errorf("%s is in bin %d of ages, want %d", value, got, want)
		}
	}
	if got, ok := ratings.find([]byte("4.7")); !ok || got != 9 {
		t.Errorf("4.7 is in bin %d of ratings", got)
	}
	if _, ok := ages.find([]byte("100")); ok {
		t.Error("100 is in a bin below 100")
	}
}

// Users with several records in a cell: the interval of a label is of what the statement says
// that it counts. Of 1,000 releases, more than 5 % misses by six standard deviations (42) have
// a chance below 1e-9.
func TestIntervalsAreOfWhatTheStatementNames(t *testing.T) {
	stage.Unraced(t)
	const users, each, times = 30, 8, 1000
	for _, delta := range []float64{0, 1e-6} {
		p := planOf(t, Options{Epsilon: 4, PerUser: 40, Delta: delta, Columns: []Column{labels(t, "label", "sport", "money")}})
		var records []Record
		for i := range users * each {
			records = append(records, Record{Text: []byte(sentence(0, 0)), Labels: [][]byte{[]byte("sport")}, User: []byte{byte(i % users)}})
		}
		votes := p.Vote(records)
		want, truth := Records, int64(users*each)
		if delta > 0 {
			want, truth = UserCells, users // each has all records in one cell
		}
		misses, others := 0, 0
		for _, r := range released(t, p, func(c *Counts) { c.Add(votes) }, times) {
			s := r.Statement()
			if s.Counted != want || r.Counted() != want {
				t.Fatalf("delta %g: the counts are of %q, want %q", delta, s.Counted, want)
			}
			sport := s.Labels[0]
			if sport.Low > truth || sport.High < truth {
				misses++
			}
			if s.Count.Low > users*each || s.Count.High < users*each { // of records, under any noise
				others++
			}
		}
		if misses > times/20+42 || others > times/20+42 {
			t.Errorf("delta %g: %d intervals of the label miss %d %s, and %d of the count miss the records", delta, misses, truth, want, others)
		}
	}
}
