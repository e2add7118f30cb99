package statement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/privacy"
)

// String returns the statement for people, in lines of at most 80 columns where words
// allow it: what is protected, what that means, and what is not protected.
func (s Statement) String() string {
	if reader := s.Reader(); reader != "" {
		return s.text(row{"Reader", reader})
	}
	return s.text()
}

// String returns the statement for people, with what each vector represents.
func (s EmbedStatement) String() string {
	return s.text(row{"Vectors", fmt.Sprintf("%d of %d components, one per %s", s.Vectors, s.Components, map[Of]string{Documents: "text", Tokens: "token"}[s.Of])})
}

// row is a line of a statement under its heading.
type row struct{ heading, text string }

func (s Statement) text(more ...row) string {
	rows := []row{
		{"Protects", s.protects()},
		{"Guarantee", s.promise()},
		{"Neighbours", s.Claim.Neighbours()},
		{"Meaning", s.Claim.Meaning()},
		{"Texts", s.whole()},
	}
	if s.Rest != nil {
		rest := s.Rest.Claim.String() + ", given the marked places"
		rows = append(rows, row{"Rest", rest})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Types)) {
		t := s.Types[name]
		rows = append(rows, row{"Type", fmt.Sprintf("%s: epsilon = %s over %s of codebook %s, sha256 %.16s", name, privacy.Above(t.Epsilon, 6), plural(t.Values, "value"), t.Codebook, t.SHA256)})
	}
	if s.Untyped != nil {
		rows = append(rows, row{"Untyped", s.Untyped.Claim.String() + ", given the marks and their numbers of tokens"})
	}
	if s.Bag != nil {
		rows = append(rows, row{"Bags", s.Bag.String()})
	}
	rows = append(rows, more...)
	if c := s.Certificate; c != nil && c.PureEpsilon.Known() {
		units := "words"
		if s.Claim.Unit == privacy.Text {
			units = "texts"
		}
		text := fmt.Sprintf("the loss is at most %s between any two %s (%s)", privacy.Above(c.PureEpsilon.High, 6), units, c.Source)
		if s.Rest != nil {
			text += ", in the marked places alone: the rest has no certificate here"
		}
		rows = append(rows, row{"Certified", text})
	}
	if f := s.Shuffled; f != nil {
		rows = append(rows, row{"Shuffled", fmt.Sprintf("epsilon = %s, delta = %s against readers of the shuffled file only, of %s (bound: %s)", privacy.Above(f.Epsilon, 6), privacy.Above(f.Delta, 3), plural(f.Records, "text"), f.Bound)})
	}
	rows = append(rows, row{"Mechanism", fmt.Sprintf("%s (%s)", s.Mechanism, s.Standing)})
	if c := s.Corpus; c != nil {
		rows = append(rows, row{"Corpus", fmt.Sprintf("%s, %s, sha256 %.16s", c.Name, plural(c.Texts, "text"), c.SHA256)})
	}
	if e := s.Embeddings; e != nil {
		text := strings.TrimPrefix(fmt.Sprintf("%s, %d words, sha256 %.16s", e.Name, e.Words, e.SHA256), ", ")
		if n := e.Never; n != nil {
			text += fmt.Sprintf("; %d of %d never come out (list of %d, sha256 %.16s)", n.LeftOut, n.Of, n.Words, n.SHA256)
		}
		rows = append(rows, row{"Vocabulary", text})
	}
	rows = append(rows,
		row{"Randomness", s.Randomness},
		row{"Version", "sotto " + s.Version},
	)
	var b strings.Builder
	for _, r := range rows {
		fold(&b, fmt.Sprintf("%-12s", r.heading), r.text)
	}
	b.WriteString("Not protected\n")
	for _, not := range s.NotProtected {
		fold(&b, "  - ", not)
	}
	return b.String()
}

// protects returns what one draw protects.
func (s Statement) protects() string {
	texts := plural(s.Documents, "text")
	switch s.Claim.Unit {
	case privacy.User:
		return fmt.Sprintf("all texts of each user in this run, at most %d of %s", s.Users.PerUser, texts)
	case privacy.Text:
		return "each of " + texts + " as a whole"
	case privacy.Word:
		return "each distinct word of " + texts + ", at all its positions at once"
	}
	if s.Types != nil {
		what := "what each mark holds"
		if s.Claim.Unit == privacy.DistinctMark {
			what = "each distinct value of the marks"
		}
		return fmt.Sprintf("%s, %s of %s, within its type, and nothing outside them", what, plural(*s.Spans, "mark"), texts)
	}
	if s.Spans != nil && s.Rest != nil {
		return fmt.Sprintf("each token inside %s of %s; the rest has a guarantee of its own", plural(*s.Spans, "marked place"), texts)
	}
	if s.Spans != nil {
		return fmt.Sprintf("each token inside %s of %s, and nothing outside them", plural(*s.Spans, "marked place"), texts)
	}
	return fmt.Sprintf("each %s of %s", s.Claim.Unit, texts)
}

// promise returns the notion and its figures.
func (s Statement) promise() string {
	switch c := s.Claim; c.Notion {
	case privacy.Pure:
		return fmt.Sprintf("epsilon = %s", privacy.Above(c.Epsilon, 6))
	case privacy.Approximate:
		return fmt.Sprintf("epsilon = %s, delta = %s", privacy.Above(c.Epsilon, 6), privacy.Above(c.Delta, 3))
	case privacy.Metric:
		return fmt.Sprintf("epsilon = %s per unit of %s distance", privacy.Above(c.Epsilon, 6), c.Distance)
	case privacy.MetricApproximate:
		return fmt.Sprintf("epsilon = %s per unit of %s distance, delta = %s", privacy.Above(c.Epsilon, 6), c.Distance, privacy.Above(c.Delta, 3))
	}
	return "none"
}

// whole returns what whole texts lose.
func (s Statement) whole() string {
	if f := s.Cap; f != nil {
		text := fmt.Sprintf("at most epsilon = %s each", privacy.Above(f.Total, 6))
		if f.Delta > 0 {
			text += fmt.Sprintf(", delta = %s", privacy.Above(f.Delta, 3))
		}
		text += fmt.Sprintf(", for texts of at most %s", plural(f.Allowed, "token"))
		if f.ClampedDocuments > 0 {
			text += fmt.Sprintf("; the last %[2]s of %[1]s were drawn from the whole vocabulary", plural(f.ClampedDocuments, "longer text"), plural(f.ClampedTokens, "token"))
		}
		return text
	}
	if s.Rest != nil {
		text := "no guarantee: which places are marked depends on the whole text"
		if loss := s.Rest.TextEpsilonMax; loss != nil {
			text += fmt.Sprintf("; among texts with as many tokens in the same marked places at most epsilon = %s each", privacy.Above(*loss, 6))
		}
		return text
	}
	if s.Spans != nil {
		return "no guarantee: all but the marked places is copied, so the total of a text is infinite"
	}
	length := ""
	if s.LongestTokens != nil {
		length = fmt.Sprintf("the longest has %s: ", plural(*s.LongestTokens, "token"))
	}
	if s.DocumentEpsilonMax == nil {
		return length + "no bound holds for a whole text"
	}
	text := fmt.Sprintf("%sat most epsilon = %s per whole text", length, privacy.Above(*s.DocumentEpsilonMax, 6))
	if s.DocumentDeltaMax > 0 {
		text += fmt.Sprintf(", delta = %s", privacy.Above(s.DocumentDeltaMax, 3))
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// fold writes a text in lines of at most 80 columns, the first after a head and the
// others indented below it.
func fold(b *strings.Builder, head, text string) {
	const columns = 80
	b.WriteString(head)
	at := len(head)
	for i, word := range strings.Fields(text) {
		if i > 0 && at+1+len(word) > columns {
			b.WriteString("\n" + strings.Repeat(" ", len(head)))
			at = len(head)
		} else if i > 0 {
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	b.WriteByte('\n')
}
