package statement

import (
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
)

// BagFigures is the guarantee for a whole text as a bag of words. It follows from a metric
// claim for each token. Let two texts have N tokens each, and consider only which words the
// output has and how often. No such bag is more than e^(Epsilon N E) times likelier for one
// text than for the other. E is the Earth Mover's distance of the two texts' bags, each
// divided by N. Moving one word to another costs the distance of the two words.
//
// It holds if one mechanism draws each token independently. The distribution of the output
// bag then does not depend on the order of the tokens. So the tokens of the two texts can
// be matched in any way, and the best matching costs N E. It does not hold for the words in
// their order: their loss is Epsilon times the sum of the distances position by position.
// Fernandes, Dras, McIver 2019, arXiv:1811.10256.
type BagFigures struct {
	Epsilon  float64 `json:"epsilon"`  // per token, and unit of the Earth Mover's distance
	Distance string  `json:"distance"` // between words
	// Longest is the largest N for which this holds; nil means every N. In longer texts a
	// cap draws some words without reading their tokens, and which ones depends on the
	// order of the tokens.
	Longest *int `json:"document_tokens_cap"`
}

// bagOf returns the guarantee for bags that follows from a statement of a plan that draws
// for each token independently; nil if none does.
func bagOf(s *Statement) *BagFigures {
	if s.Claim.Unit != privacy.Token || s.Claim.Notion != privacy.Metric || s.Standing == privacy.Refuted {
		return nil
	}
	return &BagFigures{Epsilon: s.Claim.Epsilon, Distance: s.Claim.Distance}
}

// String returns the promise in two sentences.
func (b BagFigures) String() string {
	of := "of N tokens each"
	if b.Longest != nil {
		of = fmt.Sprintf("of N tokens each, at most %d,", *b.Longest)
	}
	epsilon := privacy.Above(b.Epsilon, 6)
	return fmt.Sprintf("The output words of two texts %s, without their order, differ in likelihood by a factor of at most e^(%s N E), E the Earth Mover's distance of the two normalised bags of words over %s distance. In their order, by at most e^(%s S), S the sum of the distances position by position.",
		of, epsilon, b.Distance, epsilon)
}
