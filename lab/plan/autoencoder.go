package plan

import (
	"slices"

	"github.com/sotto-dp/sotto/lab/experiment"
)

// random is the start of words' vectors that are drawn.
const random = "random"

// modelAxes are the settings of the models that texts are rewritten through. At the
// quick size all plans share one model; batch, epochs and tokens are those of the full one.
func modelAxes(s Size, sets, starts []string, batch, epochs, tokens int, latents ...int) []axis {
	return []axis{
		over("set", sets...), over("start", starts...), over("lessons", bySize(s, 0, 0, 20000)), over("batch", bySize(s, 16, 16, batch)), over("epochs", bySize(s, 2, 9, epochs)),
		over("hidden", bySize(s, 16, 64, 256)), over("latent", latents...), over("tokens", bySize(s, 12, 40, tokens)),
	}
}

var adeptTexts = Plan{
	Name:   "adept-texts",
	Title:  "ADePT on ATIS: whole texts through a noisy latent vector",
	Source: "ADePT (Krishna et al. 2021), with the attack that Habernal 2021 sketches in its Appendix C",
	About: "A model of the training part, taken as public, reads each text of the test part into one vector, noise is added, and the model writes a text. intent_accuracy: how often a bag of words that learned from the public part as it is finds the " +
		"label of what was written. attack_vector and attack_text: how often the true text is picked from a list of candidates, the others drawn from a bigram model of the public part, by the distance of latent vectors, from the noisy vector or from the " +
		"written text; attack_guess is a guess, attack_limit what pure epsilon allows. loss is the cross-entropy of the true text given the noisy vector.",
	Differs:  "The paper reports its published noise, whose true loss is epsilon sqrt(k): that row is next to the corrected ones at the same epsilon. Its data sets are ATIS and Snips; the figures are ours.",
	Findings: "Full size, 300 texts, 100 candidates, one seed: text, intent and attack rise together. With latent vectors of 256 (ROUGE-1 0.823 and intents 0.873 without noise) adept at epsilon 30 leaves ROUGE-1 0.014 and intents 0.317, and the attack on the vector finds 0.087 of the texts (a guess 0.01); at 100 they are 0.091, 0.440 and 0.673, at 300 0.518, 0.760 and 1.000. adept-published has at 10, truly 160, intents of 0.453 and 0.730 of the texts found. Vectors of 64 need less noise: at 100 adept has 0.389, 0.670 and 0.993.",
	Run:      experiment.Adept,
	Grid: func(s Size) []Trial {
		fixed := modelAxes(s, bySize(s, []string{"requests"}, []string{"atis"}, []string{"atis"}), []string{random}, 16, 40, 40, bySize(s, []int{8}, []int{64}, []int{64, 256})...)
		fixed = append(fixed, over("texts", bySize(s, 10, 100, 300)), over("candidates", bySize(s, 4, 50, 100)))
		epsilons := bySize(s, []float64{10, 1e4}, []float64{1, 10, 100, 300, 1000}, []float64{1, 10, 30, 100, 300, 1000, 3000, 10000})
		return append(product(1, append(fixed, over("mechanism", "none"))...),
			product(1, append(fixed, over("mechanism", "adept", "adept norm=l2", "adept noise=gaussian", "adept-published"), over("epsilon", epsilons...))...)...)
	},
	Charts: []Chart{
		{Title: "ROUGE-1", X: "epsilon", Y: "rouge1", Series: "mechanism", Panel: "latent", LogX: true},
		{Title: "Intent accuracy", X: "epsilon", Y: "intent_accuracy", Series: "mechanism", Panel: "latent", LogX: true},
		{Title: "Attack on the noisy vector", X: "epsilon", Y: "attack_vector", Series: "mechanism", Panel: "latent", LogX: true, Limit: "attack_limit"},
	},
	Tables: []Table{{Title: "Texts, intents, attacks", Rows: []string{"mechanism"}, Across: "epsilon", Values: []string{"rouge1", "bleu", "intent_accuracy", "attack_vector", "attack_text"}, Panel: "latent"}},
}

var trlaplaceRetold = Plan{
	Name:   "trlaplace-retold",
	Title:  "What remains of a text that an auto-encoder writes again",
	Source: "TrLaplace, Tables 1 to 3 and Figures 2, 3, 5, at the level of its auto-encoder",
	About: "The vector of every word is clipped and perturbed; a model of the public training part writes the text from these vectors. unchanged is N_w by place, loss the cross-entropy of the true text. The same noise without the clip (clipped no) " +
		"shows one way to figures like N_w 0.8 at epsilon 0.05: truncated noise has a bound of a few clips, and a vector whose norm is many clips (norm_over_clip) is hardly changed; nothing is promised then.",
	Differs:  "The clip is the median norm of the words' vectors, or 0.1; the paper's is not known here. Its training reads the original text again; the model here is trained on other texts. Texts of Yahoo are longer than a model reads, so they are cut into sentences. The full size has models of 20,000 texts and 10 epochs, six epsilons and one seed. fastText vectors are those trained for this project.",
	Findings: "Full size, six models, one seed: with vectors clipped no mechanism keeps more than 0.018 of the words by place at any epsilon up to 10, or 0.033 at 20, where the models keep 0.31 to 0.37 of Yelp's and 0.21 to 0.23 of Yahoo's without noise. Without the clip and with noise for a clip of 0.1, vectors of 38 to 65 clips pass nearly as if there were no noise (Yelp 0.30 to 0.37, Yahoo 0.19 to 0.23 at epsilon 0.05), and nothing is promised: see trlaplace-unclipped and trlaplace-reread.",
	Run:      experiment.Retold,
	Grid: func(s Size) []Trial {
		const yahoo = "yahoo-2topics-sentences" // its whole texts are longer than a model reads
		starts := bySize(s, []string{random}, []string{random}, []string{random, "glove", "fasttext"})
		epsilons := bySize(s, []float64{0.05, 10}, []float64{0.05, 1, 4, 20}, []float64{0.05, 0.5, 1, 4, 10, 20})
		mechanisms := append(slices.Clone(vectorMechanisms), "trlaplace-published clip=0.1")
		var trials []Trial
		for _, set := range bySize(s, []string{"requests"}, []string{"atis"}, []string{"yelp-short", yahoo}) {
			tokens := 40
			if set == yahoo {
				tokens = 20
			}
			fixed := modelAxes(s, []string{set}, starts, 32, 10, tokens, bySize(s, 8, 64, 128))
			fixed = append(fixed, over("texts", bySize(s, 8, 100, 300)))
			trials = append(trials, product(1, append(fixed, over("clipped", "no"), over("mechanism", "none"))...)...)
			trials = append(trials, product(1, append(fixed, over("clipped", "yes", "no"), over("mechanism", mechanisms...), over("epsilon", epsilons...))...)...)
		}
		return trials
	},
	Charts: []Chart{
		{Title: "Words that stay, by place (N_w)", X: "epsilon", Y: "unchanged", Series: "mechanism", Panel: "set, start, clipped", LogX: true, Limit: "limit"},
		{Title: "ROUGE-1", X: "epsilon", Y: "rouge1", Series: "mechanism", Panel: "set, start, clipped", LogX: true},
	},
	Tables: []Table{{Title: "Text", Rows: []string{"set", "start", "mechanism"}, Across: "epsilon", Values: []string{"loss", "rouge1", "bleu", "unchanged", "limit", "limit_published", "token_match", "norm_over_clip"}, Panel: "clipped"}},
}
