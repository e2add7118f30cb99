package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/lab/result"
	"gonum.org/v1/gonum/stat"
)

// linkageTable has a line for each set, number of candidates and way to release, and a
// column for each epsilon. Brackets hold the interval of one draw; of several, the table has the
// mean and the standard deviation.
func linkageTable(rows Rows) (string, error) {
	all, err := groups(rows, "linkage")
	epsilons := columns(all)
	var lines [][]string
	add := func(g result.Group, way, value string) {
		if len(g.Values(value)) == 0 {
			return
		}
		among, _ := g.Params.Number("among")
		head := []string{name(g.Params.Get("set")), thousands(among), way}
		k := slices.IndexFunc(lines, func(l []string) bool { return slices.Equal(l[:len(head)], head) })
		if k < 0 {
			k = len(lines)
			lines = append(lines, append(head, make([]string, len(epsilons))...))
		}
		cell, drawn := three(mean(g, value)), g.Values(value)
		switch low := g.Values(value + "_low"); {
		case len(drawn) > 1: // seeds
			cell += " ± " + three(stat.StdDev(drawn, nil))
		case len(low) > 0 && low[0] < drawn[0]: // not exact
			cell += " (" + three(mean(g, value+"_low")) + " to " + three(mean(g, value+"_high")) + ")"
		}
		lines[k][len(head)+slices.Index(epsilons, g.Params.Get("epsilon"))] = cell
	}
	for _, g := range all {
		mechanism, _, _ := strings.Cut(g.Params.Get("mechanism"), " ")
		add(g, "`"+mechanism+"`", "linked")
		add(g, "`"+mechanism+"`, two words", "pair")
		if mechanism == "privunit" || mechanism == "synthesize" {
			add(g, "at most", "limit")
		}
	}
	var sets, among []string // in order of appearance
	for _, l := range lines {
		sets, among = append(sets, l[0]), append(among, l[1])
	}
	unit := func(way string) int { // words first: they have no limit
		switch {
		case strings.HasPrefix(way, "`neighbours`"):
			return 0
		case strings.HasPrefix(way, "`classes`"):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(lines, func(a, b []string) int {
		return cmp.Or(cmp.Compare(slices.Index(sets, a[0]), slices.Index(sets, b[0])), cmp.Compare(slices.Index(among, a[1]), slices.Index(among, b[1])), cmp.Compare(unit(a[2]), unit(b[2])))
	})
	return markdown(append([]string{"private texts", "among", "mechanism"}, epsilons...), lines), err
}
