package plan

import "github.com/sotto-dp/sotto/lab/experiment"

var baselines = Plan{
	Name:   "baselines",
	Title:  "Classifiers without privacy",
	Source: "what models of this kind are known to reach",
	About: "A bag of words (mean of word vectors, linear layer, softmax; the vectors begin as GloVe's 100 dimensions and are trained too) learns from the " +
		"text as it is: Adam, 20 epochs, batches of 64. Its steps (0.01 for the linear layer, 0.0003 for the vectors) were chosen on development parts, or on a tenth of " +
		"the training texts held out, never on test texts.",
	Differs: "Of AG News 15,608 of the 120,000 training texts are at hand; MR, CR and MPQA are split once, 90 to 10, where papers cross-validate.",
	Run:     experiment.Classify,
	Grid: func(s Size) []Trial {
		sets := bySize(s, []string{"two-topics"}, []string{"imdb", "sst2", "ag-news", "trec6", "mr", "cr", "mpqa"}, []string{"imdb", "sst2", "ag-news", "trec6", "mr", "cr", "mpqa", "sst5", "yahoo-2topics", "yelp-short"})
		return product(bySize(s, 1, 1, 5), over("set", sets...), over("table", bySize(s, "builtin:2000", "glove", "glove")), over("mechanism", "none"),
			over("train", 0), over("test", 0))
	},
	Tables: []Table{{Title: "Without privacy", Rows: []string{"set", "table"}, Values: []string{"accuracy", "macro_f1", "fitted"}}},
	Paper: []Quote{
		{"IMDB, at least", "0.86", "known of such models"}, {"SST-2, at least", "0.79", "known of such models"},
		{"AG News, at least", "0.86", "known of such models"}, {"TREC-6, at least", "0.75", "known of such models"},
		{"MR, at least", "0.74", "known of such models"}, {"CR, at least", "0.77", "known of such models"}, {"MPQA, at least", "0.84", "known of such models"},
	},
}
