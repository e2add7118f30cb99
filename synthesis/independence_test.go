package synthesis

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/internal/repeats"
	"github.com/sotto-dp/sotto/internal/stage"
)

// Without a seed and without a source, every cell, every release, also of several at once, and
// every plan has noise of its own. No record has voted, so all cells have the same input. The
// chance of failing falsely is at most repeats.Chance for each of three cases; seeded plans
// bound how often two cells agree.
func TestUnseededNoiseIsIndependent(t *testing.T) {
	stage.Unraced(t)
	var values []string
	for i := range 40 {
		values = append(values, fmt.Sprintf("v%d", i))
	}
	book := publicCorpus(t, 0)
	for name, o := range map[string]Options{
		"records":         {Epsilon: 0.5, Expect: 100},
		"users":           {Epsilon: 1, Expect: 100, PerUser: 4},
		"users, Gaussian": {Epsilon: 1, Expect: 100, PerUser: 40, Delta: 1e-6},
	} {
		o.Corpus, o.Columns = book, []Column{labels(t, "label", values...)}
		release := func(p *Plan) []int64 {
			r, err := p.Release(p.NewCounts(), nil)
			if err != nil {
				t.Error(err)
				return nil
			}
			return r.cells
		}
		var reference [2][]int64
		for i := range reference {
			seed := uint64(i)
			o.InsecureSeed = &seed
			reference[i] = release(planOf(t, o))
		}
		o.InsecureSeed = nil
		var drawn [6][]int64
		for i, p := range []*Plan{planOf(t, o), planOf(t, o)} {
			drawn[3*i] = release(p)
			var together sync.WaitGroup
			for k := 1; k < 3; k++ {
				together.Go(func() { drawn[3*i+k] = release(p) })
			}
			together.Wait()
		}
		all := repeats.Draws[int64]{Out: slices.Concat(drawn[:]...), Agree: repeats.Agreement(reference[0], reference[1]), Also: []int{len(drawn[0])}}
		if err := all.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two draws of texts from one release, without a source, have other orders: each of the n!
// orders of n different texts is as likely.
func TestUnseededOrdersAreIndependent(t *testing.T) {
	p := planOf(t, Options{Epsilon: 100, Expect: 100})
	counts := p.NewCounts()
	for i := range 40 {
		counts.Add(p.Vote([]Record{{Text: []byte(sentence(i%4, i))}}))
	}
	r, err := p.Release(counts, nil)
	if err != nil {
		t.Fatal(err)
	}
	var orders [2][]string
	for i := range orders {
		if err := r.Draw(t.Context(), 30, nil, func(row Row) error { orders[i] = append(orders[i], string(row.Text)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(orders[0])))
	if len(distinct) < 13 { // 13! > 1e9
		t.Fatalf("%d different texts were drawn", len(distinct))
	}
	if slices.Equal(orders[0], orders[1]) {
		t.Error("two draws have one order")
	}
}
