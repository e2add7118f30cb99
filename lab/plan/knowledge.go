package plan

import "github.com/sotto-dp/sotto/lab/experiment"

const known = "What a classifier learns without any private text, from public texts that words for labels label (" + experiment.KnownAlone + ") or from a few public texts of the set with their labels (" + experiment.PublicLabels + "), from a private copy, and from the private texts (none). " +
	"The words were written down before any text of a set was read with them. about words: the cells of a synthetic corpus are also cut along the words; begins words: the learner of a copy adds what they say. All rows have the same learner. "

var publicKnowledge = Plan{
	Name:   "public-knowledge",
	Title:  "What a private copy teaches beyond words for labels",
	Source: "this project, package text/about",
	About:  known + synthetic + "Releases of whole texts (retrieval): epsilon is of a text, labels are public, and the corpus is not cut. " + parts,
	Run:    experiment.PublicKnowledge,
	Grid: func(s Size) []Trial {
		epsilons := bySize(s, []float64{1}, []float64{1}, []float64{0.25, 0.5, 1})
		// At 4 the noise is small. What is left are the public texts and their cells.
		withWords := bySize(s, epsilons, epsilons, []float64{0.25, 0.5, 1, 4})
		var all []Trial
		add := func(seed int, a wholeSet, more ...axis) {
			all = append(all, seeded(seed, append(a.axes("test"), more...)...)...)
		}
		cut, begins := over("about", "words"), over("begins", "words")
		for seed := range bySize(s, 1, 1, 3) { // an interrupted run has every set
			for _, a := range worded(s) {
				if seed == 0 {
					add(1, a, cut, over("mechanism", "none", experiment.KnownAlone))
				}
				add(seed+1, a, cut, over("mechanism", experiment.PublicLabels), over("labels", 40, 100))
				add(seed+1, a, cut, begins, over("mechanism", synthesize), over("epsilon", withWords...))
			}
		}
		for seed := range bySize(s, 1, 1, 3) {
			for at, a := range privates(s) {
				epsilon := 4.0
				switch {
				case a.codebook == "english":
					epsilon = 2
				case s == Full && a.set != "trec6" && a.set != "sst2" || at > 0 && s != Full:
					continue
				}
				if seed == 0 && a.codebook == "english" {
					add(1, a, over("mechanism", "none", experiment.KnownAlone))
				}
				add(seed+1, a, over("mechanism", signal), over("epsilon", epsilon))
				add(seed+1, a, begins, over("mechanism", signal), over("epsilon", epsilon))
			}
		}
		for seed := range bySize(s, 0, 0, 3) {
			for _, a := range worded(s) {
				add(seed+1, a, over("mechanism", synthesize), over("epsilon", epsilons...))
			}
		}
		for seed := range bySize(s, 0, 0, 3) {
			for _, a := range worded(s) {
				add(seed+1, a, begins, over("mechanism", synthesize), over("epsilon", withWords...))
			}
		}
		return all
	},
	Tables: []Table{{Title: "Learnt", Rows: []string{"codebook", "mechanism", "epsilon"}, Values: []string{"accuracy", "macro_f1"}, Panel: "set"}},
}

// knowledgeChoices are the trials on development parts that show what the prior costs.
var knowledgeChoices = Plan{
	Name:   "public-knowledge-choices",
	Title:  "Words for labels: what the learner's prior gains and costs, on development parts",
	Source: "this project, package learn",
	About:  "The learner of one synthetic corpus, with the words for labels as its prior and without. Its cells are cut along the words in both, or in none. Development parts share no text with private, public and test parts. " + parts,
	Run:    experiment.PublicKnowledge,
	Grid: func(s Size) []Trial {
		epsilons := bySize(s, []float64{1}, []float64{1}, []float64{0.25, 0.5, 1, 4})
		sets := developed(s)
		if s == Full {
			sets = []wholeSet{
				{"cr", "own", 1400, 1500, 3000, 0, "sif+lsa", "glove", nil}, sets[0], sets[2],
				{"mr", "own", 3200, 5500, 3000, 0, "sif+lsa", "glove", nil}, sets[4], sets[1], sets[3],
			}
		}
		var all []Trial
		for seed := range bySize(s, 1, 1, 3) {
			for _, a := range sets {
				at := append(a.axes("dev"), over("about", "words"))
				if seed == 0 {
					all = append(all, seeded(1, append(at[:len(at):len(at)], over("mechanism", experiment.KnownAlone))...)...)
				}
				at = append(at, over("mechanism", synthesize), over("epsilon", epsilons...))
				all = append(all, seeded(seed+1, at...)...)
				all = append(all, seeded(seed+1, append(at, over("begins", "words"))...)...)
			}
		}
		for seed := range bySize(s, 0, 0, 3) { // cells that know no words
			for _, a := range sets {
				at := append(a.axes("dev"), over("mechanism", synthesize), over("epsilon", epsilons...))
				all = append(all, seeded(seed+1, at...)...)
				all = append(all, seeded(seed+1, append(at, over("begins", "words"))...)...)
			}
		}
		return all
	},
	Tables: []Table{{Title: "Development part", Rows: []string{"codebook", "mechanism", "epsilon"}, Values: []string{"accuracy", "macro_f1"}, Panel: "set"}},
}

// worded lists the sets that have words for labels, smallest first.
func worded(s Size) []wholeSet {
	all := privates(s)
	if s != Full {
		return bySize(s, all, all[1:], nil)
	}
	return []wholeSet{all[2], all[3], all[0], all[4], all[5]}
}
