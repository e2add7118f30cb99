package plan

import "github.com/sotto-dp/sotto/lab/experiment"

// wholeSet is a set of private texts with the public texts that replace them: how
// many texts are private, public and measured on (0: all), and the encoder.
type wholeSet struct {
	set, codebook         string
	private, public, test int
	spare                 int // test texts that are public: none of them is measured
	encoder, table        string
	// objectives by epsilon: what the development part chose, signal elsewhere.
	objectives map[float64]string
}

const (
	signal = "retrieval objective=signal"
	topic  = "retrieval objective=topic"
	read   = "retrieval objective=readable"
)

// privates lists the sets in the order in which they are run.
func privates(s Size) []wholeSet {
	news := wholeSet{"ag-news", "own", 4608, 8000, 0, 0, "sif+lsa", "glove", nil}
	examples := wholeSet{"ag-news", "english", 4608, 8000, 0, 0, "sif", "builtin", map[float64]string{8: read}}
	questions := wholeSet{"trec6", "own", 2726, 2726, 0, 0, "sif+lsa+first", "glove", nil}
	switch s {
	case Smoke:
		return []wholeSet{{"topics4", "own", 60, 100, 60, 0, "sif+lsa+first", "builtin:500", nil}}
	case Quick:
		news.private, news.test = 1500, 2000
		return []wholeSet{news, questions}
	}
	return []wholeSet{
		news, examples, questions,
		{"sst2", "imdb-sentences", 6920, 20000, 0, 0, "sif+lsa", "glove", nil},
		{"yelp-short", "own", 10000, 20000, 0, 0, "sif+lsa", "glove", nil},
		{"imdb", "own", 10000, 15000, 5000, 17000, "lsa", "glove", nil},
	}
}

func (a wholeSet) axes(measured string) []axis {
	return []axis{
		over("set", a.set), over("codebook", a.codebook), over("private", a.private), over("public", a.public), over("spare", a.spare), over("test", a.test),
		over("measured", measured), over("encoder", a.encoder), over("table", a.table),
	}
}

// at returns one trial per epsilon, by the mechanism chosen for it.
func (a wholeSet) at(seed int, epsilons []float64) []Trial {
	var all []Trial
	for _, e := range epsilons {
		mechanism := signal
		if objective := a.objectives[e]; objective != "" {
			mechanism = objective
		}
		all = append(all, seeded(seed, append(a.axes("test"), over("mechanism", mechanism), over("epsilon", e))...)...)
	}
	return all
}

// seeded is product with one seed.
func seeded(seed int, axes ...axis) []Trial {
	trials := product(1, axes...)
	for i := range trials {
		trials[i].Seed = uint64(seed)
	}
	return trials
}

const parts = "The training part of a set is cut by a fixed shuffle into private texts, public texts and a development part. A public text that shares six words in a row with a private or a measured text is left out, so that what is measured is honest: in production " +
	"a public corpus must not be compared with private texts. spare: test texts that are neither measured nor a development part, and public too. "

var wholeTexts = Plan{
	Name:   "whole-texts",
	Title:  "Whole texts: what a release of public texts teaches",
	Source: "this project, docs/howto/texts.md",
	About: "Each private text is replaced by a public one (retrieval); epsilon is of the whole text, labels are public. Classifiers learn from the release and are measured on test texts as they are: accuracy by the learner that knows the channel, plain_accuracy by one that takes the public texts for the private ones, " +
		"clear from the private texts. " + parts + "codebook own: texts of the set itself, imdb-sentences: those of another, english: the embedded corpus. topic: released texts whose class under the clear classifier is the private label. perplexity: of the first 1,000 released texts under a trigram model of the measured texts; clear_perplexity: of the private texts. " +
		"linked: the exact chance to name the text among 200 by likelihood; linked_limit: the most that epsilon allows. Nothing was chosen on the test part.",
	Run: experiment.WholeTexts,
	Grid: func(s Size) []Trial {
		epsilons := bySize(s, []float64{2, 8}, []float64{2, 8}, []float64{1, 2, 4, 8})
		var all []Trial
		for seed := range bySize(s, 1, 1, 3) { // an interrupted run has every set
			for _, a := range privates(s) {
				if seed == 0 {
					all = append(all, seeded(1, append(a.axes("test"), over("mechanism", "none"))...)...)
				}
				all = append(all, a.at(seed+1, epsilons)...)
			}
		}
		return all
	},
	Charts: []Chart{
		{Title: "Accuracy against epsilon of the whole text", X: "epsilon", Y: "accuracy", Series: "codebook", Panel: "set", LogX: true, Limit: "clear", LimitName: "without privacy"},
		{Title: "Linked among 200", X: "epsilon", Y: "linked", Series: "codebook", Panel: "set", Limit: "linked_limit", LimitName: "most that epsilon allows"},
	},
	Tables: []Table{
		{Title: "Learnt", Rows: []string{"codebook", "mechanism", "epsilon"}, Values: []string{"accuracy", "macro_f1", "plain_accuracy", "plain_macro_f1", "clear", "ridge", "plain_ridge"}, Panel: "set"},
		{Title: "Released", Rows: []string{"codebook", "mechanism", "epsilon"}, Values: []string{"topic", "rouge1", "perplexity", "clear_perplexity", "linked", "linked_limit", "set_size", "texts", "inside"}, Panel: "set"},
	},
}

// wholeTextsChoices are the trials on development parts that chose what wholeTexts
// measures.
var wholeTextsChoices = Plan{
	Name:   "whole-texts-choices",
	Title:  "Whole texts: what was chosen, on development parts",
	Source: "this project, docs/howto/texts.md",
	About:  "The trials of whole-texts on development parts, which share no text with private, public and test parts: encoders at epsilon 4, and objectives, which set k. One seed. " + parts,
	Run:    experiment.WholeTexts,
	Grid: func(s Size) []Trial {
		var encoders, objectives []Trial // in this order: an interrupted run has every encoder
		for _, a := range developed(s) {
			if a.codebook != "english" {
				at := a
				for _, at.encoder = range []string{"sif", "lsa", "sif+lsa", "sif+lsa+first"} {
					encoders = append(encoders, product(1, append(at.axes("dev"), over("mechanism", signal), over("epsilon", 4.0))...)...)
				}
			}
			for _, objective := range []string{signal, topic, read} {
				for _, e := range bySize(s, []float64{8}, []float64{8}, []float64{4, 8}) {
					if objective != signal || e != 4 || a.codebook == "english" { // else it is there
						objectives = append(objectives, product(1, append(a.axes("dev"), over("mechanism", objective), over("epsilon", e))...)...)
					}
				}
			}
		}
		return append(encoders, objectives...)
	},
	Tables: []Table{{Title: "Development part", Rows: []string{"codebook", "encoder", "mechanism", "epsilon"}, Values: []string{"accuracy", "plain_accuracy", "clear", "set_size", "inside", "topic", "linked"}, Panel: "set"}},
}

// developed lists the sets with their development parts, those first whose encoder is not
// the default.
func developed(s Size) []wholeSet {
	all := privates(s)
	if s == Full {
		all = []wholeSet{all[2], all[5], all[3], all[4], all[0], all[1]}
	}
	for i := range all {
		if all[i].set == "trec6" {
			all[i].private = 2226
		}
		if s != Smoke {
			all[i].test = 3000
		}
	}
	return all
}

// wholeTextsExamples are the first texts, whatever became of them.
var wholeTextsExamples = Plan{
	Name:   "whole-texts-examples",
	Title:  "Whole texts: the first twenty, before and after",
	Source: "this project, docs/howto/texts.md",
	About:  "The first private texts by the fixed shuffle, and what was released for each: none was picked. Questions of TREC, over public questions; the seed is epsilon.",
	Run:    experiment.Pair,
	Grid: func(s Size) []Trial {
		all := privates(s)
		a := all[bySize(s, 0, 1, 2)]
		texts := make([]int, bySize(s, 2, 5, 20))
		for i := range texts {
			texts[i] = i
		}
		trials := product(1, append(a.axes("test"), over("mechanism", signal), over("text", texts...), over("epsilon", bySize(s, []int{4}, []int{2, 4, 8}, []int{2, 4, 8})...))...)
		for i := range trials {
			// Draws of one seed go together at all epsilons: many outputs would be the same.
			epsilon, _ := trials[i].Params.Number("epsilon")
			trials[i].Seed = uint64(epsilon)
		}
		return trials
	},
	Tables: []Table{{Title: "Before and after", Rows: []string{"epsilon"}, Texts: []string{"private", "released"}, Panel: "set"}},
}
