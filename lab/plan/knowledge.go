package plan

import "github.com/sotto-dp/sotto/lab/experiment"

var publicKnowledge = Plan{
	Name:   "public-knowledge",
	Title:  "A whole corpus, private: what it teaches beyond words for labels",
	Source: "this project, package text/about",
	About: "What a classifier learns without any private text, from public texts that words for labels label (" + experiment.KnownAlone + "), from a synthetic corpus whose cells are also cut along these words, and from the private texts (none). " +
		"The words were written down before any text of a set was read with them. way: the share of the way from public knowledge to none; below 0 it is printed as it is. " + synthetic + parts,
	Run: experiment.PublicKnowledge,
	Grid: func(s Size) []Trial {
		epsilons := bySize(s, []float64{1}, []float64{1}, []float64{0.25, 1})
		var all []Trial
		for _, a := range worded(s) {
			at := append(a.axes("test"), over("about", "words"))
			all = append(all, seeded(1, append(at[:len(at):len(at)], over("mechanism", "none", experiment.KnownAlone))...)...)
			for seed := range bySize(s, 1, 1, 3) {
				all = append(all, seeded(seed+1, append(at[:len(at):len(at)], over("mechanism", synthesize), over("epsilon", epsilons...))...)...)
			}
		}
		return all
	},
	Tables: []Table{{Title: "Learnt", Rows: []string{"codebook", "mechanism", "epsilon"}, Values: []string{"accuracy", "macro_f1", "known", "clear", "way"}, Panel: "set"}},
}

// worded lists the sets that have words for labels, smallest first.
func worded(s Size) []wholeSet {
	all := privates(s)
	if s != Full {
		return bySize(s, all, all[1:], nil)
	}
	return []wholeSet{all[2], all[3], all[0], all[1], all[4], all[5]}
}
