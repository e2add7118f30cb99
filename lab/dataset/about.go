package dataset

import (
	"fmt"
	"strings"

	"github.com/sotto-dp/sotto/text/about"
)

// lists names the list of package about that speaks for the labels of a set, and the set's
// names for the labels of that list. All were written down before any text of a set was read
// with them.
var lists = map[string]struct {
	list   string
	labels [][2]string // of the list, of the set
}{
	"ag-news":    {"news", nil},
	"trec6":      {"questions", nil},
	"sst2":       {"opinions", opinions},
	"yelp-short": {"opinions", opinions},
	"imdb":       {"opinions", opinions},
	"mr":         {"opinions", opinions},
	"cr":         {"opinions", opinions},
	"mpqa":       {"opinions", opinions},
}

var opinions = [][2]string{{"negative", "0"}, {"positive", "1"}}

// Words returns public words for the labels of a set, nil if there are none.
func Words(set string) (*about.Words, error) {
	l, ok := lists[set]
	if !ok {
		return nil, nil
	}
	data, ok := about.List(l.list)
	if !ok {
		return nil, fmt.Errorf("dataset: there is no list of words called %q", l.list)
	}
	source := "\n" + string(data)
	for _, pair := range l.labels {
		source = strings.ReplaceAll(source, "\n"+pair[0]+"\t", "\n"+pair[1]+"\t")
	}
	return about.Read([]byte(source))
}
