package statement

import (
	"errors"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/privacy"
)

// Words is a release of texts whose words are replaced.
type Words struct {
	// Placeholder is how the entry for unknown words is written; empty: as in the table.
	Placeholder string
	// Once is where a distinct word is drawn once, at all its positions; empty: each token
	// is drawn.
	Once Once
	// Cap has the figures of a cap on whole texts, except for those that are counted; nil
	// without one.
	Cap *DocumentFigures
	// Marked reports that only tokens inside given spans have the claim. Rest is the
	// guarantee for the others, nil if they are copied.
	Marked bool
	Rest   *RestFigures
}

// Once is where a distinct word is drawn once.
type Once string

// The texts over which a word has one draw.
const (
	OncePerText  Once = "of a text"
	OncePerScope Once = "of all texts of the scope"
)

func (w Words) state(s *Statement, f Facts, counts Counts) {
	first, again, more := "", againEverywhere, []string(nil)
	switch {
	case w.Marked:
		w.total(s, f, counts.LongestTokens)
		first, more = w.marked(s, counts)
	case w.Cap != nil:
		figures := *w.Cap
		figures.ClampedDocuments, figures.ClampedTokens = counts.ClampedDocuments, counts.ClampedTokens
		s.Cap = &figures
		if s.Bag = bagOf(s); s.Bag != nil {
			s.Bag.Longest = &figures.Allowed
		}
		w.total(s, f, min(counts.LongestTokens, figures.Allowed))
		first = fmt.Sprintf("whole texts beyond (epsilon = %s, delta = %g): each other text about the same person, or the same one again, adds its own", privacy.Above(figures.Total, 4), figures.Delta)
	case w.Once != "":
		w.total(s, f, counts.LongestDraws)
		first, again = lossesAddUp(s), againTexts
		more = []string{"which positions " + string(w.Once) + " hold the same word, and so how many distinct words there are: all positions of a word have the same replacement, and draws and charges are per distinct word"}
	default:
		s.Bag = bagOf(s)
		w.total(s, f, counts.LongestTokens)
		first = lossesAddUp(s)
	}
	s.NotProtected = append(s.NotProtected, first)
	s.NotProtected = unverified(append(s.NotProtected, more...), s.Certificate)
	if f.Table.Segmentation().Kind() == segment.Pieces {
		s.NotProtected = append(s.NotProtected, piecesAreWords)
	}
	s.NotProtected = append(s.NotProtected,
		"the number of tokens of each text, and what the tokenizer decides: word boundaries, sentence and field ends",
		besideTexts,
		again,
		"what context reveals: neighbouring words predict each other",
		"the time the run took, memory, and who else holds the same text",
	)
}

// marked adds what is not bounded: the copied parts, or the places. It returns what is not
// protected of whole texts, and more.
func (w Words) marked(s *Statement, counts Counts) (first string, more []string) {
	s.DocumentEpsilonMax, s.DocumentDeltaMax, s.Spans = nil, 1, &counts.Spans
	if w.Rest == nil {
		return "whole texts: all but the marked places is copied as it is, so the total of a text is infinite",
			[]string{"what the spans left unmarked, which places they mark and why: a detector read the whole text, and the claim is conditional on what it marked"}
	}
	rest := *w.Rest
	rest.Tokens = counts.RestTokens
	first = "whole texts as one secret: which places are marked depends on the whole text, so the total of a text is infinite"
	if loss := float64(counts.LongestLoss); !math.IsInf(loss, 0) {
		rest.TextEpsilonMax = &loss
		first += fmt.Sprintf("; among texts with as many tokens in the same marked places it is at most %s", privacy.Above(loss, 6))
	}
	s.Rest = &rest
	return first, []string{"which places the spans mark and why: a detector read the whole text, and both claims are conditional on what it marked. Tokens that it missed have the epsilon of the rest"}
}

// total sets the certificate, the form of the unknown entry, and the loss of a text that
// spends the claim the given number of times.
func (w Words) total(s *Statement, f Facts, times int) {
	s.Placeholder = w.Placeholder
	pure := f.Loss()
	if c := f.Certificate; c != nil {
		s.Certificate = c
		if c.PureEpsilon.Known() {
			pure = c.PureEpsilon.High
		}
	}
	s.total(pure, times)
}

// lossesAddUp returns what a whole text loses without a cap.
func lossesAddUp(s *Statement) string {
	if s.DocumentEpsilonMax == nil {
		return "whole texts as one secret: losses add up over tokens"
	}
	return fmt.Sprintf("whole texts as one secret: losses add up, to %s for the longest text of %d tokens", privacy.Above(*s.DocumentEpsilonMax, 4), *s.LongestTokens)
}

var errUnverifiable = errors.New("a report of this kind cannot be verified")

func (w Words) again(read *Statement, f Facts, counts Counts) (Facts, Counts, error) {
	if w.Marked || w.Cap != nil || w.Once == OncePerScope {
		return f, counts, errUnverifiable
	}
	f.Certificate = read.Certificate
	if w.Once != "" {
		counts.LongestDraws = w.longestDraws(read, f)
	}
	return f, counts, nil
}

// longestDraws returns the largest number of distinct words of a text, which follows from
// the stated loss of a whole text, and -1 where no texts with the statement's counts have
// it.
func (w Words) longestDraws(s *Statement, f Facts) int {
	one := Statement{Claim: s.Claim}
	w.total(&one, f, 1)
	if s.DocumentEpsilonMax == nil || one.DocumentEpsilonMax == nil || s.LongestTokens == nil {
		return -1
	}
	n := math.Round(*s.DocumentEpsilonMax / *one.DocumentEpsilonMax)
	if n >= 0 && n <= float64(*s.LongestTokens) && n <= float64(s.Draws) && float64(s.Draws) <= float64(n*float64(s.Documents)) {
		return int(n)
	}
	return -1
}
