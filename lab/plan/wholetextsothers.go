package plan

import "github.com/sotto-dp/sotto/lab/experiment"

// compared lists the sets on which other mechanisms are given the same loss of the whole
// text as retrieval.
func compared(s Size) []wholeSet {
	all := privates(s)
	return bySize(s, all[:1], all[1:], []wholeSet{all[0], all[min(2, len(all)-1)]})
}

var wholeTextsWords = Plan{
	Name:   "whole-texts-words",
	Title:  "Whole texts: word by word at the same loss of the whole text",
	Source: "this project, docs/howto/texts.md",
	About: "neighbours replaces each word of the private texts of whole-texts, with epsilon spread over the words of the longest private text. A classifier of averaged vectors learns from the copies, with their public labels, and is measured on test texts as they are. " +
		"word_epsilon: the share of one word.",
	Findings: "Full size, three seeds: words at the same loss of the longest text teach almost nothing up to 8. AG News reaches 0.737 at 200 and 0.838 at 800; TREC-6 0.589 and 0.740.",
	Run:      experiment.WordByWord,
	Grid: func(s Size) []Trial {
		var axes [][]axis
		for _, a := range compared(s) {
			axes = append(axes, []axis{
				over("set", a.set), over("private", a.private), over("test", a.test), over("table", bySize(s, "builtin:500", "glove:5000", "glove:10000")), over("mechanism", "neighbours"),
				over("epsilon", bySize(s, []float64{2, 8}, []float64{8, 200}, []float64{1, 2, 4, 8, 50, 200, 800})...),
			})
		}
		return inTurn(bySize(s, 1, 1, 3), axes)
	},
	Charts: []Chart{{Title: "Accuracy against epsilon of the longest text", X: "epsilon", Y: "accuracy", Series: "mechanism", Panel: "set", LogX: true}},
	Tables: []Table{{Title: "Word by word", Rows: []string{"mechanism", "epsilon"}, Values: []string{"accuracy", "rouge1", "longest", "word_epsilon"}, Panel: "set"}},
}

var wholeTextsLatent = Plan{
	Name:   "whole-texts-latent",
	Title:  "Whole texts: through a noisy latent vector at the same loss of the whole text",
	Source: "ADePT (Krishna et al. 2021), corrected; docs/howto/autoencoder.md",
	About: "An auto-encoder of the public texts of whole-texts reads each private text into one vector, adept adds noise to it, and the model writes a text. Epsilon is of the whole text. A classifier of averaged vectors learns from the copies, with their public labels, and is measured on test texts as they are. " +
		"Mechanism none is the model without noise. Questions of TREC-6 only: other texts are longer than the model reads.",
	Findings: "Full size, three seeds: TREC-6 is guessed up to 8 (0.19 to 0.20), and reaches 0.419, 0.597 and 0.617 at 50, 200 and 800, where the model without noise teaches 0.642.",
	Run:      experiment.LatentTexts,
	Grid: func(s Size) []Trial {
		sets := compared(s)
		a := sets[len(sets)-1]
		a.encoder = bySize(s, "sif", "sif", "sif+lsa") // of the corpus; the model does not use it
		fixed := append(a.axes("test"), over("epochs", bySize(s, 2, 10, 40)), over("hidden", bySize(s, 8, 64, 128)), over("latent", bySize(s, 4, 32, 64)), over("tokens", 40))
		return append(seeded(1, append(fixed, over("mechanism", "none"))...),
			product(bySize(s, 1, 1, 3), append(fixed, over("mechanism", "adept"), over("epsilon", bySize(s, []float64{8}, []float64{8, 200}, []float64{1, 2, 4, 8, 50, 200, 800})...))...)...)
	},
	Charts: []Chart{{Title: "Accuracy against epsilon of the whole text", X: "epsilon", Y: "accuracy", Series: "mechanism", Panel: "set", LogX: true}},
	Tables: []Table{{Title: "Through a latent vector", Rows: []string{"mechanism", "epsilon"}, Values: []string{"accuracy", "rouge1"}, Panel: "set"}},
}

var wholeTextsVectors = Plan{
	Name:   "whole-texts-vectors",
	Title:  "Whole texts: as one private vector at the same loss of the whole text",
	Source: "this project, docs/howto/embed.md",
	About: "privunit releases one vector of each private text of whole-texts: the average of its words' vectors, mapped to a public basis. Epsilon is of the whole text. A linear classifier learns from the vectors, with their public labels and the second moment of the noise known, and is measured on the clear vectors of test texts. " +
		"learnt clear: from the vectors without noise. Components and averages were chosen on development parts (text-vectors-choices): those of the nearest epsilon.",
	Findings: "Full size, three seeds: at 1, 2, 4 and 8 AG News has 0.798, 0.836, 0.854 and 0.859 of 0.879, TREC-6 0.391, 0.513, 0.562 and 0.615 of 0.634.",
	Run:      experiment.TextVectors,
	Grid: func(s Size) []Trial {
		var clear, axes [][]axis
		for _, a := range compared(s) {
			of := []axis{over("set", a.set), over("private", a.private), over("measured", "test"), over("test", a.test), over("table", bySize(s, "builtin:500", "glove", "glove"))}
			at := bySize(s, []float64{8}, []float64{1, 4}, []float64{1, 2, 4, 8})
			clear = append(clear, append(of[:len(of):len(of)], over("mechanism", privunit(a.set, at[len(at)-1])), over("learnt", "clear")))
			for _, e := range at {
				axes = append(axes, append(of[:len(of):len(of)], over("mechanism", privunit(a.set, e)), over("epsilon", e), released))
			}
		}
		return append(inTurn(1, clear), inTurn(bySize(s, 1, 1, 3), axes)...)
	},
	Charts: []Chart{{Title: "Accuracy against epsilon of the whole text", X: "epsilon", Y: "accuracy", Series: "mechanism", Panel: "set", LogX: true}},
	Tables: []Table{{Title: "One vector per text", Rows: []string{"mechanism", "epsilon", "learnt"}, Values: []string{"accuracy", "macro_f1", "dimensions"}, Panel: "set"}},
}

// inTurn returns the trials of several products, with the seeds running slowest.
func inTurn(seeds int, products [][]axis) []Trial {
	var all []Trial
	for seed := range seeds {
		for _, axes := range products {
			all = append(all, seeded(seed+1, axes...)...)
		}
	}
	return all
}
