package report

import (
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/lab/result"
)

// The figures of a line about restored releases, beside those that name it.
var (
	restoredFigures = []string{"words", "restored_words", "vectors", "restored_vectors", "recovered"}
	restoredHead    = []string{"naive Bayes, raw", "restored", "vectors, raw", "restored", "recovered"}
)

// restoredTable has a line for each set, mechanism and epsilon, where the language model is
// of the largest number of the set's own texts.
func restoredTable(rows Rows) (string, error) {
	all, err := restoredGroups(rows)
	if err != nil {
		return "", err
	}
	b, err := besideOf(rows)
	var lines [][]string
	for _, g := range all {
		if !ofMainModel(all, g) {
			continue
		}
		set := g.Params.Get("set")
		lines = append(lines, slices.Concat([]string{name(set), restoredBy(g), g.Params.Get("epsilon")}, b.ofSet(set), restoredCells(g)))
	}
	return markdown(slices.Concat([]string{"private texts", "mechanism", "epsilon"}, besideHead, restoredHead), lines), err
}

// restoredModelsTable has the lines of the other language models.
func restoredModelsTable(rows Rows) (string, error) {
	all, err := restoredGroups(rows)
	if err != nil {
		return "", err
	}
	b, err := besideOf(rows)
	var lines [][]string
	for _, g := range all {
		if ofMainModel(all, g) {
			continue
		}
		set := g.Params.Get("set")
		model := thousands(mean(g, "public_texts")) + " texts of " + name(g.Params.Get("prior"))
		lines = append(lines, slices.Concat([]string{name(set), model, restoredBy(g), g.Params.Get("epsilon")}, b.ofSet(set), restoredCells(g)))
	}
	return markdown(slices.Concat([]string{"private texts", "model", "mechanism", "epsilon"}, besideHead, restoredHead), lines), err
}

// restoredGroups returns the groups of the plan, those of a set and model together, in
// the order of their first rows.
func restoredGroups(rows Rows) ([]result.Group, error) {
	all, err := groups(rows, "restored")
	of := func(g result.Group) string {
		return g.Params.Get("set") + " " + g.Params.Get("prior") + " " + g.Params.Get("public")
	}
	var order []string
	for _, g := range all {
		if !slices.Contains(order, of(g)) {
			order = append(order, of(g))
		}
	}
	slices.SortStableFunc(all, func(a, b result.Group) int {
		return slices.Index(order, of(a)) - slices.Index(order, of(b))
	})
	return all, err
}

// ofMainModel tells whether the language model of a group is of the set itself, and none of
// the set has more texts.
func ofMainModel(all []result.Group, g result.Group) bool {
	texts := func(g result.Group) int {
		n, _ := strconv.Atoi(g.Params.Get("public"))
		return n
	}
	set := g.Params.Get("set")
	return g.Params.Get("prior") == set && !slices.ContainsFunc(all, func(other result.Group) bool {
		return other.Params.Get("set") == set && other.Params.Get("prior") == set && texts(other) > texts(g)
	})
}

func restoredBy(g result.Group) string {
	if g.Params.Get("mechanism") == "none" {
		return "none: original texts"
	}
	return "`" + g.Params.Get("mechanism") + "`"
}

// restoredCells are empty where a figure was not measured.
func restoredCells(g result.Group) []string {
	cells := make([]string, len(restoredFigures))
	for i, value := range restoredFigures {
		if len(g.Values(value)) > 0 {
			cells[i] = three(mean(g, value))
		}
	}
	return cells
}
