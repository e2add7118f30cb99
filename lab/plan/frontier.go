package plan

import "github.com/sotto-dp/sotto/lab/experiment"

var frontier = Plan{
	Name:   "frontier",
	Title:  "Which mechanism to use",
	Source: "this project",
	About: "Accuracy of a softmax regression on averaged vectors, columns standardised in training and test texts each by itself, learnt from private text and tested on text as it is, against four measures of what protects the text: certified epsilon per unit of distance, certified word-level epsilon, the success of an attacker who sees one output (every word as likely), and that of " +
		"one who knows a bigram prior of public text and sees whole texts. Attack figures bound no other attacker. Further up and left is better.",
	Differs:  "Only channels have exact figures; for additive mechanisms the tables have the accuracy only. The bigram prior is of Yelp's sentences for reviews and of AG News' own training text for news, which favours the attacker.",
	Findings: "Full size, three seeds. For a word-level promise neighbours is ahead of response at every epsilon up to 4 (AG News 0.837 against 0.353 at 4, TREC-6 0.582 against 0.260) and level with it at 10; for a promise per unit of distance packing leads at 1 (TREC-6 0.585, balanced 0.473, tem 0.392), and from 2 on tem, balanced and packing lose 0.02 at most; at 2 they keep 63 to 86 % of the words. Measured by the best guess from one output neighbours wins: 0.15 % at 4, where tem at 1 has 0.8 % and teaches less of every set. An attacker who sees whole texts and knows bigrams reverses that: 16 % of SST-2's words from neighbours at 4, 7 % from tem at 1, 17 % from packing at 1, 7 % from the prior alone. laplace and gaussian-analytic teach nothing of SST-2 at any epsilon tried; of AG News gaussian-analytic teaches something (0.635 at 4, delta 1e-6), less than neighbours at 1 (0.742). trlaplace-published teaches less of AG News the larger its epsilon is (0.582, 0.554, 0.486), while the bound of its noise grows.",
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
