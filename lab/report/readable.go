package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/lab/result"
)

// readableTable has a line for each epsilon and mechanism on AG News.
func readableTable(rows Rows) (string, error) {
	all, err := groups(rows, "readable")
	if err != nil {
		return "", err
	}
	b, err := besideOf(rows)
	var lines [][]string
	for at, title := range besideHead {
		lines = append(lines, []string{"", title, "", "", "", "", b.ofSet("ag-news")[at]})
	}
	for _, e := range columns(all) {
		for _, g := range all {
			if g.Params.Get("set") != "ag-news" || g.Params.Get("epsilon") != e || len(g.Values("perplexity")) == 0 {
				continue
			}
			lines = append(lines, []string{
				e, memberOf(g), strconv.FormatFloat(mean(g, "distance"), 'f', 2, 64), thousands(mean(g, "perplexity")), strconv.FormatFloat(mean(g, "unchanged"), 'f', 4, 64),
				strconv.FormatFloat(100*mean(g, "best_guess"), 'f', 2, 64) + " %", three(mean(g, "accuracy")),
			})
		}
	}
	return markdown([]string{"pure epsilon", "mechanism", "distance", "perplexity", "unchanged", "best guess", "accuracy"}, lines), err
}

// memberOf names the mechanism of a group: neighbours by its objective and its other
// parameters, with the size of the sets.
func memberOf(g result.Group) string {
	parts := strings.Fields(g.Params.Get("mechanism"))
	for i, p := range parts {
		parts[i] = "`" + strings.TrimPrefix(p, "objective=") + "`"
	}
	if len(parts) > 1 && parts[0] == "`neighbours`" {
		parts = slices.Delete(parts, 0, 1)
	}
	named := strings.Join(parts, ", ")
	chosen := strings.Contains(g.Params.Get("mechanism"), " k=") // the name has the size
	if strings.HasPrefix(g.Params.Get("mechanism"), "neighbours") && !chosen && len(g.Values("set_size")) > 0 {
		named += " (k = " + thousands(mean(g, "set_size")) + ")"
	}
	return named
}
