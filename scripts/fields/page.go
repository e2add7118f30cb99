package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/files/atomicfile"
)

// writePage replaces the tables of a page, each between its two marks.
func writePage(name string, rows []row) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text := string(page)
	for mark, table := range map[string]string{"accuracy": accuracies(rows), "fit": fits(rows), "copies": copies(rows)} {
		between := regexp.MustCompile(`(?s)(<!-- table: ` + mark + ` -->\n).*?(<!-- end -->)`)
		if !between.MatchString(text) {
			return fmt.Errorf("%s: there is no table %s", name, mark)
		}
		text = between.ReplaceAllString(text, "${1}\n"+strings.ReplaceAll(table, "$", "$$")+"\n${2}")
	}
	return atomicfile.WriteFile(name, []byte(text))
}

// each calls f for each set and corpus that has rows.
func each(rows []row, f func(s set, corpus string, own []row)) {
	for _, s := range sets {
		for _, corpus := range s.corpora() {
			var some []row
			for _, r := range rows {
				if r.Set == s.name && r.Corpus == corpus {
					some = append(some, r)
				}
			}
			if len(some) > 0 {
				f(s, corpus, some)
			}
		}
	}
}

// mean returns the mean of a figure over the seeds, the largest distance from it, and the
// number of seeds.
func mean(rows []row, w way, figure func(row) float64) string {
	var all []float64
	sum := 0.0
	for _, r := range rows {
		if r.Way == w.name && r.Epsilon == w.epsilon {
			all = append(all, figure(r))
			sum += figure(r)
		}
	}
	if len(all) == 0 {
		return ""
	}
	m, far := sum/float64(len(all)), 0.0
	for _, x := range all {
		far = max(far, m-x, x-m)
	}
	if w == none {
		return short(m)
	}
	if len(all) == 1 {
		return short(m) + " (1)"
	}
	return fmt.Sprintf("%s ± %s (%d)", short(m), short(far), len(all))
}

func short(x float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", x), "0") }

func shownName(corpus string) string {
	if corpus == own {
		return corpus
	}
	return "`" + corpus + "`"
}

func accuracies(rows []row) string {
	var b strings.Builder
	b.WriteString("| set | corpus | texts | words alone | `synthesize` .25 | `synthesize` 1 | whole 2 | whole 4 | whole 8 | none |\n| --- | --- | ---: | --- | --- | --- | --- | --- | --- | --- |\n")
	each(rows, func(s set, corpus string, some []row) {
		fmt.Fprintf(&b, "| %s | %s | %d | %s |", s.name, shownName(corpus), some[0].Texts, known(some))
		for _, w := range ways {
			fmt.Fprintf(&b, " %s |", mean(some, w, func(r row) float64 { return r.Accuracy }))
		}
		b.WriteString("\n")
	})
	return b.String()
}

// known is what the words for labels teach alone.
func known(rows []row) string {
	for _, r := range rows {
		if r.Known > 0 {
			return short(r.Known)
		}
	}
	return ""
}

func fits(rows []row) string {
	var b strings.Builder
	b.WriteString("| set | corpus | similarity | topic kept at 4 | at 8 |\n| --- | --- | --- | --- | --- |\n")
	each(rows, func(s set, corpus string, some []row) {
		if corpus == s.along() {
			return
		}
		kept := func(r row) float64 { return r.Kept }
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", s.name, shownName(corpus), short(some[0].Similarity), mean(some, way{"whole", 4}, kept), mean(some, way{"whole", 8}, kept))
	})
	return b.String()
}

// copies shows the first private texts of a set for each field, and their copies.
func copies(rows []row) string {
	var b strings.Builder
	done := map[string]bool{}
	each(rows, func(s set, corpus string, some []row) {
		if corpus == s.field && !done[corpus] {
			done[corpus] = true
			writeCopies(&b, s.name, corpus, some)
		}
	})
	for _, name := range inventedFields() {
		writeCopies(&b, invented+" texts", name, slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Set != invented || r.Corpus != name }))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeCopies(b *strings.Builder, from, corpus string, rows []row) {
	at := map[float64][]string{}
	for _, r := range rows {
		if r.Sample != nil {
			at[r.Epsilon] = r.Sample
		}
	}
	fmt.Fprintf(b, "### %s, over `%s`\n\n| private | at 4 | at 8 |\n| --- | --- | --- |\n", from, corpus)
	for i := range at[4] {
		private, four, _ := strings.Cut(at[4][i], "\t")
		eight := ""
		if i < len(at[8]) {
			_, eight, _ = strings.Cut(at[8][i], "\t")
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(private), cell(four), cell(eight))
	}
	b.WriteString("\n")
}

// cell is a text in a table, cut where it is long.
func cell(text string) string {
	const most = 160
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + " ..."
	}
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "*", "\\*", "_", "\\_", "`", "'").Replace(text)
}
