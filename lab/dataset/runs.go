package dataset

import (
	"slices"
	"strings"
	"unicode"
)

// WithoutRuns returns the texts of public that share no run of n words with any text
// of the others, in order; a shorter text counts as one run. Words are letters and
// digits in lower case.
//
// Without it a public text that nearly repeats a private or a test text would make a
// measurement look better. It is for measurements only. In production a public corpus
// must not be compared with private texts: the texts that it lacks would reveal them.
func WithoutRuns(public []string, n int, others ...[]string) []string {
	seen := map[string]bool{}
	for _, texts := range others {
		for _, t := range texts {
			for _, run := range runs(t, n) {
				seen[run] = true
			}
		}
	}
	var kept []string
	for _, t := range public {
		if !slices.ContainsFunc(runs(t, n), func(run string) bool { return seen[run] }) {
			kept = append(kept, t)
		}
	}
	return kept
}

func runs(text string, n int) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	all := []string{strings.Join(words[:min(n, len(words))], " ")}
	for i := 1; i+n <= len(words); i++ {
		all = append(all, strings.Join(words[i:i+n], " "))
	}
	return all
}

// Cut returns parts of the given sizes, in the order of the fixed public shuffle of
// HoldOut, and the rest. The last parts are smaller if there are too few texts. A size of
// 0 means all remaining texts.
func (s Split) Cut(sizes ...int) (parts []Split, rest Split) {
	order := shuffled(s.Len())
	for _, n := range sizes {
		if n == 0 {
			n = len(order)
		}
		n = min(n, len(order))
		parts = append(parts, s.pick(order[:n]))
		order = order[n:]
	}
	return parts, s.pick(order)
}
