package plan

import "github.com/sotto-dp/sotto/lab/experiment"

// trlaplaceMechanisms are the mechanisms of the TrLaplace paper's comparison, its own as
// published and as repaired, and this project's.
var trlaplaceMechanisms = []string{
	"laplace", "gaussian", "gaussian-analytic", "trlaplace-published", "trlaplace", "madlib", "mahalanobis", "privemb",
	"tem", "balanced", "packing", "neighbours", "response",
}

var trlaplaceOverlap = Plan{
	Name:   "trlaplace-overlap",
	Title:  "What remains of a text",
	Source: "TrLaplace, Tables 1 to 3 and Figures 2 to 5, at the level of its Algorithm 1",
	About: "Texts of the test parts of Yelp and Yahoo are rewritten and compared with the originals: the share of words that stay (N_w), ROUGE-1, BLEU (orders 1 to 4, one added above order 1, as Lin and Och 2004), and token_match, " +
		"the token-matching similarity over static vectors: each word is matched with the most similar one of the other text by the cosine of the table's vectors. It is BERTScore's matching without BERT. The grey line is the largest N_w that any " +
		"mechanism with word-level epsilon-privacy can have at that epsilon where words are as frequent as in these texts; for members of other notions it is no limit.",
	Differs: "The paper rewrites through a trained encoder; this is its Algorithm 1: vector, clip (the table's median norm), noise, nearest word. The word list is the first 5,000 of the embedded GloVe table (10,000 of GloVe in full). trlaplace-published exists for epsilon < 2 delta^(1/d) sqrt d = 5 here. " +
		"The paper's N_w at small epsilon lies above the limit for its own claim: it can come neither from a mechanism with that guarantee nor from the published noise followed by the nearest word, but from tokens that bypass the noise, embeddings far above the clip, or retraining on the original.",
	Findings: "Full size, three seeds. At the level of Algorithm 1 the paper's unchanged rates do not reproduce: on Yelp trlaplace-published keeps 0.0001 of the words at epsilon 0.05, the paper reports 0.705 to 0.813, and no mechanism with word-level epsilon 0.05 keeps more than 0.087 of these texts (the share of the commonest word, with little added). laplace, trlaplace and both Gaussians keep less than 0.4 % of the words up to epsilon 20: in 100 dimensions, clipped and with the nearest word taken, they are noise. Repaired trlaplace cannot be told from laplace. tem, balanced and packing rise from nothing to nearly all words between 1 and 4 per unit of distance, madlib, mahalanobis and privemb between 4 and 20; neighbours and response between 4 and 10 of their word-level epsilon. The similarity by token matching is 0.3 to 0.5 for words at random, which must be subtracted: the table's vectors are not centred.",
	Run:      experiment.Overlap,
	Grid: func(s Size) []Trial {
		fixed := []axis{over("set", bySize(s, []string{"reviews"}, []string{"yelp-short", "yahoo-2topics"}, []string{"yelp-short", "yahoo-2topics"})...)}
		fixed = append(fixed, over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")), over("texts", bySize(s, 20, 100, 500)))
		epsilons := bySize(s, []float64{0.05, 2, 8}, []float64{0.05, 0.5, 1, 2, 5, 10, 20}, []float64{0.05, 0.5, 1, 2, 4, 10, 20})
		return compilable(product(bySize(s, 1, 1, 3), append(fixed, over("mechanism", trlaplaceMechanisms...), over("epsilon", epsilons...))...))
	},
	Charts: []Chart{
		{Title: "Words that stay (N_w); grey: no word-level private mechanism keeps more", X: "epsilon", Y: "unchanged", Series: "mechanism", Panel: "set", LogX: true, Limit: "limit"},
		{Title: "ROUGE-1", X: "epsilon", Y: "rouge1", Series: "mechanism", Panel: "set", LogX: true},
		{Title: "BLEU", X: "epsilon", Y: "bleu", Series: "mechanism", Panel: "set", LogX: true},
		{Title: "Token matching over static vectors", X: "epsilon", Y: "token_match", Series: "mechanism", Panel: "set", LogX: true},
	},
	Tables: []Table{
		{Title: "Text", Rows: []string{"mechanism"}, Across: "epsilon", Values: []string{"unchanged", "rouge1", "bleu", "token_match"}, Panel: "set"},
	},
}

var trlaplaceAccuracy = Plan{
	Name:     "trlaplace-accuracy",
	Title:    "Classifiers learnt from private text: SST-2 and AG News",
	Source:   "TrLaplace's classification tables, at the level of its Algorithm 1",
	About:    "As for the sentiment of reviews: the bag of words learns from rewritten training text and is tested on original text.",
	Differs:  "The paper trains its own encoder and classifier; the classifier here is the bag of words of the baselines. Word list as above; of AG News 15,608 training texts are available; at most 1,000 (quick) or 8,000 (full) texts of a set are used for training.",
	Findings: "Full size, three seeds; without privacy SST-2 0.772 and AG News 0.882. At epsilon 2 tem, balanced and packing are within 0.03 of that, madlib, mahalanobis and privemb at 10 within 0.11 on SST-2 and 0.04 on AG News. laplace, trlaplace and gaussian-analytic teach nothing of SST-2 up to 20 (0.52 to 0.53); of AG News the Gaussian teaches most (0.741 at 20). trlaplace-published teaches a little of AG News (0.44 at 0.5): its noise is bounded, and grows with epsilon up to 5, where it ends. neighbours leads among word-level members (AG News 0.738 at 2, response 0.282). The bag of words gives one answer to most texts where little signal remains; the frontier's classifier is better there.",
	Run:      experiment.Classify,
	Grid: func(s Size) []Trial {
		fixed := []axis{over("set", bySize(s, []string{"reviews"}, []string{"sst2", "ag-news"}, []string{"sst2", "ag-news"})...)}
		fixed = append(fixed, over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")), over("train", bySize(s, 60, 1000, 8000)), over("test", bySize(s, 60, 1000, 0)))
		epsilons := bySize(s, []float64{4}, []float64{1, 4, 10}, []float64{0.5, 2, 10, 20})
		seeds := bySize(s, 1, 1, 3)
		return append(product(seeds, append(fixed, over("mechanism", "none"))...),
			compilable(product(seeds, append(fixed, over("mechanism", trlaplaceMechanisms...), over("epsilon", epsilons...))...))...)
	},
	Charts: []Chart{{Title: "Accuracy", X: "epsilon", Y: "accuracy", Series: "mechanism", Panel: "set"}},
	Tables: []Table{{Title: "Task", Rows: []string{"mechanism"}, Across: "epsilon", Values: []string{"accuracy", "macro_f1"}, Panel: "set"}},
}

var trlaplaceCost = Plan{
	Name:    "trlaplace-cost",
	Title:   "What rewriting costs",
	Source:  "TrLaplace, Table 5: time per mechanism",
	About:   "Seconds to open a mechanism with its calibration cached, and tokens rewritten per second on one thread: cold, when every word's row must be made, and again with the rows cached. Nothing else of the lab runs at the same time; the figures depend on the machine.",
	Differs: "The paper times training runs on another machine; here only the rewriting is timed.",
	Run:     experiment.Cost,
	Alone:   true,
	Grid: func(s Size) []Trial {
		return product(bySize(s, 1, 1, 3), over("set", bySize(s, "reviews", "yahoo-2topics", "yahoo-2topics")), over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")),
			over("texts", bySize(s, 5, 100, 418)), over("mechanism", trlaplaceMechanisms...), over("epsilon", 1.0))
	},
	Tables: []Table{{Title: "Cost", Rows: []string{"mechanism", "table"}, Values: []string{"open_seconds", "tokens_per_second_cold", "tokens_per_second"}}},
}

var trlaplaceExamples = Plan{
	Name:    "trlaplace-examples",
	Title:   "Texts before and after",
	Source:  "TrLaplace, Figures 1 and 6",
	About:   "One text of each set, as it is and as it is released: drawn once, from a fixed seed, and not chosen.",
	Differs: "Other texts than the paper's, which are not quoted here.",
	Run:     experiment.Examples,
	Grid: func(s Size) []Trial {
		sets := bySize(s, []string{"reviews"}, []string{"yelp-short", "sst2"}, []string{"yelp-short", "sst2", "ag-news"})
		fixed := []axis{over("set", sets...), over("table", bySize(s, "builtin:500", "builtin:5000", "builtin:5000")), over("text", 7)}
		return append(product(1, append(fixed, over("mechanism", "none"))...),
			product(1, append(fixed, over("epsilon", bySize(s, []float64{4}, []float64{2, 10}, []float64{2, 10})...), over("mechanism", trlaplaceMechanisms...))...)...)
	},
	Tables: []Table{{Title: "Examples", Rows: []string{"mechanism", "epsilon"}, Texts: []string{"text"}, Panel: "set"}},
}
