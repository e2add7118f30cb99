package plan

import "github.com/sotto-dp/sotto/lab/experiment"

// restoredSet is a set of private texts, and the language models that restore them.
type restoredSet struct {
	set     string
	private int
	models  []publicTexts // the first is of the set's own domain
}

// publicTexts are the training texts of a language model: at most texts of a set.
type publicTexts struct {
	prior string
	texts int
}

func restoredSets(s Size) []restoredSet {
	news := restoredSet{"ag-news", 2000, []publicTexts{{"ag-news", 13600}, {"ag-news", 2000}, {"imdb", 13600}}}
	switch s {
	case Smoke:
		return []restoredSet{{"topics4", 60, []publicTexts{{"topics4", 100}, {"reviews", 100}}}}
	case Quick:
		news.private = 1000
		return []restoredSet{news}
	}
	return []restoredSet{
		{"trec6", 2726, []publicTexts{{"trec6", 2726}, {"ag-news", 13600}}},
		news,
		{"sst2", 3460, []publicTexts{{"sst2", 3460}, {"ag-news", 13600}}},
	}
}

// restored asks which learners gain from a restored release.
var restored = Plan{
	Name:   "restored",
	Title:  "Learning from restored releases of words",
	Source: "this project, docs/results/learning.md",
	About: "Words of private texts are released one by one; a language model of public texts restores the release (package restore). Naive Bayes on counts of words and a softmax regression on averaged vectors learn from the release as it is and from the restored one, and are tested on texts as they are. " +
		"prior: the set that the model's texts are of; for the set itself they are other training texts, and none shares six words in a row with a private or a test text. public: the most texts of the model. recovered: the share of private words that are the likeliest at their position given the whole release (words that the table lacks are one of them, the unknown entry), which is what an attacker with that model recovers: at equal shares of it channels are compared at equal risk.",
	Findings: "Full size, three seeds. With a model of the same domain naive Bayes gains 0.04 to 0.15 from restored releases of neighbours at epsilon 4 to 8 (AG News 0.721 to 0.780 at 6); averaged vectors gain on the short questions of TREC-6, and lose 0.05 on AG News at 4. " +
		"Restored releases of classes teach nearly the same at equal epsilon and less at equal recovery: AG News 0.779 at 0.54 recovered, where neighbours has 0.820 at 0.51. A model of film reviews makes restored news worse than raw news for naive Bayes (0.721 to 0.671 at 6).",
	Run: experiment.Restored,
	Grid: func(s Size) []Trial {
		table := over("table", bySize(s, "builtin:500", "glove:5000", "glove:10000"))
		test := over("test", bySize(s, 60, 2000, 0))
		pure := bySize(s, []float64{6}, []float64{4, 6, 8}, []float64{4, 6, 8, 10})
		var all []Trial
		for seed := range bySize(s, 1, 1, 3) { // an interrupted run has every set
			for _, of := range restoredSets(s) {
				for i, m := range of.models {
					on := []axis{over("set", of.set), over("private", of.private), test, table, over("prior", m.prior), over("public", m.texts)}
					epsilons := pure
					if i > 0 && len(pure) > 3 {
						epsilons = []float64{6, 8} // where the own domain gains
					}
					if i == 0 && seed == 0 {
						all = append(all, seeded(1, append(on, over("mechanism", "none"))...)...)
					}
					all = append(all, seeded(seed+1, append(on, over("mechanism", "neighbours", "classes"), over("epsilon", epsilons...))...)...)
				}
			}
		}
		for seed := range bySize(s, 1, 1, 3) { // other kinds of channels, in the own domain
			for _, of := range restoredSets(s) {
				m := of.models[0]
				on := []axis{over("set", of.set), over("private", of.private), test, table, over("prior", m.prior), over("public", m.texts)}
				all = append(all, seeded(seed+1, append(on[:len(on):len(on)], over("mechanism", "response"), over("epsilon", pure...))...)...)
				all = append(all, seeded(seed+1, append(on[:len(on):len(on)], over("mechanism", "tem"), over("epsilon", bySize(s, []float64{2}, []float64{2}, []float64{1, 2})...))...)...)
			}
		}
		return all
	},
	Charts: []Chart{
		{Title: "Naive Bayes from the restored release against words recovered", X: "recovered", Y: "restored_words", Series: "mechanism", Panel: "set, prior"},
		{Title: "Averaged vectors from the raw release against words recovered", X: "recovered", Y: "vectors", Series: "mechanism", Panel: "set, prior"},
	},
	Tables: []Table{{Title: "Accuracy", Rows: []string{"prior", "public", "mechanism", "epsilon"}, Values: []string{"words", "restored_words", "risk_words", "vectors", "restored_vectors", "recovered", "recovered_alone", "perplexity"}, Panel: "set"}},
}
