package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"gonum.org/v1/gonum/stat"
)

// The tables and figures of documents by name.
var (
	tables = map[string]func(Rows) (string, error){
		"whole-texts-accuracy": func(rows Rows) (string, error) {
			return epsilonTable(rows, "whole-texts", "accuracy", "plain_accuracy")
		},
		"whole-texts-compared": comparedTable,
		"whole-texts-left":     leftTable,
		"whole-texts-choices":  choicesTable,
		"whole-texts-first":    firstTable,
		"synthetic-accuracy": func(rows Rows) (string, error) {
			return epsilonTable(rows, "synthetic-corpora", "accuracy", "drawn_accuracy")
		},
		"synthetic-written": func(rows Rows) (string, error) {
			return epsilonTable(rows, "synthetic-corpora-written", "accuracy", "public_accuracy")
		},
		"synthetic-shuffled":       shuffledTable,
		"public-knowledge":         knowledgeTable,
		"public-knowledge-texts":   knowledgeOfTextsTable,
		"public-knowledge-choices": knowledgeChoicesTable,
		"synthetic-left":           syntheticTable,
		"synthetic-first":          syntheticRows,
		"text-vectors":             vectorsTable,
		"readable":                 readableTable,
		"quoted":                   quotedTable,
		"peers":                    peersTable,
		"linkage":                  linkageTable,
		"learning":                 learningTable,
		"learning-classes":         learningClassesTable,
		"restored":                 restoredTable,
		"restored-models":          restoredModelsTable,
	}
	figures = map[string]func(Rows) (string, error){"whole-texts": wholeTextsFigure, "synthetic-corpora": syntheticFigure}
)

// called has the names of sets, codebooks and mechanisms in documents. Others keep their
// own names.
var called = map[string]string{
	"ag-news": "AG News", "trec6": "TREC-6", "sst2": "SST-2", "yelp-short": "Yelp", "imdb": "IMDB", "imdb-sentences": "IMDB sentences", "english": "`english`",
	"mr": "MR", "cr": "CR", "mpqa": "MPQA",
}

func name(s string) string { return cmp.Or(called[s], s) }

// pair names the private texts and the corpus of a group.
func pair(g result.Group) string {
	set, codebook := g.Params.Get("set"), g.Params.Get("codebook")
	if codebook == "own" {
		codebook = set
	}
	return name(set) + ", " + name(codebook)
}

// groups returns the rows of a plan, those of one setting together.
func groups(rows Rows, plan string) ([]result.Group, error) {
	all, err := rows(plan)
	return result.Grouped(all), err
}

func mean(g result.Group, value string) float64 {
	m, _ := metric.Interval95(g.Values(value))
	return m
}

func three(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

func whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

func short(v float64) string { return strconv.FormatFloat(v, 'g', 2, 64) }

func thousands(v float64) string {
	s := whole(v)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// threeDigits shows a large number with three digits that count.
func threeDigits(v float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return thousands(math.Round(v/unit) * unit)
}

// objective is the objective of a group where it is not the default.
func objective(g result.Group) string {
	if _, o, ok := strings.Cut(g.Params.Get("mechanism"), "objective="); ok {
		return o
	}
	return ""
}

// epsilonTable has a line for each pair of set and corpus, and a column for each epsilon
// with two figures. Settings without an epsilon are without privacy, by the learner of the line.
func epsilonTable(rows Rows, plan, value, other string) (string, error) {
	all, err := groups(rows, plan)
	if err != nil {
		return "", err
	}
	b, err := besideOf(rows)
	epsilons := columns(all)
	var lines [][]string
	for _, pair := range pairs(all) {
		none, cells := positive(ceiling(pair.groups)), make([]string, len(epsilons))
		for _, g := range pair.groups {
			if e := g.Params.Get("epsilon"); e == "" {
				none = three(mean(g, value))
			} else {
				cells[slices.Index(epsilons, e)] = three(mean(g, value)) + " / " + three(mean(g, other))
			}
		}
		lines = append(lines, slices.Concat([]string{pair.name}, b.cells(pair), []string{none}, cells, []string{spread(pair.groups)}))
	}
	return markdown(slices.Concat([]string{"private texts, corpus"}, besideHead, []string{"none"}, epsilons, []string{"seeds; largest deviation"}), lines), err
}

// pairs splits groups by set and corpus, in order of appearance.
func pairs(all []result.Group) []part {
	var parts []part
	for _, g := range all {
		k := slices.IndexFunc(parts, func(p part) bool { return p.name == pair(g) })
		if k < 0 {
			k = len(parts)
			parts = append(parts, part{name: pair(g)})
		}
		parts[k].groups = append(parts[k].groups, g)
	}
	return parts
}

// spread states the least and the largest number of seeds of groups with an epsilon, and
// the largest standard deviation of the accuracy over seeds where there are several.
func spread(groups []result.Group) string {
	few, most, deviation := math.MaxInt, 0, 0.0
	for _, g := range groups {
		values := g.Values("accuracy")
		if g.Params.Get("epsilon") == "" {
			continue
		}
		few, most = min(few, len(values)), max(most, len(values))
		if len(values) > 1 {
			deviation = max(deviation, stat.StdDev(values, nil))
		}
	}
	if most < 2 {
		return strings.Repeat("1", most)
	}
	seeds := strconv.Itoa(few)
	if few < most {
		seeds += " to " + strconv.Itoa(most)
	}
	return seeds + "; " + three(deviation)
}

// columns returns the epsilons of groups, ascending.
func columns(all []result.Group) []string {
	var list []string
	for _, g := range all {
		if e := g.Params.Get("epsilon"); e != "" && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Compare(x, y)
	})
	return list
}

// leftTable has a line for each pair and epsilon.
func leftTable(rows Rows) (string, error) {
	all, err := groups(rows, "whole-texts")
	var lines [][]string
	for _, g := range all {
		e := g.Params.Get("epsilon")
		if e == "" {
			continue
		}
		if o := objective(g); o != "signal" {
			e += ", `" + o + "`"
		}
		lines = append(lines, []string{
			pair(g), e, thousands(mean(g, "set_size")) + " of " + thousands(mean(g, "texts")), three(mean(g, "inside")), three(mean(g, "macro_f1")), three(mean(g, "topic")),
			three(mean(g, "rouge1")), whole(mean(g, "perplexity")) + " (" + whole(mean(g, "clear_perplexity")) + ")", three(mean(g, "linked")), three(mean(g, "linked_limit")),
		})
	}
	return markdown([]string{"private texts, corpus", "epsilon", "k of M", "inside", "macro-F1", "topic kept", "ROUGE-1", "perplexity (private)", "linked", "at most"}, lines), err
}

// choicesTable has a line for each encoder and objective that was tried on a
// development part.
func choicesTable(rows Rows) (string, error) {
	all, err := groups(rows, "whole-texts-choices")
	epsilons := columns(all)
	var lines [][]string
	at := map[string]int{}
	for _, g := range all {
		line := []string{pair(g), "`" + g.Params.Get("encoder") + "`", "`" + objective(g) + "`"}
		key := strings.Join(line, " ")
		if _, ok := at[key]; !ok {
			at[key] = len(lines)
			lines = append(lines, append(line, make([]string, len(epsilons))...))
		}
		lines[at[key]][3+slices.Index(epsilons, g.Params.Get("epsilon"))] = three(mean(g, "accuracy")) + " / " + three(mean(g, "plain_accuracy"))
	}
	slices.SortStableFunc(lines, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	return markdown(append([]string{"private texts, corpus", "encoder", "objective"}, epsilons...), lines), err
}

// firstTable has a line for each text, whatever became of it.
func firstTable(rows Rows) (string, error) {
	all, err := rows("whole-texts-examples")
	var lines [][]string
	at := map[string]int{}
	for _, r := range all {
		k, ok := at[r.Params.Get("text")]
		if !ok {
			k = len(lines)
			at[r.Params.Get("text")] = k
			lines = append(lines, []string{r.Texts["private"]})
		}
		lines[k] = append(lines[k], r.Texts["released"])
	}
	return markdown([]string{"private", "released at 2", "at 4", "at 8"}, lines), err
}
