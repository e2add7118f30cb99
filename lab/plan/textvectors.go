package plan

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/lab/experiment"
)

// vectorSet is a set of private texts that become vectors: how many are private, how
// many of the test part are measured on (0: all), and how many are private where the
// development part is measured. chosen has the options of privunit that the development
// part chose, by epsilon.
type vectorSet struct {
	set                string
	private, test, dev int
	chosen             map[float64]string
}

var vectorSets = []vectorSet{
	{"ag-news", 4608, 0, 4608, map[float64]string{1: "dimensions=30 average=weighted", 2: "dimensions=50 average=weighted", 4: "dimensions=100 average=weighted"}},
	{"sst2", 6920, 0, 6920, map[float64]string{4: "dimensions=100 average=weighted"}},
	{"trec6", 2726, 0, 2226, map[float64]string{4: "dimensions=50 average=equal"}},
	{"imdb", 8000, 5000, 8000, map[float64]string{2: "dimensions=100 average=equal"}},
}

// at lists the epsilons of a set.
func (a vectorSet) at() []float64 {
	switch a.set {
	case "ag-news":
		return []float64{1, 2, 4}
	case "imdb":
		return []float64{2}
	}
	return []float64{4}
}

// privunit returns the mechanism with the options that the development part of a set chose at the
// nearest epsilon, or with its defaults for a set on which none were tried.
func privunit(set string, epsilon float64) string {
	for _, a := range vectorSets {
		if a.set == set {
			nearest := slices.MinFunc(slices.Sorted(maps.Keys(a.chosen)), func(x, y float64) int {
				return cmp.Compare(math.Abs(x-epsilon), math.Abs(y-epsilon))
			})
			return "privunit " + a.chosen[nearest]
		}
	}
	return "privunit"
}

// released are trials that learn from a release.
var released = over("learnt", "release")

var textVectorsChoices = Plan{
	Name:   "text-vectors-choices",
	Title:  "Vectors of whole texts: what was chosen, on development parts",
	Source: "this project, docs/howto/embed.md",
	About:  "Numbers of components and averages of privunit on development parts, which share no text with private and test parts.",
	Run:    experiment.TextVectors,
	Grid: func(s Size) []Trial {
		if s == Smoke {
			return product(1, over("set", "topics4"), over("private", 60), over("measured", "dev"), over("test", 60), over("table", "builtin:500"), over("mechanism", "privunit"), over("epsilon", 4.0), released)
		}
		var all []Trial
		for _, a := range vectorSets[:bySize(s, 1, 2, 4)] {
			for _, d := range []int{30, 50, 100} {
				for _, average := range []string{"equal", "weighted"} {
					all = append(all, product(bySize(s, 1, 1, 3), over("set", a.set), over("private", a.dev), over("measured", "dev"), over("test", 3000), over("table", "glove"),
						over("mechanism", fmt.Sprintf("privunit dimensions=%d average=%s", d, average)), over("epsilon", a.at()...), released)...)
				}
			}
		}
		return all
	},
	Tables: []Table{{Title: "Development part", Rows: []string{"mechanism", "epsilon"}, Values: []string{"accuracy", "macro_f1", "ridge"}, Panel: "set"}},
}

var textVectors = Plan{
	Name:   "text-vectors",
	Title:  "Vectors of whole texts: what a learner gets from one private vector a text",
	Source: "this project, docs/howto/embed.md",
	About: "One vector of each private text is released; epsilon is the loss of the whole text, labels are public. A linear classifier learns from the release with the second moment of the noise known, and is measured on the clear vectors of test texts. Gaussian has delta 1e-6 beside epsilon, trlaplace too; the metric epsilon of privemb is epsilon over the diameter of the table. " +
		"learnt: from the release, or from the clear vectors. Components and averages of privunit were chosen on development parts (text-vectors-choices).",
	Findings: "Full size, three seeds: privunit reaches 0.798, 0.836 and 0.854 on AG News at 1, 2 and 4, 0.703 on SST-2 and 0.562 on TREC-6 at 4, 0.669 on IMDB at 2. The codebook costs 0.007 against the continuous form on TREC-6 and gains 0.002 to 0.013 elsewhere. All other members are within 0.09 of a guess at these losses of a whole text.",
	Run:      experiment.TextVectors,
	Grid: func(s Size) []Trial {
		if s == Smoke {
			return product(1, over("set", "topics4"), over("private", 60), over("measured", "test"), over("test", 60), over("table", "builtin:500"), over("mechanism", "privunit", "laplace"), over("epsilon", 4.0), released)
		}
		var all []Trial
		for _, a := range vectorSets[:bySize(s, 1, 2, 4)] {
			part := []axis{over("set", a.set), over("private", a.private), over("measured", "test"), over("test", a.test), over("table", "glove")}
			for _, e := range a.at() {
				chosen := privunit(a.set, e)
				all = append(all, product(bySize(s, 1, 1, 3), append(part[:5:5], over("mechanism", chosen, chosen+" form=continuous", "gaussian-analytic", "laplace", "trlaplace", "privemb"), over("epsilon", e), released)...)...)
				all = append(all, product(1, append(part[:5:5], over("mechanism", chosen), over("epsilon", e), over("learnt", "clear"))...)...)
			}
		}
		return all
	},
	Tables: []Table{{Title: "Accuracy", Rows: []string{"mechanism", "epsilon", "learnt"}, Values: []string{"accuracy", "macro_f1", "dimensions"}, Panel: "set"}},
}
