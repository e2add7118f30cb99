package plan

import "github.com/sotto-dp/sotto/lab/experiment"

// vectorMechanisms are the mechanisms of the TrLaplace paper's comparison that release
// vectors.
var vectorMechanisms = []string{"laplace", "gaussian-analytic", "trlaplace-published", "trlaplace"}

var trlaplaceFinetuned = Plan{
	Name:   "trlaplace-finetuned",
	Title:  "A BiLSTM learnt from private vectors: SST-2 and AG News",
	Source: "TrLaplace, Figure 4: classification under private fine-tuning",
	About: "The vectors of the words of training texts are clipped and perturbed, a BiLSTM with a softmax layer learns from them, and is tested on the vectors of test texts as they are. noise once: one draw for the whole training. noise every epoch: " +
		"redrawn before each epoch, as training that reads the data again does; that spends the claim once per epoch (releases), and the claim of the row is the composed one. A claim is for one word's vector: losses add up over the words of a text.",
	Differs:  "The vectors are those of a static table and stay as they are; the paper tunes its own encoder. Vectors of training and test texts are divided by one figure, the root mean square of the components that were released first. trlaplace-published exists for epsilon < 5 in 100 dimensions.",
	Findings: "Full size, 2,000 training texts, one seed: at epsilon 500 for a word's vector the classifier is where it is without noise on AG News (laplace 0.859, gaussian-analytic 0.860; 0.853) and below it on SST-2 (0.696, 0.697; 0.729); at 4 and below it gives one answer whatever the mechanism. Noise drawn every epoch is mostly ahead of noise drawn once at the same epsilon from 20 on (SST-2, laplace at 100: 0.658 against 0.611; AG News at 20: 0.600 against 0.395), for six times the loss, and behind at the same total (0.658 for 600, 0.696 for 500; AG News 0.600 for 120, 0.794 for 100). trlaplace cannot be told from laplace.",
	Run:      experiment.Finetuned,
	Grid: func(s Size) []Trial {
		fixed := []axis{
			over("set", bySize(s, []string{"reviews"}, []string{"sst2", "ag-news"}, []string{"sst2", "ag-news"})...),
			over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")), over("train", bySize(s, 60, 400, 2000)), over("test", bySize(s, 60, 500, 2000)),
			over("hidden", bySize(s, 8, 16, 32)), over("epochs", bySize(s, 2, 4, 6)),
		}
		epsilons := bySize(s, []float64{4}, []float64{4, 200}, []float64{0.05, 1, 4, 20, 100, 500})
		return append(product(1, append(fixed, over("noise", "once"), over("mechanism", "none"))...),
			product(1, append(fixed, over("noise", "once", "every epoch"), over("mechanism", vectorMechanisms...), over("epsilon", epsilons...))...)...)
	},
	Charts: []Chart{{Title: "Accuracy", X: "epsilon", Y: "accuracy", Series: "mechanism", Panel: "set, noise", LogX: true}},
	Tables: []Table{{Title: "Task", Rows: []string{"noise", "mechanism"}, Across: "epsilon", Values: []string{"accuracy", "macro_f1"}, Panel: "set"}},
}

var trlaplaceUnclipped = Plan{
	Name:   "trlaplace-unclipped",
	Title:  "One way to N_w 0.8 at epsilon 0.05: vectors far above the clip",
	Source: "TrLaplace, Tables 1 to 3",
	About: "The noise as published is bounded (bound, in clips, for one component; about 4 at small epsilon). The vectors of words are scaled to a mean norm of ratio clips, clipped or not; the noise is added, and the nearest word is taken. unchanged is N_w; limit is the most that " +
		"any mechanism with word-level epsilon-privacy keeps of these texts, limit_published the most that the published claim allows; delta_true is how often, on average over pairs of words, what is released cannot come from the other word. Where clipped is no, nothing is promised.",
	Findings: "Full size, Yelp: the published noise at epsilon 0.05 adds at most 4.02 clips to a component. Not clipped, vectors of 20 clips keep 0.880 of the words and those of 30 clips 0.993, where no word-level private mechanism keeps more than 0.083 and none with the published claim more than 0.087; the release then reveals the word with certainty (delta_true 1). Clipped, no row exceeds the limit. Clipped vectors of many clips are all nearest to one common word, whose share is 0.076.",
	Run:      experiment.Unclipped,
	Grid: func(s Size) []Trial {
		fixed := []axis{
			over("set", bySize(s, []string{"reviews"}, []string{"yelp-short"}, []string{"yelp-short", "yahoo-2topics"})...),
			over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")), over("texts", bySize(s, 10, 200, 200)),
			over("clipped", "yes", "no"), over("mechanism", bySize(s, []string{"trlaplace-published"}, []string{"trlaplace-published", "laplace"}, []string{"trlaplace-published", "trlaplace", "laplace", "gaussian-analytic"})...),
		}
		ratios := bySize(s, []float64{1, 100}, []float64{1, 5, 10, 20, 30, 50, 100}, []float64{1, 2, 5, 10, 15, 20, 30, 40, 50, 70, 100, 200})
		return product(1, append(fixed, over("epsilon", bySize(s, []float64{0.05}, []float64{0.05}, []float64{0.05, 1, 4})...), over("ratio", ratios...))...)
	},
	Charts: []Chart{{Title: "Words that stay (N_w); grey: no word-level private mechanism keeps more", X: "ratio", Y: "unchanged", Series: "mechanism", Panel: "clipped, epsilon", LogX: true, Limit: "limit"}},
	Tables: []Table{{Title: "Nearest word", Rows: []string{"set", "mechanism", "epsilon"}, Across: "ratio", Values: []string{"unchanged", "limit", "limit_published", "bound", "noise_norm", "delta_true"}, Panel: "clipped"}},
}

var trlaplaceReread = Plan{
	Name:   "trlaplace-reread",
	Title:  "Another way: training that reads the private texts again",
	Source: "TrLaplace, Tables 1 to 3",
	About: "A model of public texts is trained further on the clipped and perturbed vectors of private ones. target original: it learns to write the private texts themselves, as an auto-encoder under noise does; the weights then depend on the texts without any noise, and nothing is promised. " +
		"target noised: it learns to write the words nearest to the noisy vectors, which depend on the release only. unchanged (N_w by place) is of the private texts as it then writes them, unchanged_before as the public model does; limit is the most that word-level epsilon-privacy allows.",
	Differs:  "Of the paper's training only its description is known. The model is that of trlaplace-retold.",
	Findings: "Full size, epsilon 0.05: trained to write the private texts from one draw of the noise, the model writes every one of their words on ATIS and on Yelp, from 0.014 to 0.037 before, where word-level privacy allows 0.079 and 0.084: the noise names the text and the weights hold it. So figures like 0.8 arise with sound noise too, and promise nothing. With noise drawn every epoch 0.16 to 0.20 remain: what the weights know about private texts in general. Training on the release only gains nothing: at most 0.024.",
	Run:      experiment.Reread,
	Grid: func(s Size) []Trial {
		fixed := modelAxes(s, bySize(s, []string{"requests"}, []string{"atis"}, []string{"atis", "yelp-short"}), []string{random}, 32, 10, 40, bySize(s, 8, 64, 128))
		fixed = append(fixed, over("texts", bySize(s, 8, 60, 200)), over("rereads", bySize(s, 3, 50, 60)))
		epsilons := bySize(s, []float64{0.05}, []float64{0.05}, []float64{0.05, 1})
		return product(1, append(fixed, over("target", "original", "noised"), over("noise", "once", "every epoch"), over("mechanism", bySize(s, vectorMechanisms[2:3], vectorMechanisms[2:], vectorMechanisms[2:])...), over("epsilon", epsilons...))...)
	},
	Charts: []Chart{{Title: "Words that stay, by place (N_w)", X: "epsilon", Y: "unchanged", Series: "mechanism", Panel: "target, noise", LogX: true, Limit: "limit"}},
	Tables: []Table{{Title: "Text", Rows: []string{"set", "target", "noise", "mechanism"}, Across: "epsilon", Values: []string{"unchanged", "unchanged_before", "limit", "limit_published", "rouge1", "loss", "releases"}}},
}

var trlaplaceEpoch = Plan{
	Name:    "trlaplace-epoch",
	Title:   "Seconds an epoch",
	Source:  "TrLaplace, Table 5: time per epoch",
	About:   "One epoch of a BiLSTM and of an auto-encoder on private vectors of training texts: seconds to draw the noise of all words (noise_seconds, one thread), to learn from them (learn_seconds, all threads), and both (epoch_seconds). These figures depend on the machine and its load; nothing else of the lab runs at the same time.",
	Differs: "The paper has another machine and encoder; comparable is the time that each mechanism adds to an epoch without noise.",
	Run:     experiment.Epoch,
	Alone:   true,
	Grid: func(s Size) []Trial {
		fixed := modelAxes(s, bySize(s, []string{"requests"}, []string{"atis"}, []string{"yelp-short"}), []string{random}, 32, 10, 40, bySize(s, 8, 64, 128))
		fixed = append(fixed, over("table", bySize(s, "builtin:500", "builtin:5000", "glove:10000")), over("train", bySize(s, 20, 500, 2000)), over("learner", "classifier", "auto-encoder"))
		mechanisms := []string{"laplace", "gaussian", "gaussian-analytic", "trlaplace-published", "trlaplace", "madlib"}
		return append(product(bySize(s, 1, 1, 3), append(fixed, over("mechanism", "none"))...), product(bySize(s, 1, 1, 3), append(fixed, over("mechanism", mechanisms...), over("epsilon", 1.0))...)...)
	},
	Tables: []Table{{Title: "Seconds (of this machine)", Rows: []string{"learner", "mechanism"}, Values: []string{"vectors", "noise_seconds", "learn_seconds", "epoch_seconds"}}},
}
