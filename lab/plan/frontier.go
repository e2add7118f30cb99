package plan

import "github.com/sotto-dp/sotto/lab/experiment"

var frontier = Plan{
	Name:   "frontier",
	Title:  "Which mechanism to use",
	Source: "this project",
	About: "Accuracy of a softmax regression on averaged vectors, columns standardised in training and test texts each by itself, learnt from private text and tested on text as it is, against four measures of what protects the text: certified epsilon per unit of distance, certified word-level epsilon, the success of an attacker who sees one output (every word as likely), and that of " +
		"one who knows a bigram prior of public text and sees whole texts. Attack figures bound no other attacker. A mechanism lies better the further up and left it lies.",
	Differs:  "Only channels have exact figures; additive members stand in the tables with their accuracy alone. The bigram prior is of Yelp's sentences for reviews and of AG News' own training text for news, which favours the attacker.",
	Findings: "Quick size, 3,000 training texts at most, one seed. For a word-level promise neighbours is ahead of response at every epsilon tried (AG News 0.813 against 0.454 at 4); for a promise per unit of distance tem, balanced and packing have lost nothing from 2 on, and packing leads at 1 (AG News 0.811, balanced 0.784, tem 0.720). At equal success of the best guess from one output neighbours wins: at 1.7 % neighbours at 6 has 0.606 on SST-2 and 0.828 on AG News, tem at 1 (1.6 %) 0.566 and 0.720. An attacker who sees whole texts and knows bigrams turns that round: 26 % of SST-2's words from neighbours at 6, 13 % from tem at 1, 7 % from the prior alone. laplace and gaussian-analytic teach nothing of SST-2 at any epsilon tried; of AG News gaussian-analytic teaches something (0.528 at 6, delta 1e-6), less than neighbours at 1 (0.621).",
	Run:      experiment.Frontier,
	Grid: func(s Size) []Trial {
		seeds := bySize(s, 1, 1, 3)
		fixed := []axis{over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")), over("train", bySize(s, 60, 3000, 8000)), over("test", bySize(s, 60, 0, 0)),
			over("prior_texts", bySize(s, 60, 5000, 20000)), over("attacked", bySize(s, 5, 20, 60))}
		members := []string{"neighbours", "response", "tem", "exponential", "balanced", "packing", "madlib", "gaussian-analytic", "laplace"}
		if s == Full {
			members = append(members, "mahalanobis", "vickrey", "privemb", "gaussian", "trlaplace", "trlaplace-published")
		}
		epsilons := bySize(s, []float64{2, 6}, []float64{1, 2, 4, 6}, []float64{1, 2, 4, 10})
		var all []Trial
		for _, task := range bySize(s, [][2]string{{"reviews", "public"}}, [][2]string{{"sst2", "yelp-short"}, {"ag-news", "ag-news"}}, [][2]string{{"sst2", "yelp-short"}, {"ag-news", "ag-news"}, {"trec6", "trec6"}}) {
			on := append([]axis{over("set", task[0]), over("prior", task[1])}, fixed...)
			all = append(all, product(seeds, append(on, over("mechanism", "none"))...)...)
			all = append(all, compilable(product(seeds, append(on, over("mechanism", members...), over("epsilon", epsilons...))...))...)
		}
		return all
	},
	Charts: []Chart{
		{Title: "Accuracy against certified metric epsilon", X: "certified metric epsilon", Y: "accuracy", Series: "mechanism", Panel: "set"},
		{Title: "Accuracy against certified word-level epsilon", X: "certified pure epsilon", Y: "accuracy", Series: "mechanism", Panel: "set"},
		{Title: "Accuracy against the success of the best guess from one output", X: "bayes_success", Y: "accuracy", Series: "mechanism", Panel: "set", LogX: true},
		{Title: "Accuracy against words recovered in context", X: "context_recovered", Y: "accuracy", Series: "mechanism", Panel: "set"},
	},
	Tables: []Table{
		{Title: "Frontier", Rows: []string{"mechanism", "epsilon"}, Values: []string{"accuracy", "unchanged", "bayes_success", "context_recovered", "prior_alone"}, Panel: "set"},
	},
}
