package plan

import "github.com/sotto-dp/sotto/lab/experiment"

var baselines = Plan{
	Name:   "baselines",
	Title:  "Classifiers without privacy",
	Source: "what models of this kind are known to reach",
	About: "A bag of words (mean of word vectors, linear layer, softmax; the vectors begin as GloVe's 100 dimensions and are trained too) learns from the " +
		"original text: Adam, 20 epochs, batches of 64. Its steps (0.01 for the linear layer, 0.0003 for the vectors) were chosen on development parts, or on a tenth of " +
		"the training texts held out, never on test texts.",
	Differs:  "Of AG News 15,608 of the 120,000 training texts are available; MR, CR and MPQA are split once, 90 to 10, where papers cross-validate.",
	Findings: "Every set reaches what such models are known to reach: IMDB 0.879, SST-2 0.820, AG News 0.896, TREC-6 0.857, MR 0.770, CR 0.820, MPQA 0.891 (full size, five seeds).",
	Run:      experiment.Classify,
	Grid: func(s Size) []Trial {
		sets := bySize(s, []string{"two-topics"}, []string{"imdb", "sst2", "ag-news", "trec6", "mr", "cr", "mpqa"}, []string{"imdb", "sst2", "ag-news", "trec6", "mr", "cr", "mpqa", "sst5", "yahoo-2topics", "yelp-short"})
		return product(bySize(s, 1, 1, 5), over("set", sets...), over("table", bySize(s, "builtin:2000", "glove", "glove")), over("mechanism", "none"),
			over("train", 0), over("test", 0))
	},
	Tables: []Table{{Title: "Without privacy", Rows: []string{"set", "table"}, Values: []string{"accuracy", "macro_f1", "fitted"}}},
}
