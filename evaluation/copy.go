package evaluation

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/text/terms"
)

// Copy describes the texts that came out, or those of the corpus.
type Copy struct {
	Texts    int `json:"texts"`
	Distinct int `json:"distinct"`
	// Effective is the number of equally frequent texts that are as varied as these: e to
	// the entropy of the shares of the distinct ones.
	Effective float64 `json:"effective"`
	Commonest float64 `json:"commonest"` // share of the most frequent text
	Words     int     `json:"words"`     // distinct words
	Lengths   Lengths `json:"lengths"`
}

// Lengths is the distribution of the number of words of a text.
type Lengths struct {
	Mean     float64 `json:"mean"`
	Least    int     `json:"least"`
	Quarter  int     `json:"quarter"`
	Median   int     `json:"median"`
	Three    int     `json:"three_quarters"`
	Most     int     `json:"most"`
	byLength map[int]float64
	sum      float64
}

// Text is one text with its weight.
type Text struct {
	Body   []byte
	Weight float64
}

// Describe describes texts. Those without a weight are left out.
func Describe(texts []Text) Copy {
	var c Copy
	weights, words := map[string]float64{}, map[string]bool{}
	c.Lengths.byLength = map[int]float64{}
	var scratch []byte
	for _, t := range texts {
		if !(t.Weight > 0) {
			continue
		}
		c.Texts++
		weights[string(t.Body)] += t.Weight
		length := 0
		scratch = terms.Each(scratch, t.Body, func(term []byte) {
			length++
			words[string(term)] = true
		})
		c.Lengths.byLength[length] += t.Weight
		c.Lengths.sum += t.Weight
	}
	c.Distinct, c.Words = len(weights), len(words)
	shares := make([]float64, 0, len(weights))
	for _, w := range weights {
		shares = append(shares, w/c.Lengths.sum)
	}
	slices.Sort(shares) // a sum that does not depend on the order of a map
	entropy := 0.0
	for _, s := range shares {
		entropy -= float64(s * math.Log(s))
	}
	if len(shares) > 0 {
		c.Effective, c.Commonest = math.Exp(entropy), shares[len(shares)-1]
	}
	c.Lengths.summarise()
	return c
}

// summarise computes the mean and the quantiles.
func (l *Lengths) summarise() {
	lengths := make([]int, 0, len(l.byLength))
	for n := range l.byLength {
		lengths = append(lengths, n)
	}
	if len(lengths) == 0 {
		return
	}
	slices.Sort(lengths)
	l.Least, l.Most = lengths[0], lengths[len(lengths)-1]
	quantile := func(share float64) int {
		sum := 0.0
		for _, n := range lengths {
			if sum += l.byLength[n]; sum >= float64(share*l.sum) {
				return n
			}
		}
		return l.Most
	}
	l.Quarter, l.Median, l.Three = quantile(.25), quantile(.5), quantile(.75)
	for _, n := range lengths {
		l.Mean += float64(float64(n)*l.byLength[n]) / l.sum
	}
}

// bins returns the shares of texts by length, in bins of a width from 0 up. The last bin has
// all longer texts.
func (l *Lengths) bins(width, count int) []float64 {
	shares := make([]float64, count)
	for n, w := range l.byLength {
		shares[min(n/width, count-1)] += w / l.sum
	}
	return shares
}
