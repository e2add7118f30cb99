package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/lab/result"
)

// learningTable has a line for each choice of sets, without classes of words, and a column
// for each data set. The best guess does not depend on the data set.
func learningTable(rows Rows) (string, error) {
	return learningLines(rows, "mechanism", func(mechanism string) bool { return !strings.Contains(mechanism, "classes=") })
}

// learningClassesTable has the lines of learningTable with classes of words.
func learningClassesTable(rows Rows) (string, error) {
	return learningLines(rows, "mechanism with classes", func(mechanism string) bool { return strings.Contains(mechanism, "classes=") })
}

func learningLines(rows Rows, title string, shown func(mechanism string) bool) (string, error) {
	all, err := groups(rows, "learning")
	if err != nil {
		return "", err
	}
	b, err := besideOf(rows)
	sets := []string{"ag-news", "trec6", "sst2"}
	head := []string{"pure epsilon", title}
	for _, s := range sets {
		head = append(head, name(s))
	}
	head = append(head, "best guess")
	var lines [][]string
	for at, title := range besideHead {
		line := []string{"", title}
		for _, s := range sets {
			line = append(line, b.ofSet(s)[at])
		}
		lines = append(lines, append(line, ""))
	}
	for _, e := range append([]string{""}, columns(all)...) {
		for _, g := range all {
			at := slices.Index(sets, g.Params.Get("set"))
			if g.Params.Get("epsilon") != e || at < 0 || !shown(g.Params.Get("mechanism")) {
				continue
			}
			called := choiceOf(g)
			k := slices.IndexFunc(lines, func(l []string) bool { return l[0] == e && l[1] == called })
			if k < 0 {
				k = len(lines)
				lines = append(lines, append([]string{e, called}, make([]string, len(sets)+1)...))
			}
			lines[k][2+at] = three(mean(g, "accuracy"))
			if len(g.Values("best_guess")) > 0 {
				lines[k][2+len(sets)] = strconv.FormatFloat(100*mean(g, "best_guess"), 'f', 2, 64) + " %"
			}
		}
	}
	return markdown(head, lines), err
}

// choiceOf names the mechanism of a group as memberOf does, and original text.
func choiceOf(g result.Group) string {
	if g.Params.Get("mechanism") == "none" {
		return "none: original text"
	}
	return memberOf(g)
}
