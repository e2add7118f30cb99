package plan

import "github.com/sotto-dp/sotto/lab/experiment"

var adeptSensitivity = Plan{
	Name:   "adept-sensitivity",
	Title:  "How often ADePT's sensitivity is exceeded",
	Source: "Habernal 2021, Figure 1",
	About: "Pairs of random latent vectors are clipped to l2 norm C; the figure is the share whose l1 difference exceeds 2C, the sensitivity that ADePT's published noise covers. " +
		"The actual sensitivity is 2C sqrt(k): epsilon_factor is how much larger the true epsilon is.",
	Differs:  "Latent vectors are drawn from the two laws of the figure, with our own draws.",
	Findings: "The figure's shape reproduces: nearly no pair exceeds the published sensitivity in few dimensions, all do from 64 on (normal vectors: 0.3 % at 4, 32 % at 8, 99.5 % at 16; uniform: 69 % at 32).",
	Run:      experiment.AdeptShare,
	Grid: func(s Size) []Trial {
		dims := bySize(s, []int{1, 8, 64}, []int{1, 2, 4, 8, 16, 32, 64, 128, 256}, []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024})
		return product(bySize(s, 1, 3, 5), over("latents", "uniform", "normal"), over("clip", 5.0), over("vectors", bySize(s, 100, 10000, 100000)), over("dimensions", dims...))
	},
	Charts: []Chart{{Title: "Share of pairs beyond the published sensitivity", X: "dimensions", Y: "share_beyond", Series: "latents", LogX: true}},
	Tables: []Table{{Title: "Share and factor", Rows: []string{"latents"}, Across: "dimensions", Values: []string{"share_beyond", "epsilon_factor"}}},
}

var vectorDelta = Plan{
	Name:   "vector-delta",
	Title:  "What two papers claim about a vector, and what is true",
	Source: "TrLaplace's theorem and ADePT's Theorem 1, refuted: privacy of the released vector against its dimension",
	About: "The truth is by closed form: for trlaplace-published the largest delta over evenly spread shifts, a lower bound on the true one; for adept-published the exact epsilon. delta_sampled_low and epsilon_sampled_low are what draws alone show of the " +
		"two ends of the clipping ball, with a false-positive rate of 1e-6, by an auditor who knows nothing about the noise.",
	Differs:  "delta is root^d with root 1/4, as in the paper's experiments; TrLaplace's epsilon of 1 exists from 5 dimensions on.",
	Findings: "trlaplace-published is refuted in every dimension from 2 on, by closed form and by draws alone: at 300 dimensions and epsilon 0.05 the true delta is at least 0.987, draws show 0.974, claimed is 2e-181. In one dimension the claim holds. adept-published: at epsilon 1 draws alone refute it from 2 to 100 dimensions; at 0.05, and at 300 dimensions with this few draws, they cannot, though the loss is sqrt(k) times the claim.",
	Run:      experiment.VectorDelta,
	Grid: func(s Size) []Trial {
		dims := bySize(s, []int{5, 50}, []int{1, 2, 5, 10, 30, 100, 300}, []int{1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500})
		return product(1, over("mechanism", "trlaplace-published", "adept-published"), over("epsilon", bySize(s, []float64{1}, []float64{0.05, 1}, []float64{0.05, 0.2, 1, 5})...),
			over("draws", bySize(s, 1000, 6000, 20000)), over("dimensions", dims...))
	},
	Charts: []Chart{
		{Title: "Delta of the vector at the claimed epsilon (claimed: 4^-d)", X: "dimensions", Y: "delta_true", Series: "epsilon", Panel: "mechanism", LogX: true},
		{Title: "Delta that draws alone show", X: "dimensions", Y: "delta_sampled_low", Series: "epsilon", Panel: "mechanism", LogX: true},
		{Title: "True epsilon of the vector", X: "dimensions", Y: "epsilon_true", Series: "epsilon", Panel: "mechanism", LogX: true},
	},
	Tables: []Table{{Title: "Claimed and true", Rows: []string{"mechanism", "epsilon", "dimensions"}, Values: []string{"delta_claimed", "delta_true", "delta_sampled_low", "epsilon_claimed", "epsilon_true", "epsilon_sampled_low"}}},
}
