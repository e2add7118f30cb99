package restore

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// order is the words of a model by falling chance without context.
type order struct {
	words  []embedding.ID
	log    []float64        // of each word, by its ID
	chance []float64        // exp(log)
	next   []language.State // after the word alone, by its ID
	goesOn float64          // the chance of all words together
}

func newOrder(m *language.Model) order {
	ranked := m.Ranked(m.Empty())
	n := ranked.Len()
	o := order{
		words: make([]embedding.ID, n), log: make([]float64, n), chance: make([]float64, n), next: make([]language.State, n),
		goesOn: m.GoesOn(m.Empty()),
	}
	for i := range n {
		w := ranked.Word(i)
		o.words[i], o.log[w], o.next[w] = w, ranked.Log(i), ranked.Next(i)
		o.chance[w] = math.Exp(o.log[w])
	}
	return o
}

// view is a column under a model: its words without context, by falling weight, as far as they
// were needed.
type view struct {
	*column
	places []place // the first of the words
	whole  bool    // they are all
	looked int     // words of the order that were looked at

	alone alone // except for unbiased lattices

	// For unbiased lattices alone:
	sums []float64 // of the weights from each on, and 0 at the end
	rank []int32   // of each index of listed, its place in that order
	own  []float64 // of each index of listed, P(word)
	all  float64   // the sum of own
	// weight is exp(value) of each index of listed.
	weight []float64
}

// newView returns a column under the model, and begins a position of it.
func (d *Decoder) newView(c *column) *view {
	if d.options.Unbiased {
		c = c.byWords()
	}
	d.hits.begin(c)
	v := &view{column: c}
	if d.options.Unbiased {
		d.more(v, c.count)
		d.sum(v)
	} else {
		v.alone = d.aloneOf(v)
	}
	return v
}

// firstPlaces is the number of words of a view that are sorted at first. Then it doubles.
const firstPlaces = 256

// reach reports whether a view of the position has place j, and sorts the words up to it.
func (d *Decoder) reach(v *view, j int) bool {
	for j >= len(v.places) && !v.whole {
		d.more(v, max(firstPlaces, len(v.places)))
	}
	return j < len(v.places)
}

// manyListed: of two levels, words of a column that has at least such a part of all are found by
// going through the words of the model in their order.
const manyListed = 64

// more adds the next n places of a view of the position, and perhaps others that are as likely
// as the last.
func (d *Decoder) more(v *view, n int) {
	before := len(v.places)
	if v.set != nil || v.chance == nil && v.count > len(d.order.words)/manyListed && !d.options.Unbiased {
		for ; v.looked < len(d.order.words) && len(v.places)-before < n; v.looked++ {
			if w := d.order.words[v.looked]; d.hits.lists(w) {
				v.places = append(v.places, place{d.order.log[w] + v.level, w})
			}
		}
	} else {
		v.places = append(v.places, d.next(v, n)...)
	}
	v.whole = len(v.places) >= v.count
	d.viewed += len(v.places) - before
}

// next returns the next n places of a view that lists words, or more.
func (d *Decoder) next(v *view, n int) []place {
	all := d.scratch[:0]
	for i, w := range v.listed {
		p := place{d.order.log[w] + v.of(i), w}
		if before := len(v.places); before == 0 || v.places[before-1].before(p) < 0 {
			all = append(all, p)
		}
	}
	d.scratch = all
	if n < len(all) {
		all = firstOf(all, n)
	}
	slices.SortFunc(all, place.before)
	return all
}

// firstOf returns at least the n first of places, and few others, in the memory of all. It counts
// how many are how many steps below the first.
func firstOf(all []place, n int) []place {
	top := math.Inf(-1)
	for i := range all {
		if all[i].value > top {
			top = all[i].value
		}
	}
	var counts [256]int
	const most = len(counts) - 1
	for i := range all {
		at := most
		if below := (top - all[i].value) * stepsPerUnit; below < float64(most) {
			at = int(below)
		}
		counts[at]++
	}
	last := 0
	for found := counts[0]; found < n; found += counts[last] {
		last++
	}
	if last == most {
		return all
	}
	first := all[:0]
	for _, p := range all {
		if (top-p.value)*stepsPerUnit < float64(last+1) {
			first = append(first, p)
		}
	}
	return first
}

// sum completes a view for unbiased lattices.
func (d *Decoder) sum(v *view) {
	n := len(v.places)
	v.sums, v.rank, v.own, v.weight = make([]float64, n+1), make([]int32, n), make([]float64, n), make([]float64, n)
	for j := n - 1; j >= 0; j-- {
		p := v.places[j]
		i := d.hits.index(p.word)
		v.weight[i] = math.Exp(p.value)
		v.sums[j] = v.sums[j+1] + v.weight[i]
		v.rank[i], v.own[i] = int32(j), math.Exp(p.value-v.of(i))
		v.all += v.own[i]
	}
}

// falling compares nodes by their masses, then by their numbers.
func falling(mass []float64, a, b int32) int {
	switch {
	case mass[a] > mass[b]:
		return -1
	case mass[a] < mass[b]:
		return 1
	}
	return int(a - b)
}

// place is a listed word with the logarithm of P(word) P(output|word).
type place struct {
	value float64
	word  embedding.ID
}

// before compares places as falling compares nodes.
func (p place) before(q place) int {
	switch {
	case p.value > q.value:
		return -1
	case p.value < q.value:
		return 1
	}
	return int(p.word) - int(q.word)
}

// alone is what an output says without context.
type alone struct {
	best []Guess // the likeliest words, as many as a beam has
	sum  float64 // the chance of the output
}
