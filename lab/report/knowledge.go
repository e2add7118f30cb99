package report

import (
	"slices"

	"github.com/sotto-dp/sotto/lab/experiment"
)

// knowledgeTable has a line for each pair: what is learnt from the private texts, without
// them, and from synthetic corpora, with the share of the way between the first two.
func knowledgeTable(rows Rows) (string, error) {
	all, err := groups(rows, "public-knowledge")
	epsilons := columns(all)
	var lines [][]string
	for _, pair := range pairs(all) {
		line := append([]string{pair.name}, make([]string, 2+len(epsilons))...)
		for _, g := range pair.groups {
			accuracy := three(mean(g, "accuracy"))
			switch e := g.Params.Get("epsilon"); {
			case e != "":
				line[3+slices.Index(epsilons, e)] = accuracy + " (" + three(mean(g, "way")) + ")"
			case g.Params.Get("mechanism") == experiment.KnownAlone:
				line[1] = accuracy
			default:
				line[2] = accuracy
			}
		}
		lines = append(lines, append(line, spread(pair.groups)))
	}
	return markdown(append(append([]string{"private texts, corpus", experiment.KnownAlone, "none"}, epsilons...), "seeds; largest deviation"), lines), err
}
