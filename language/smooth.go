package language

// Discount holds the amounts subtracted from the count of an n-gram that occurs once,
// twice, or three times or more.
type Discount struct {
	One   float64 `json:"one"`
	Two   float64 `json:"two"`
	Three float64 `json:"three"`
	// Assumed reports that there are too few texts for an estimate, so that the discounts
	// are 0.5, 1 and 1.5.
	Assumed bool `json:"assumed,omitempty"`
}

func (d *Discount) of(count uint32) float64 {
	switch count {
	case 0:
		return 0
	case 1:
		return d.One
	case 2:
		return d.Two
	}
	return d.Three
}

// discount estimates the discounts from the numbers of n-grams that occur once, twice,
// three and four times (Chen and Goodman 1999, equation 26).
func discount(counts []uint32) Discount {
	var n [5]float64
	for _, c := range counts {
		if c >= 1 && c <= 4 {
			n[c]++
		}
	}
	assumed := Discount{One: 0.5, Two: 1, Three: 1.5, Assumed: true}
	if n[1] == 0 || n[2] == 0 || n[3] == 0 {
		return assumed
	}
	y := n[1] / (n[1] + 2*n[2])
	d := Discount{One: 1 - float64(2*y*n[2]/n[1]), Two: 2 - float64(3*y*n[3]/n[2]), Three: 3 - float64(4*y*n[4]/n[3])}
	if d.One < 0 || d.Two < 0 || d.Three < 0 {
		return assumed
	}
	return d
}

// adjust replaces the counts of n-grams below the greatest length by the numbers of
// distinct words before them. N-grams that begin with <s> keep their counts, since no
// word precedes them; the unigram <s> is never predicted, and its count is 0.
func (t *trie) adjust(counts []uint32) {
	from := t.begin() // the first n-gram of a length that begins with <s>: those are the last
	clear(counts[:t.unigrams()])
	for k := range t.order - 1 {
		if k > 0 {
			clear(counts[t.starts[k]:from])
		}
		for e := t.starts[k+1]; e < t.starts[k+2]; e++ {
			counts[t.suffix(e)]++ // never one that begins with <s>
		}
		from = t.context[from].first
	}
}

// smooth computes probabilities and weights from adjusted counts, and the log-probability of a
// word of the vocabulary, of a number of words, that does not occur.
func (t *trie) smooth(counts []uint32, vocabulary int) (discounts []Discount, unseen float64) {
	t.log = make([]float64, t.size())
	discounts = make([]Discount, t.order)
	for k := range discounts {
		discounts[k] = discount(counts[t.starts[k]:t.starts[k+1]])
	}
	sum, rest := share(counts[:t.unigrams()], &discounts[0])
	uniform := float64(rest / sum / float64(vocabulary+1))
	for w := range t.begin() { // log holds probabilities until the end
		t.log[w] = (float64(counts[w])-discounts[0].of(counts[w]))/sum + uniform
	}
	for k := 1; k < t.order; k++ {
		d := &discounts[k]
		for c := t.starts[k-1]; c < t.starts[k]; c++ {
			from, to := t.run(c)
			if from == to {
				continue
			}
			sum, rest := share(counts[from:to], d)
			weight := rest / sum
			t.context[c].backoff = logOf(weight)
			for e := from; e < to; e++ {
				t.log[e] = (float64(counts[e])-d.of(counts[e]))/sum + float64(weight*t.log[t.suffix(e)])
			}
		}
	}
	for e := range t.log {
		if uint32(e) != t.begin() {
			t.log[e] = min(0, logOf(t.log[e]))
		}
	}
	return discounts, min(0, logOf(uniform))
}

// share returns the sum of counts and the sum of the discounts.
func share(counts []uint32, d *Discount) (sum, rest float64) {
	var n [4]int
	all := 0
	for _, c := range counts {
		n[min(c, 3)]++
		all += int(c)
	}
	return float64(all), float64(float64(n[1])*d.One) + float64(float64(n[2])*d.Two) + float64(float64(n[3])*d.Three)
}
