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
	listed []int32          // of each word, 1 + its index among the words of newView
	goesOn float64          // the chance of all words together
}

func newOrder(m *language.Model) order {
	ranked := m.Ranked(m.Empty())
	n := ranked.Len()
	o := order{
		words: make([]embedding.ID, n), log: make([]float64, n), chance: make([]float64, n), next: make([]language.State, n),
		listed: make([]int32, n), goesOn: goesOn(m, m.Empty()),
	}
	for i := range n {
		w := ranked.Word(i)
		o.words[i], o.log[w], o.next[w] = w, ranked.Log(i), ranked.Next(i)
		o.chance[w] = math.Exp(o.log[w])
	}
	return o
}

// goesOn returns the chance that a text does not end after a context.
func goesOn(m *language.Model, s language.State) float64 { return 1 - math.Exp(m.End(s)) }

// view is a column under a model: its words without context, by falling weight.
type view struct {
	*column
	falling []int32          // indices of listed
	value   []float64        // the logarithm of P(word) P(output|word), in that order
	next    []language.State // after the word alone, in that order

	alone alone // except for unbiased lattices

	// For unbiased lattices alone:
	sums []float64 // of the weights from each on, and 0 at the end
	rank []int32   // of each index of listed, its place in that order
	own  []float64 // of each index of listed, P(word)
	all  float64   // the sum of own
	// weight is exp(value) of each index of listed.
	weight []float64
}

func (d *Decoder) newView(c *column) *view {
	n := len(c.listed)
	v := &view{column: c, falling: make([]int32, n), value: make([]float64, n), next: make([]language.State, n)}
	value := make([]float64, n)
	for i, w := range c.listed {
		v.falling[i] = int32(i)
		value[i] = d.order.log[w] + c.of(i)
	}
	if c.chance == nil && n > len(d.order.words)/manyListed {
		d.order.sort(v.falling, c.listed)
	}
	places := make([]place, n) // values beside their indices: sorting reads no others
	for j, i := range v.falling {
		places[j] = place{value[i], i}
	}
	// Where the words are sorted already, this compares each with the next one.
	slices.SortFunc(places, place.before)
	for j, p := range places {
		v.falling[j], v.value[j], v.next[j] = p.at, p.value, d.order.next[c.listed[p.at]]
	}
	if d.options.Unbiased {
		v.sum()
	} else {
		v.alone = d.aloneOf(v)
	}
	return v
}

// manyListed: lists of at least such a part of all words are sorted by a pass over all
// words.
const manyListed = 64

// sort sorts the indices of words by the chances of the words.
func (o *order) sort(indices []int32, words []embedding.ID) {
	for i, w := range words {
		o.listed[w] = int32(i + 1)
	}
	n := 0
	for _, w := range o.words {
		if i := o.listed[w]; i > 0 {
			o.listed[w] = 0
			indices[n] = i - 1
			n++
		}
	}
}

// sum completes a view for unbiased lattices.
func (v *view) sum() {
	n := len(v.value)
	v.sums, v.rank, v.own, v.weight = make([]float64, n+1), make([]int32, n), make([]float64, n), make([]float64, n)
	for j := n - 1; j >= 0; j-- {
		i := v.falling[j]
		v.weight[i] = math.Exp(v.value[j])
		v.sums[j] = v.sums[j+1] + v.weight[i]
		v.rank[i], v.own[i] = int32(j), math.Exp(v.value[j]-v.of(int(i)))
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

// place is the place of a value.
type place struct {
	value float64
	at    int32
}

// before compares places as falling compares nodes.
func (p place) before(q place) int {
	switch {
	case p.value > q.value:
		return -1
	case p.value < q.value:
		return 1
	}
	return int(p.at - q.at)
}

// alone is what an output says without context.
type alone struct {
	best []Guess // the likeliest words, as many as a beam has
	sum  float64 // the chance of the output
}
