package plan

import "github.com/sotto-dp/sotto/lab/experiment"

// linkage compares the units by what an attacker who knows the mechanism finds.
var linkage = Plan{
	Name:   "linkage",
	Title:  "Which text was it? Linkage and membership at equal epsilon of each unit",
	Source: "this project, package attack",
	About: "Private texts are released, and an attacker who knows the mechanism and some candidates, each as likely and the true text among them, names the likeliest. Words: neighbours and classes release each word at epsilon; linked is of whole texts, pair of two adjacent words, one pair of each text. " +
		"Whole texts: retrieval releases a public text, privunit a vector; linked is exact. Corpora: synthesize releases noisy counts; the attacker knows all other records and guesses whether one took part (two candidates; linked is the exact chance to guess right). " +
		"limit and pair_limit: the largest chance that any mechanism of that loss allows. Texts that are released word by word have no limit: their loss grows with their length. The sets of words are known, so pair is exact for the places that a seed chose. Only releases of whole texts word by word are drawn. Both have three seeds. " + parts,
	Findings: "Full size. Texts of AG News whose words neighbours releases at epsilon 1 each are linked among 1,000 with probability 0.641 (three seeds), and all at 4; two adjacent words with 0.061 at 4 and 0.513 at 8. At epsilon 4 of a whole text retrieval is linked with 0.028 and privunit with 0.012, of 0.052 at most. " +
		"Whether a record took part in a synthetic corpus is guessed right with 0.719 at 1 and 0.977 at 4, near the limits 0.731 and 0.982.",
	Run: experiment.Linkage,
	Grid: func(s Size) []Trial {
		epsilons := bySize(s, []float64{4}, []float64{1, 4}, []float64{1, 2, 4, 8})
		among := bySize(s, []int{20}, []int{200}, []int{200, 1000})
		var all []Trial
		for _, a := range bySize(s, compared(s), compared(s)[:1], compared(s)) {
			fixed := linkedOf(s, a)
			exact := append(fixed[:len(fixed):len(fixed)], over("among", among...), over("mechanism", signal, "privunit"), over("epsilon", epsilons...))
			all = append(all, seeded(1, exact...)...)
			all = append(all, seeded(1, append(fixed[:len(fixed):len(fixed)], over("among", 2), over("mechanism", synthesize), over("epsilon", epsilons...))...)...)
		}
		for seed := range bySize(s, 1, 1, 3) { // of releases that are drawn
			for _, word := range []string{"classes", "neighbours"} {
				for _, a := range bySize(s, compared(s), compared(s)[:1], compared(s)) {
					fixed := linkedOf(s, a)
					all = append(all, seeded(seed+1, append(fixed, over("among", among...), over("mechanism", word), over("epsilon", epsilons...))...)...)
				}
			}
		}
		return all
	},
	Charts: []Chart{{Title: "Linked", X: "epsilon", Y: "linked", Series: "mechanism", Panel: "set, among", LogX: true}},
	Tables: []Table{{Title: "Linked", Rows: []string{"among", "mechanism", "epsilon"}, Values: []string{"linked", "linked_low", "linked_high", "limit", "pair", "pair_limit"}, Panel: "set"}},
}

// linkedOf returns what all trials of a set have.
func linkedOf(s Size, a wholeSet) []axis {
	return append(a.axes("test"), over("words", bySize(s, "builtin:500", "glove:5000", "glove:10000")), over("texts", bySize(s, 40, 400, 1000)))
}
