package report

import (
	"slices"
	"strconv"
	"strings"
)

// The tables about the papers' experiments, in the order of docs/results/lab.md.
var papers = map[string]pivot{
	"baselines": {
		plan: "baselines", heads: []string{""}, value: "accuracy", beside: aboveLines,
		lines:   []label{{name: "accuracy"}},
		columns: sets("imdb", "sst2", "ag-news", "trec6", "mr", "cr", "mpqa"),
	},
	"tem-accuracy": {
		plan: "tem-accuracy", heads: []string{""}, value: "accuracy", beside: aboveLines, set: "imdb",
		lines: slices.Concat(
			[]label{{name: "tem, the paper's parameter", where: "mechanism=tem published"}, {name: "tem, certified", where: "mechanism=tem"}},
			each("mechanism", "balanced", "packing", "madlib"), wordLevel),
		columns: each("epsilon", "0.5", "1", "2", "4", "10"),
	},
	"tem-members": {
		plan: "tem-members", heads: []string{""}, value: "auc",
		lines: slices.Concat(
			[]label{{name: "none", where: "mechanism=none"}, {name: "tem, the paper's parameter", where: "mechanism=tem published"}, {name: "tem, certified", where: "mechanism=tem"}},
			each("mechanism", "balanced", "packing", "madlib"), wordLevel),
		columns: append([]label{{name: "no epsilon", where: "epsilon="}}, each("epsilon", "0.5", "2", "10")...),
	},
	"trlaplace-overlap": {
		plan: "trlaplace-overlap", heads: []string{"N_w, Yelp"}, where: "set=yelp-short", value: "unchanged",
		lines: slices.Concat(
			each("mechanism", "laplace", "trlaplace", "gaussian-analytic"),
			[]label{{name: "trlaplace-published (below 5 only)", where: "mechanism=trlaplace-published"}},
			each("mechanism", "madlib", "mahalanobis", "privemb", "tem", "balanced", "packing"), wordLevel,
			[]label{{name: "the most that word-level privacy allows", value: "limit", collect: slices.Max[[]float64]}}),
		columns: shown(small, each("epsilon", "0.05", "0.5", "1", "2", "4", "10", "20")),
	},
	"trlaplace-accuracy": {
		plan: "trlaplace-accuracy", heads: []string{""}, value: "accuracy", beside: aboveLines,
		lines: slices.Concat(
			each("mechanism", "laplace", "trlaplace", "trlaplace-published", "gaussian-analytic", "madlib", "mahalanobis", "privemb", "tem", "balanced", "packing"),
			wordLevel),
		columns: crossed(sets("sst2", "ag-news"), each("epsilon", "0.5", "2", "10", "20")),
	},
	"trlaplace-retold": {
		plan: "trlaplace-retold", heads: []string{"", ""}, value: "unchanged",
		lines: []label{
			{name: "without noise|N_w", where: "mechanism=none"},
			{name: "|ROUGE-1", where: "mechanism=none", value: "rouge1"},
			{name: "most of any mechanism, clipped, epsilon up to 20|N_w", where: "clipped=yes", collect: slices.Max[[]float64]},
			{name: "`trlaplace-published` at 0.05 for a clip of 0.1, not clipped|N_w", where: "mechanism=trlaplace-published clip=0.1, epsilon=0.05, clipped=no"},
			{name: "|ROUGE-1", where: "mechanism=trlaplace-published clip=0.1, epsilon=0.05, clipped=no", value: "rouge1"},
			{name: "|mean norm over clip", where: "mechanism=trlaplace-published clip=0.1, epsilon=0.05, clipped=no", value: "norm_over_clip", show: whole},
			{name: "the most that word-level epsilon 0.05 allows|N_w", where: "epsilon=0.05", value: "limit", collect: slices.Max[[]float64]},
		},
		columns: crossed(
			[]label{{name: "Yelp", where: "set=yelp-short"}, {name: "Yahoo", where: "set=yahoo-2topics-sentences"}},
			[]label{{name: "random", where: "start=random"}, {name: "GloVe", where: "start=glove"}, {name: "fastText", where: "start=fasttext"}}),
	},
	"trlaplace-unclipped": {
		plan: "trlaplace-unclipped", heads: []string{"mean norm over clip"}, where: "set=yelp-short, mechanism=trlaplace-published, epsilon=0.05", value: "unchanged",
		lines: []label{
			{name: "not clipped", where: "clipped=no"},
			{name: "clipped", where: "clipped=yes"},
			{name: "outputs that the other word never gives, not clipped", where: "clipped=no", value: "delta_true"},
			{name: "the same, clipped", where: "clipped=yes", value: "delta_true"},
		},
		columns: shown(small, each("ratio", "1", "5", "10", "20", "30", "50")),
	},
	"trlaplace-reread": {
		plan: "trlaplace-reread", heads: []string{"learns to write, from noise", "drawn"}, where: "epsilon=0.05", value: "unchanged",
		lines: []label{
			{name: "nothing (the public model)|once", where: "target=original, noise=once", value: "unchanged_before"},
			{name: "the words nearest to the noisy vectors|once", where: "target=noised, noise=once"},
			{name: "the same|every epoch", where: "target=noised, noise=every epoch"},
			{name: "the private texts themselves|once", where: "target=original, noise=once"},
			{name: "the same|every epoch", where: "target=original, noise=every epoch"},
			{name: "the most that word-level epsilon allows|", value: "limit", collect: slices.Max[[]float64]},
		},
		columns: crossed([]label{{name: "ATIS", where: "set=atis"}, {name: "Yelp", where: "set=yelp-short"}}, each("mechanism", "trlaplace-published", "trlaplace")),
	},
	"trlaplace-finetuned": {
		plan: "trlaplace-finetuned", heads: []string{"", "epsilon"}, value: "accuracy", beside: aboveLines,
		lines: []label{
			at("none", ""), at("laplace", "500"), at("gaussian-analytic", "500"), at("laplace", "100"), at("gaussian-analytic", "100"),
			at("laplace", "20"), at("gaussian-analytic", "20"), at("laplace", "4"), at("trlaplace", "4"), at("trlaplace-published", "4"),
		},
		columns: crossed(sets("sst2", "ag-news"), each("noise", "once", "every epoch")),
	},
	"trlaplace-epoch": {
		plan: "trlaplace-epoch", heads: []string{"seconds"}, value: "epoch_seconds",
		lines: each("mechanism", "none", "laplace", "gaussian", "gaussian-analytic", "trlaplace-published", "trlaplace", "madlib"),
		columns: shown(two, []label{
			{name: "noise", where: "learner=classifier", value: "noise_seconds"},
			{name: "epoch of the classifier", where: "learner=classifier"},
			{name: "of the auto-encoder", where: "learner=auto-encoder"},
		}),
	},
	"trlaplace-cost": {
		plan: "trlaplace-cost", heads: []string{"words per second"},
		lines: each("mechanism", "laplace", "gaussian", "gaussian-analytic", "trlaplace-published", "trlaplace", "madlib", "mahalanobis", "privemb",
			"tem", "balanced", "packing", "neighbours", "response"),
		columns: shown(threeDigits, []label{{name: "with rows built", value: "tokens_per_second"}, {name: "while they are built", value: "tokens_per_second_cold"}}),
	},
	"privemb-trained": {
		plan: "privemb-trained", heads: []string{"opinion words"}, value: "auc",
		lines: []label{
			{name: "trained in 50 dimensions (A1)", where: "mechanism=madlib, table=trained-imdb-50"},
			{name: "trained in 100", where: "mechanism=madlib, table=trained-imdb-100"},
			{name: "trained in 200", where: "mechanism=madlib, table=trained-imdb-200"},
			{name: "projected to 50, certified (M2)", where: "mechanism=privemb lipschitz=table dimensions=50"},
			{name: "projected to 100", where: "mechanism=privemb lipschitz=table dimensions=100"},
			{name: "projected to 200", where: "mechanism=privemb lipschitz=table dimensions=200"},
			{name: "noise on all 300 (M1)", where: "mechanism=madlib, table=trained-imdb-300"},
		},
		columns: each("epsilon", "5", "10", "20"),
	},
	"frontier": {
		plan: "frontier", heads: []string{"", "epsilon", "guarantee"}, value: "accuracy", beside: aboveLines,
		lines: []label{
			promised("none", "", ""), promised("neighbours", "2", "word-level"), promised("response", "2", "word-level"), promised("neighbours", "4", "word-level"), promised("response", "4", "word-level"),
			promised("neighbours", "10", "word-level"), promised("response", "10", "word-level"),
			promised("tem", "1", "per unit of distance"), promised("balanced", "1", "per unit of distance"), promised("packing", "1", "per unit of distance"),
			promised("tem", "2", "per unit of distance"), promised("balanced", "2", "per unit of distance"), promised("packing", "2", "per unit of distance"),
			promised("madlib", "4", "per unit of distance"),
		},
		columns: append(sets("sst2", "ag-news", "trec6"),
			label{name: "best guess from one output", where: "set=sst2", value: "bayes_success", show: percent},
			label{name: "recovered in context (SST-2)", where: "set=sst2", value: "context_recovered", show: percent}),
	},
	"corrected": {
		plan: "corrected", heads: []string{"set", "pure epsilon", "mechanism"}, beside: beforeFigures,
		lines: slices.Concat(correctedLines("ag-news"), correctedLines("sst2"), correctedLines("trec6")),
		columns: []label{
			{name: "vectors", value: "vectors"}, {name: "through", value: "vectors_through"}, {name: "counts", value: "counts"},
			{name: "through", value: "counts_through"}, {name: "non-negative", value: "counts_nonnegative"}, {name: "unbiased", value: "counts_unbiased"},
		},
	},
	"adept-texts": {
		plan: "adept-texts", heads: []string{"epsilon"}, where: "latent=256",
		lines:   each("epsilon", "1", "10", "30", "100", "300"),
		columns: append(adeptColumns("attack", "attack_vector"), adeptColumns("intents", "intent_accuracy")...),
	},
}

// two shows two decimals.
func two(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// wordLevel are the lines of mechanisms whose guarantee is for any two words.
var wordLevel = []label{{name: "neighbours (word-level)", where: "mechanism=neighbours"}, {name: "response (word-level)", where: "mechanism=response"}}

// sets are columns by their names in documents.
func sets(names ...string) []label {
	list := each("set", names...)
	for i, n := range names {
		list[i].name = name(n)
	}
	return list
}

// shown are labels with another format of numbers.
func shown(show func(float64) string, list []label) []label {
	for i := range list {
		list[i].show = show
	}
	return list
}

// crossed are the columns of each pair of labels.
func crossed(outer, inner []label) []label {
	var list []label
	for _, o := range outer {
		for i, in := range inner {
			named := in.name
			if i == 0 {
				named = o.name + ", " + named
			}
			list = append(list, label{name: named, where: o.where + ", " + in.where, show: in.show})
		}
	}
	return list
}

// at is the line of a mechanism at an epsilon.
func at(mechanism, epsilon string) label {
	return label{name: mechanism + "|" + epsilon, where: "mechanism=" + mechanism + ", epsilon=" + epsilon}
}

// promised is at with the kind of guarantee.
func promised(mechanism, epsilon, kind string) label {
	l := at(mechanism, epsilon)
	l.name += "|" + kind
	return l
}

func correctedLines(set string) []label {
	list := []label{{name: name(set) + "||none", where: "set=" + set + ", mechanism=none"}}
	for _, epsilon := range []float64{2, 4, 6} {
		e := strconv.FormatFloat(epsilon, 'g', -1, 64)
		for _, m := range []string{"neighbours objective=signal", "response"} {
			short, _, _ := strings.Cut(m, " ")
			list = append(list, label{name: name(set) + "|" + e + "|`" + short + "`", where: "set=" + set + ", epsilon=" + e + ", mechanism=" + m})
		}
	}
	return list
}

func adeptColumns(title, value string) []label {
	return []label{
		{name: title + ", `adept`", where: "mechanism=adept", value: value},
		{name: "`noise=gaussian`", where: "mechanism=adept noise=gaussian", value: value},
		{name: "`adept-published`", where: "mechanism=adept-published", value: value},
	}
}
