package plan

import "github.com/sotto-dp/sotto/lab/experiment"

// corpora lists the sets of the private records and their codebooks in the order in
// which they are run.
func corpora(s Size) []wholeSet {
	all := privates(s)
	if s != Full {
		return all[:1]
	}
	other := all[0]
	other.codebook, other.public = "imdb-sentences", 20000
	return []wholeSet{all[0], all[2], all[3], all[4], all[5], all[1], other}
}

const (
	synthesize = "synthesize"
	synthetic  = "A private copy of a labelled corpus: each record votes for its label and the cluster of public texts nearest to its text, and public texts are written in the numbers of the noisy counts. Central epsilon, pure, for a whole record with its label, added or removed; counts, number of records and far share are all paid for. "
)

var syntheticCorpora = Plan{
	Name:   "synthetic-corpora",
	Title:  "A whole corpus, private: what a synthetic one teaches",
	Source: "this project, package synthesis",
	About: synthetic + "Classifiers learn from the copy and are measured on test texts as they are: accuracy from every public text with its weight, drawn_accuracy from texts that are drawn, clear from the private texts. Parts as in whole-texts: " + parts +
		"distance: a kernel distance of drawn texts from private ones, public_distance: of the codebook; seen: distinct texts among the drawn ones. Nothing was chosen on the test part.",
	Findings: "Full size, three seeds, weighted; in brackets what words alone teach, and the private texts by the strongest learner (public-knowledge). AG News: 0.859, 0.865, 0.872 and 0.870 at 0.1, 0.25, 0.5 and 1 (0.867, 0.895). IMDB: 0.843 at 1 (0.834, 0.891). SST-2 over sentences of IMDB: 0.697 at 0.5 (0.741, 0.836). TREC-6: 0.769 at 0.5 and 0.782 at 2 (0.760, 0.888). Yelp: 0.890 at 0.5 (0.881, 0.952). " +
		"Over sentences of film reviews AG News reaches 0.758 at 0.5 and 0.801 at 1.",
	Run: experiment.Synthetic,
	Grid: func(s Size) []Trial {
		epsilons := bySize(s, []float64{1}, []float64{0.25, 1}, []float64{0.1, 0.25, 0.5, 1, 2, 4})
		var all []Trial
		for seed := range bySize(s, 1, 1, 3) { // an interrupted run has every set
			for _, a := range corpora(s) {
				if seed == 0 {
					all = append(all, seeded(1, append(a.axes("test"), over("mechanism", "none"))...)...)
				}
				all = append(all, seeded(seed+1, append(a.axes("test"), over("mechanism", synthesize), over("epsilon", epsilons...))...)...)
			}
		}
		return all
	},
	Charts: []Chart{{Title: "Accuracy against central epsilon of a record", X: "epsilon", Y: "accuracy", Series: "codebook", Panel: "set", LogX: true, Limit: "clear", LimitName: "without privacy"}},
	Tables: []Table{
		{Title: "Learnt", Rows: []string{"codebook", "mechanism", "epsilon"}, Values: []string{"accuracy", "macro_f1", "drawn_accuracy", "drawn_macro_f1", "clear"}, Panel: "set"},
		{Title: "Released", Rows: []string{"codebook", "mechanism", "epsilon"}, Values: []string{"clusters", "records_noisy", "far_low", "far_high", "seen", "distance", "public_distance", "texts"}, Panel: "set"},
	},
}

var syntheticWritten = Plan{
	Name:   "synthetic-corpora-written",
	Title:  "A whole corpus, private: texts that a language model wrote",
	Source: "this project, package synthesis",
	About: synthetic + "Here a public n-gram model of order 3, trained on the public texts, writes a text in place of each drawn one, from the words of its cluster. accuracy: a classifier that learns from the written texts; public_accuracy: the same learner from the public texts that they replace. Neither knows of cells. " +
		parts + "distance: a kernel distance of written texts from private ones.",
	Findings: "Full size, three seeds. Written texts teach AG News 0.861, 0.871 and 0.869 at 0.25, 0.5 and 1, the public texts that they replace 0.862, 0.869 and 0.869, and words alone 0.867: topics survive, though the texts make little sense.",
	Run:      experiment.SyntheticWritten,
	Grid: func(s Size) []Trial {
		epsilons := bySize(s, []float64{1}, []float64{1}, []float64{0.25, 0.5, 1})
		var all []Trial
		for seed := range bySize(s, 1, 1, 3) {
			all = append(all, seeded(seed+1, append(privates(s)[0].axes("test"), over("mechanism", synthesize), over("epsilon", epsilons...))...)...)
		}
		return all
	},
	Tables: []Table{{Title: "Learnt", Rows: []string{"codebook", "epsilon"}, Values: []string{"accuracy", "macro_f1", "public_accuracy", "public_macro_f1", "clear", "distance"}, Panel: "set"}},
}

var syntheticShuffled = Plan{
	Name:   "synthetic-corpora-shuffled",
	Title:  "A whole corpus, private: releases of single texts, shuffled, at the same central epsilon",
	Source: "this project, package privacy/shuffle",
	About: "What synthetic-corpora is compared with: each text is released by retrieval, or its vector by privunit, at a local epsilon, and releases of one label are shuffled, so that the central epsilon at delta n^-1.5 is that of the trial, by the best proved bound, for the label with the fewest texts. Nobody sees the texts; one party is trusted to shuffle the releases; labels are public here, and one text is replaced, not added. " +
		parts,
	Findings: "Full size, three seeds. At central epsilon 0.1, 0.5 and 1 retrieval reaches 0.847, 0.860 and 0.863 on AG News, privunit 0.748, 0.839 and 0.845: below synthetic corpora of the same epsilon, though labels are public. On TREC-6, whose rarest label has few texts, 0.362, 0.570 and 0.605. Only over sentences of film reviews is a release of single texts ahead: privunit teaches AG News 0.819 at 0.25, a synthetic corpus 0.751. Words and public news alone teach 0.867.",
	Run:      experiment.Shuffled,
	Grid: func(s Size) []Trial {
		epsilons := bySize(s, []float64{1}, []float64{1}, []float64{0.1, 0.25, 0.5, 1, 2, 4})
		var axes [][]axis
		for _, a := range bySize(s, compared(s), compared(s), corpora(s)) {
			axes = append(axes, append(a.axes("test"), over("mechanism", signal, "privunit dimensions=50 average=weighted"), over("epsilon", epsilons...)))
		}
		return inTurn(bySize(s, 1, 1, 3), axes)
	},
	Tables: []Table{{Title: "Learnt", Rows: []string{"mechanism", "epsilon"}, Values: []string{"accuracy", "plain_accuracy", "clear", "local_epsilon", "delta", "records", "set_size"}, Panel: "set"}},
}

var syntheticExamples = Plan{
	Name:   "synthetic-corpora-examples",
	Title:  "A whole corpus, private: the first twenty rows",
	Source: "this project, package synthesis",
	About:  synthetic + "The first drawn rows, of questions of TREC-6 over other questions, at epsilon 1: none was picked.",
	Run:    experiment.SyntheticRow,
	Grid: func(s Size) []Trial {
		sets := compared(s)
		texts := make([]int, bySize(s, 2, 5, 20))
		for i := range texts {
			texts[i] = i
		}
		return product(1, append(sets[len(sets)-1].axes("test"), over("mechanism", synthesize), over("text", texts...), over("epsilon", 1.0))...)
	},
	Tables: []Table{{Title: "Rows", Rows: []string{"epsilon"}, Texts: []string{"label", "row"}, Panel: "set"}},
}
