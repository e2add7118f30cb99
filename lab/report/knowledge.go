package report

import (
	"cmp"
	"slices"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/lab/experiment"
	"github.com/sotto-dp/sotto/lab/result"
)

// knowledge is what is known of a pair without a private copy: accuracies, and the cells that
// show them.
type knowledge struct {
	words, none float64
	known       []string // words alone, then 40 and 100 public labels
}

var labelled = []string{"40", "100"}

func knowledgeOf(groups []result.Group) knowledge {
	k := knowledge{known: make([]string, 1+len(labelled))}
	for _, g := range groups {
		if len(g.Values("accuracy")) == 0 {
			continue
		}
		switch accuracy := mean(g, "accuracy"); g.Params.Get("mechanism") {
		case "none":
			k.none = accuracy
		case experiment.KnownAlone:
			k.words, k.known[0] = accuracy, three(accuracy)
		case experiment.PublicLabels:
			k.known[1+slices.Index(labelled, g.Params.Get("labels"))] = three(accuracy)
		}
	}
	return k
}

// cell is the accuracy of a group with the share of the way from words alone to none.
func (k knowledge) cell(g result.Group) string {
	accuracy := mean(g, "accuracy")
	return three(accuracy) + " (" + three((accuracy-k.words)/(k.none-k.words)) + ")"
}

// beside is what tables of utility show beside the figures of a mechanism: what words for labels
// teach without any private text, by the name of a pair and by set, and the most that the learner
// reaches on private texts themselves, by set.
type beside struct{ words, strongest map[string]float64 }

func besideOf(rows Rows) (beside, error) {
	all, err := groups(rows, "public-knowledge")
	b := beside{map[string]float64{}, map[string]float64{}}
	for _, p := range pairs(all) {
		of := knowledgeOf(p.groups)
		set := p.groups[0].Params.Get("set")
		b.words[p.name], b.words[set] = of.words, max(b.words[set], of.words)
		b.strongest[set] = max(b.strongest[set], of.none)
	}
	if err != nil {
		return b, err
	}
	whole, err := groups(rows, "whole-texts") // the same learner, of other numbers of private texts
	for _, g := range whole {
		if g.Params.Get("mechanism") == "none" && len(g.Values("accuracy")) > 0 {
			set := g.Params.Get("set")
			b.strongest[set] = max(b.strongest[set], mean(g, "accuracy"))
		}
	}
	return b, err
}

// besideHead are the columns of cells.
var besideHead = []string{"words alone", "strongest none"}

// cells has what is known of a pair; empty cells where nothing was measured.
func (b beside) cells(pair part) []string {
	return []string{positive(b.words[pair.name]), positive(b.strongest[pair.groups[0].Params.Get("set")])}
}

// ofSet is cells of a set, over the public texts with which the words teach the most.
func (b beside) ofSet(set string) []string {
	return []string{positive(b.words[set]), positive(b.strongest[set])}
}

// series draws the words of a set along another line; none where nothing was measured.
func (b beside) series(set string, along [][2]float64) []chart.Series {
	words := b.words[set]
	if words == 0 || len(along) == 0 {
		return nil
	}
	return []chart.Series{{Name: "words for labels and public texts alone", Style: chart.Context,
		XY: [][2]float64{{along[0][0], words}, {along[len(along)-1][0], words}}}}
}

func positive(v float64) string {
	if v == 0 {
		return ""
	}
	return three(v)
}

// knowledgeTable has a line for each pair and way to learn: from synthetic corpora without the
// words and with them, between what is known without private texts and what these teach.
func knowledgeTable(rows Rows) (string, error) {
	all, err := groups(rows, "public-knowledge")
	synthetic := slices.DeleteFunc(slices.Clone(all), func(g result.Group) bool { return g.Params.Get("mechanism") != "synthesize" })
	epsilons := columns(synthetic)
	var lines [][]string
	for _, pair := range pairs(all) {
		k := knowledgeOf(pair.groups)
		for _, words := range []string{"", "words"} {
			of := slices.DeleteFunc(slices.Clone(pair.groups), func(g result.Group) bool {
				return g.Params.Get("mechanism") != "synthesize" || g.Params.Get("about") != words
			})
			if len(of) == 0 {
				continue
			}
			cells := make([]string, len(epsilons))
			for _, g := range of {
				cells[slices.Index(epsilons, g.Params.Get("epsilon"))] = k.cell(g)
			}
			lines = append(lines, slices.Concat([]string{pair.name}, k.known, []string{cmp.Or(words, "none")}, cells, []string{three(k.none), spread(of)}))
		}
	}
	head := []string{"private texts, corpus", "words alone", "40 public labels", "100", "copy with"}
	return markdown(slices.Concat(head, epsilons, []string{"none", "seeds; largest deviation"}), lines), err
}

// knowledgeOfTextsTable has a line for each pair whose whole texts were released.
func knowledgeOfTextsTable(rows Rows) (string, error) {
	all, err := groups(rows, "public-knowledge")
	var lines [][]string
	for _, pair := range pairs(all) {
		k, by := knowledgeOf(pair.groups), map[string]string{}
		of := slices.DeleteFunc(slices.Clone(pair.groups), func(g result.Group) bool {
			return g.Params.Get("epsilon") == "" || g.Params.Get("mechanism") == "synthesize"
		})
		if len(of) == 0 {
			continue
		}
		for _, g := range of {
			by[g.Params.Get("begins")] = k.cell(g)
		}
		lines = append(lines, slices.Concat([]string{pair.name, of[0].Params.Get("epsilon")}, k.known, []string{by[""], by["words"], three(k.none), spread(of)}))
	}
	return markdown([]string{"private texts, corpus", "epsilon", "words alone", "40 public labels", "100", "releases", "releases and words", "none", "seeds; largest deviation"}, lines), err
}

// knowledgeChoicesTable has a line for each pair and epsilon: the learner of one copy without
// the words as its prior and with them.
func knowledgeChoicesTable(rows Rows) (string, error) {
	all, err := groups(rows, "public-knowledge-choices")
	var lines [][]string
	for _, pair := range pairs(all) {
		k := knowledgeOf(pair.groups)
		for _, e := range columns(pair.groups) {
			var with, without result.Group
			for _, g := range pair.groups {
				switch {
				case g.Params.Get("epsilon") != e:
				case g.Params.Get("begins") == "":
					without = g
				default:
					with = g
				}
			}
			with, without = sameSeeds(with, without), sameSeeds(without, with)
			if len(with.Rows) == 0 {
				continue
			}
			gain := mean(with, "accuracy") - mean(without, "accuracy")
			sign := ""
			if gain > 0 {
				sign = "+"
			}
			lines = append(lines, []string{pair.name, e, k.known[0], three(mean(without, "accuracy")), three(mean(with, "accuracy")), sign + three(gain), spread([]result.Group{without, with})})
		}
	}
	return markdown([]string{"private texts, corpus", "epsilon", "words alone", "copy without a prior", "with it", "gain", "seeds; largest deviation"}, lines), err
}

// sameSeeds returns the rows of a group whose seeds are in another: an interrupted run has more
// of one.
func sameSeeds(g, other result.Group) result.Group {
	g.Rows = slices.DeleteFunc(slices.Clone(g.Rows), func(r result.Row) bool {
		return !slices.ContainsFunc(other.Rows, func(o result.Row) bool { return o.Seed == r.Seed })
	})
	return g
}
