package plan

import (
	"github.com/sotto-dp/sotto/lab/experiment"
	"github.com/sotto-dp/sotto/lab/result"
)

// learning is the table of docs/results/learning.md: how the sets of neighbours are best
// chosen for a classifier.
var learning = Plan{
	Name:   "learning",
	Title:  "Sets of neighbours, chosen for learning",
	Source: "this project, docs/results/learning.md",
	About: "A softmax regression on averages of GloVe vectors learns from rewritten training text and is tested on original text; columns are standardised in each part by itself. " +
		"best_guess is the success of the best guess of a word from its output, every word as likely.",
	Run: experiment.Learn,
	Grid: func(s Size) []Trial {
		table, texts := bySize(s, "builtin:500", "glove:5000", "glove:10000"), bySize(s, 60, 0, 0)
		sets := bySize(s, []string{"topics6"}, []string{"trec6", "sst2"}, []string{"ag-news", "trec6", "sst2"})
		seeds := bySize(s, 1, 1, 3)
		var all []Trial
		for seed := range seeds {
			for _, at := range learningSettings(s) {
				for _, set := range sets {
					p := result.Params{{Name: "set", Value: set}, {Name: "table", Value: table}, {Name: "train", Value: texts}, {Name: "test", Value: texts}, {Name: "mechanism", Value: at.name}}
					if at.epsilon > 0 {
						p = append(p, result.Param{Name: "epsilon", Value: at.epsilon})
					}
					all = append(all, Trial{p, uint64(seed + 1)})
				}
			}
		}
		return all
	},
	Tables: []Table{{Title: "Accuracy and best guess", Rows: []string{"mechanism", "epsilon"}, Values: []string{"accuracy", "set_size", "best_guess"}, Panel: "set"}},
}

type learningSetting struct {
	name    string
	epsilon float64
}

func learningSettings(s Size) []learningSetting {
	if s == Smoke {
		return []learningSetting{{"none", 0}, {"neighbours", 4}}
	}
	all := []learningSetting{
		{"none", 0}, {"neighbours objective=signal", 2}, {"neighbours k=1000", 2},
		{"neighbours objective=signal", 4}, {"neighbours", 4}, {"neighbours k=300", 4}, {"neighbours k=500", 4}, {"neighbours objective=readable", 4}, {"response", 4},
		{"neighbours objective=signal", 6}, {"neighbours k=100", 6},
	}
	if s == Full {
		all = append(all, learningSetting{"neighbours k=50", 4}, learningSetting{"neighbours k=20", 6})
		for _, at := range []learningSetting{{"k=50", 4}, {"k=300", 4}, {"objective=signal", 4}, {"k=20", 6}} {
			all = append(all, learningSetting{"neighbours classes=english " + at.name, at.epsilon})
		}
	}
	return all
}
