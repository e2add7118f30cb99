package attack

import (
	"cmp"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// Exposure is the share of a word's occurrences that a reader recovers in context. Its
// interval assumes that occurrences are independent.
type Exposure struct {
	Word  embedding.ID
	Share *Share
}

// exposures counts the occurrences of words and those that were recovered.
type exposures map[embedding.ID]struct{ hits, of int }

func (e exposures) add(w embedding.ID, hit bool) {
	c := e[w]
	c.of++
	if hit {
		c.hits++
	}
	e[w] = c
}

// ranked returns the words by the lower end of their intervals, the most exposed first.
func (e exposures) ranked() []Exposure {
	var all []Exposure
	for w, c := range e {
		all = append(all, Exposure{w, exact(c.hits, c.of)})
	}
	slices.SortFunc(all, func(a, b Exposure) int {
		return cmp.Or(cmp.Compare(b.Share.Low, a.Share.Low), cmp.Compare(a.Word, b.Word))
	})
	return all
}
