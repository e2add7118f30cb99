package plan

import "github.com/sotto-dp/sotto/lab/experiment"

// temMechanisms are compared in the TEM paper's experiments: its own at its own
// parameter and at a certified epsilon, this project's, and the baselines.
var temMechanisms = []string{"tem published", "tem", "balanced", "packing", "neighbours", "madlib", "response"}

const temUnits = "An epsilon per unit of distance (tem, balanced, packing, madlib) and a word-level epsilon (neighbours, response) are different promises: the first chart " +
	"puts them on one axis as the papers do, the others by the certificate of each channel. madlib is not a channel and has no certificate."

var temAccuracy = Plan{
	Name:   "tem-accuracy",
	Title:  "Sentiment of reviews, learnt from private text",
	Source: "TEM, section 5: IMDB, fastText-style classifier, accuracy on the untouched test part",
	About:  "A mechanism replaces every word of the training reviews. The bag of words of the baselines learns from the result and is tested on the original reviews. " + temUnits,
	Differs: "The word list is the first 5,000 of the embedded GloVe table (quick) or 10,000 of GloVe (full), where the paper uses its own larger one, so that exact certificates and packing channels " +
		"are available; 1,500 (quick) or 10,000 (full) of the 25,000 training reviews are learnt from. The classifier has no n-grams. Packing takes the largest of its ready channels at or below the epsilon asked for.",
	Findings: "Full size, 10,000 reviews, five seeds: without privacy 0.861. The paper's order, tem above madlib at equal epsilon, reproduces: 0.855 against 0.604 at 4, 0.696 against 0.526 at 2. The paper reports 0.75 at 2. At 2 tem as published is certified at 1.46, keeps 6 % of the words and reaches 0.696; calibrated to a certified 2 it keeps 64 % and reaches 0.845. At equal certified epsilon balanced and packing are ahead of tem at 2 (0.853, 0.852), all are at no privacy's accuracy from 4 on, and at 0.5 and 1 none can be told from the others (0.50 to 0.58, intervals of 0.01 to 0.07). Word-level privacy costs more here: at 10 response reaches 0.850 and keeps 69 % of the words, neighbours 0.828 and 41 %, and both stay below 0.57 up to 4. Their certified epsilon per unit of distance is 16.2 to 16.5 at 10, and the word-level epsilon of tem, balanced and packing above 12 from 1 on: neither notion gives the other for nothing. Where little signal is left the bag of words, which trains on texts drawn towards the table's mean and is tested on others, gives one answer to most texts; the frontier's classifier bears that better.",
	Run:      experiment.Classify,
	Grid: func(s Size) []Trial {
		fixed := []axis{
			over("set", bySize(s, "reviews", "imdb", "imdb")), over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")),
			over("train", bySize(s, 60, 1500, 10000)), over("test", bySize(s, 60, 2000, 0)),
		}
		epsilons := bySize(s, []float64{2, 8}, []float64{1, 2, 4, 8}, []float64{0.5, 1, 2, 4, 10})
		seeds := bySize(s, 1, 1, 5)
		return append(product(seeds, append(fixed, over("mechanism", "none"))...),
			compilable(product(seeds, append(fixed, over("mechanism", temMechanisms...), over("epsilon", epsilons...))...))...)
	},
	Charts: []Chart{
		{Title: "at equal nominal epsilon", X: "epsilon", Y: "accuracy", Series: "mechanism"},
		{Title: "at equal certified metric epsilon", X: "certified metric epsilon", Y: "accuracy", Series: "mechanism"},
		{Title: "at equal certified pure epsilon", X: "certified pure epsilon", Y: "accuracy", Series: "mechanism"},
	},
	Tables: []Table{{Title: "Accuracy", Rows: []string{"mechanism"}, Across: "epsilon", Values: []string{"accuracy", "unchanged"}}},
}

var temMembers = Plan{
	Name:   "tem-members",
	Title:  "Which texts was it trained on?",
	Source: "TEM, section 5.3: membership inference against the classifier",
	About: "The attacker trains a shadow classifier on a rewritten half of the second half of the test part (TE2), and a network with two hidden layers of 64 to distinguish its training texts from the others by its answers to the original texts; " +
		"the figure is the area under the ROC curve against the target, whose training texts are mixed with as many of the first half of the test part (TE1). 0.5 is guessing.",
	Differs:  "The attacker sees the chances of all classes, as log odds, and knows each text's label and the mechanism. The paper does not give the training of the network; here it is 30 epochs, batches of 64, Adam at 0.001.",
	Findings: "Full size, 5,000 training texts, five seeds. The attack gains little even without privacy (0.554 +- 0.009). At 0.5 every mechanism is at guessing (0.498 to 0.505); at 2 tem as published, neighbours, response and madlib are (0.497 to 0.502), while certified tem (0.527 +- 0.019), balanced (0.535 +- 0.018) and packing (0.535 +- 0.017), which keep most words, are not. At 10 tem and balanced cannot be told from no privacy (0.552 to 0.554); neighbours, response and madlib lie between (0.510 to 0.522). What is gained against this attack is lost in accuracy: at 2 the four at guessing learn to 0.68 at most, the three others to 0.83 or more.",
	Run:      experiment.Members,
	Grid: func(s Size) []Trial {
		fixed := []axis{
			over("set", bySize(s, "reviews", "imdb", "imdb")), over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")),
			over("train", bySize(s, 60, 1000, 5000)), over("test", bySize(s, 60, 1000, 5000)),
		}
		epsilons := bySize(s, []float64{2}, []float64{2, 8}, []float64{0.5, 2, 10})
		seeds := bySize(s, 1, 1, 5)
		return append(product(seeds, append(fixed, over("mechanism", "none"))...),
			compilable(product(seeds, append(fixed, over("mechanism", temMechanisms...), over("epsilon", epsilons...))...))...)
	},
	Charts: []Chart{
		{Title: "at equal nominal epsilon", X: "epsilon", Y: "auc", Series: "mechanism"},
		{Title: "at equal certified metric epsilon", X: "certified metric epsilon", Y: "auc", Series: "mechanism"},
	},
	Tables: []Table{{Title: "Area under the curve", Rows: []string{"mechanism"}, Across: "epsilon", Values: []string{"auc", "accuracy"}}},
}
