// Package measure counts what the texts of a field are, and finds what is wrong with them.
package measure

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/corpora/internal/choose"
	"github.com/sotto-dp/sotto/corpora/internal/grammar"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Report describes the texts of a field.
type Report struct {
	Topics, Frames, Lists, Lines int
	Texts, Draws                 int
	Equal, Similar               int     // draws left out
	Heads                        int     // different first two words of the texts
	FrameHeads                   int     // the same of the frames, as written
	Lengths                      [7]int  // words: least, quantiles .05 .25 .5 .75 .95, most
	Short, Middle                float64 // shares of texts of less than 12 words, and of 15 to 40
	Unknown                      float64 // share of the words that the table lacks
	UnknownWords                 []Word  // most frequent first
	PerTopic                     map[string]int
	Barren                       []grammar.Place // frames with no text
	Faults                       []grammar.Fault
}

// Word is a word that the table lacks.
type Word struct {
	Text  string
	Count int
	Frame grammar.Place // of one text
}

// Measure describes the texts that were chosen from a grammar. Words are looked up in a
// table.
func Measure(g *grammar.Grammar, c *choose.Chosen, table *embedding.Table) *Report {
	r := &Report{Texts: len(c.Texts), Draws: c.Draws, Equal: c.Equal, Similar: c.Similar, PerTopic: map[string]int{}}
	r.Topics, r.Frames, r.Lists, r.Lines = g.Counts()
	heads, frameHeads, used := map[string]bool{}, map[string]bool{}, map[grammar.Place]bool{}
	var lengths []int
	for _, t := range c.Texts {
		words := strings.Fields(t.Text)
		heads[head(words)] = true
		used[t.Frame] = true
		r.PerTopic[t.Topic]++
		lengths = append(lengths, len(words))
		r.Faults = append(r.Faults, grammar.Faults(t)...)
		if g.About("language") == "en" {
			r.Faults = append(r.Faults, grammar.ArticleFaults(t)...)
		}
	}
	for place, frame := range g.Frames() {
		frameHeads[head(strings.Fields(frame))] = true
		if !used[place] {
			r.Barren = append(r.Barren, place)
		}
	}
	r.Heads, r.FrameHeads = len(heads), len(frameHeads)
	slices.Sort(lengths)
	for i, q := range []float64{0, .05, .25, .5, .75, .95, 1} {
		r.Lengths[i] = lengths[int(q*float64(len(lengths)-1))]
	}
	for _, n := range lengths {
		if n < 12 {
			r.Short++
		}
		if n >= 15 && n <= 40 {
			r.Middle++
		}
	}
	r.Short /= float64(len(lengths))
	r.Middle /= float64(len(lengths))
	r.unknown(c.Texts, table)
	return r
}

func head(words []string) string {
	return strings.ToLower(strings.Join(words[:min(2, len(words))], " "))
}

func (r *Report) unknown(texts []grammar.Text, table *embedding.Table) {
	tokens := tokenize.NewTokenizer(table)
	all, lacking := 0, 0
	found := map[string]*Word{}
	var ids []embedding.ID
	for _, t := range texts {
		var n int
		ids, n = tokens.Tokenize(ids[:0], []byte(t.Text))
		all, lacking = all+len(ids), lacking+n
		if n == 0 {
			continue
		}
		for _, w := range strings.FieldsFunc(t.Text, func(r rune) bool { return strings.ContainsRune(" .,;:!?\"()", r) }) {
			if ids, n = tokens.Tokenize(ids[:0], []byte(w)); n > 0 {
				w = strings.ToLower(w)
				if found[w] == nil {
					found[w] = &Word{Text: w, Frame: t.Frame}
				}
				found[w].Count++
			}
		}
	}
	r.Unknown = float64(lacking) / float64(max(1, all))
	for _, word := range slices.Sorted(maps.Keys(found)) {
		r.UnknownWords = append(r.UnknownWords, *found[word])
	}
	slices.SortStableFunc(r.UnknownWords, func(a, b Word) int { return cmp.Compare(b.Count, a.Count) })
}
