package plan

import "github.com/sotto-dp/sotto/lab/experiment"

const sameLoss = "Members are at the same word-level epsilon: neighbours and response promise it, exponential has the largest parameter whose certified loss is 0.99 to 1 of it. "

// readable compares members for a reader.
var readable = Plan{
	Name:   "readable",
	Title:  "How readable texts are at the same word-level epsilon",
	Source: "this project, docs/results/learning.md",
	About: sameLoss + "distance is the mean from a word to its output, over the test texts; perplexity that of the rewritten test texts under a Kneser-Ney trigram model of the original training texts (modified, ends of texts included): " +
		"it measures how usual the order of words is, not their meaning.",
	Run: experiment.Readable,
	Grid: func(s Size) []Trial {
		fixed := []axis{over("set", bySize(s, []string{"topics4"}, []string{"ag-news"}, []string{"ag-news", "sst2"})...), over("table", bySize(s, "builtin:500", "glove:5000", "glove:10000")),
			over("train", bySize(s, 60, 0, 0)), over("test", bySize(s, 60, 2000, 0))}
		members := []string{"neighbours objective=signal", "neighbours objective=readable", "response", "exponential"}
		if s != Smoke {
			members = append(members, "neighbours objective=distance", "neighbours objective=readable classes=english", "neighbours objective=signal classes=english",
				"neighbours objective=readable outputs=2000", "neighbours objective=readable classes=english outputs=2000")
		}
		seeds := bySize(s, 1, 1, 3)
		return append(product(seeds, append(fixed, over("mechanism", "none"))...),
			product(seeds, append(fixed, over("mechanism", members...), over("epsilon", bySize(s, []float64{4}, []float64{2, 4, 6, 8}, []float64{2, 4, 6, 8})...))...)...)
	},
	Charts: []Chart{
		{Title: "Perplexity against word-level epsilon", X: "epsilon", Y: "perplexity", Series: "mechanism", Panel: "set"},
		{Title: "Mean distance against word-level epsilon", X: "epsilon", Y: "distance", Series: "mechanism", Panel: "set"},
	},
	Tables: []Table{{Title: "Words and readers", Rows: []string{"epsilon", "mechanism"}, Values: []string{"distance", "perplexity", "unchanged", "best_guess", "accuracy"}, Panel: "set"}},
}

// corrected asks what knowing the channel is worth to a learner.
var corrected = Plan{
	Name:   "corrected",
	Title:  "Learning with the channel taken into account",
	Source: "this project, docs/results/learning.md",
	About: sameLoss + "vectors is the regression of the plan learning, counts naive Bayes on the counts of words in each class. through: a word of an original test text is represented by the average of the channel's outputs for it. " +
		"unbiased, nonnegative: the counts of each class are corrected for the channel by package estimate, without bias or by least squares; those below 0 count as 0.",
	Run: experiment.Corrected,
	Grid: func(s Size) []Trial {
		fixed := []axis{over("set", bySize(s, []string{"topics4"}, []string{"ag-news", "sst2"}, []string{"ag-news", "sst2", "trec6"})...), over("table", bySize(s, "builtin:500", "glove:5000", "glove:10000")),
			over("train", bySize(s, 60, 0, 0)), over("test", bySize(s, 60, 0, 0))}
		epsilons := bySize(s, []float64{4}, []float64{4, 6}, []float64{2, 4, 6})
		seeds := bySize(s, 1, 1, 3)
		all := product(seeds, append(fixed, over("mechanism", "none"))...)
		all = append(all, product(seeds, append(fixed, over("mechanism", "neighbours objective=signal"), over("unbiased", 0), over("epsilon", epsilons...))...)...)
		return append(all, product(seeds, append(fixed, over("mechanism", "response"), over("unbiased", 1), over("epsilon", epsilons...))...)...)
	},
	Charts: []Chart{{Title: "Naive Bayes on counts corrected without negative ones", X: "epsilon", Y: "counts_nonnegative", Series: "mechanism", Panel: "set"}},
	Tables: []Table{{Title: "Accuracy", Rows: []string{"mechanism", "epsilon"}, Values: []string{"vectors", "vectors_through", "counts", "counts_unbiased", "counts_nonnegative", "counts_through"}, Panel: "set"}},
}
