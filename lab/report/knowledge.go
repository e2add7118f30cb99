package report

import (
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

// knowledgeTable has a line for each pair and way to use words: none, in the learner alone, and in
// the cells of a synthetic corpus and its learner; between what is known without private texts and
// what these teach.
func knowledgeTable(rows Rows) (string, error) {
	all, err := groups(rows, "public-knowledge")
	synthetic := slices.DeleteFunc(slices.Clone(all), func(g result.Group) bool { return g.Params.Get("mechanism") != "synthesize" })
	epsilons := columns(synthetic)
	var lines [][]string
	for _, pair := range pairs(all) {
		k := knowledgeOf(pair.groups)
		for _, way := range [][3]string{{"no", "", ""}, {"the learner", "words", ""}, {"cells and learner", "words", "words"}} {
			of := slices.DeleteFunc(slices.Clone(pair.groups), func(g result.Group) bool {
				return g.Params.Get("mechanism") != "synthesize" || g.Params.Get("begins") != way[1] || g.Params.Get("about") != way[2]
			})
			if len(of) == 0 {
				continue
			}
			cells := make([]string, len(epsilons))
			for _, g := range of {
				cells[slices.Index(epsilons, g.Params.Get("epsilon"))] = k.cell(g)
			}
			lines = append(lines, slices.Concat([]string{pair.name}, k.known, way[:1], cells, []string{three(k.none), spread(of)}))
		}
	}
	head := []string{"private texts, corpus", "words alone", "40 public labels", "100", "words in"}
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
// the words as its prior and with them, for cells along the words and for others.
func knowledgeChoicesTable(rows Rows) (string, error) {
	all, err := groups(rows, "public-knowledge-choices")
	var lines [][]string
	for _, pair := range pairs(all) {
		k := knowledgeOf(pair.groups)
		for _, e := range columns(pair.groups) {
			line, cells := []string{pair.name, e, k.known[0]}, []result.Group{}
			for _, about := range []string{"words", ""} {
				without := theCopy(pair.groups, e, "", about)
				with := theCopy(pair.groups, e, "words", about)
				with, without = sameSeeds(with, without), sameSeeds(without, with)
				if len(with.Rows) == 0 {
					line = append(line, "", "", "")
					continue
				}
				gain := mean(with, "accuracy") - mean(without, "accuracy")
				line = append(line, three(mean(without, "accuracy")), three(mean(with, "accuracy")), signed(gain))
				cells = append(cells, without, with)
			}
			if len(cells) > 0 {
				lines = append(lines, append(line, spread(cells)))
			}
		}
	}
	return markdown([]string{"private texts, corpus", "epsilon", "words alone", "cells along words, without a prior", "with it", "gain", "other cells, without a prior", "with it", "gain", "seeds; largest deviation"}, lines), err
}

// theCopy returns the group of copies at an epsilon, with words in the learner and the cells.
func theCopy(groups []result.Group, epsilon, begins, about string) (g result.Group) {
	for _, g := range groups {
		if p := g.Params; p.Get("epsilon") == epsilon && p.Get("begins") == begins && p.Get("about") == about {
			return g
		}
	}
	return g
}

// signed formats a gain.
func signed(gain float64) string {
	if gain > 0 {
		return "+" + three(gain)
	}
	return three(gain)
}

// sameSeeds returns the rows of a group whose seeds are in another: an interrupted run has more
// of one.
func sameSeeds(g, other result.Group) result.Group {
	g.Rows = slices.DeleteFunc(slices.Clone(g.Rows), func(r result.Row) bool {
		return !slices.ContainsFunc(other.Rows, func(o result.Row) bool { return o.Seed == r.Seed })
	})
	return g
}
