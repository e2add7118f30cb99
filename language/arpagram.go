package language

import (
	"bytes"
	"math"
	"strconv"

	"github.com/sotto-dp/sotto/internal/elementary"
)

func missing(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = math.NaN()
	}
	return list
}

// split sets the fields of a line.
func (a *arpa) split(line []byte) {
	a.fields = a.fields[:0]
	for len(line) > 0 && len(a.fields) <= MaxOrder+2 {
		i := bytes.IndexAny(line, separators)
		if i < 0 {
			i = len(line)
		}
		if i > 0 {
			a.fields = append(a.fields, line[:i])
		}
		line = line[min(i+1, len(line)):]
	}
}

// gram reads an n-gram of length k+1.
func (a *arpa) gram(line []byte, k int) error {
	a.split(line)
	words, last := len(a.fields)-1, k+1 == len(a.counts)
	if words != k+1 && (last || words != k+2) {
		return a.fault("%d fields, a %d-gram must have %d", words+1, k+1, k+2)
	}
	log, err := a.number(a.fields[0])
	if err != nil || log > 0 {
		return a.fault("the first field must be a logarithm of at most 0")
	}
	backoff := 0.0
	if words == k+2 {
		if backoff, err = a.number(a.fields[k+2]); err != nil {
			return a.fault("the last field must be a logarithm")
		}
	}
	if k == 0 {
		return a.unigram(string(a.fields[1]), log, backoff)
	}
	return a.longer(a.fields[1:k+2], log, backoff)
}

// number reads a logarithm to base 10, and returns the natural one. Tools write -99 for
// that of zero, and some write -inf.
func (a *arpa) number(field []byte) (float64, error) {
	x, err := strconv.ParseFloat(string(field), 64)
	if err != nil || math.IsNaN(x) || x > 99 {
		return 0, strconv.ErrRange
	}
	return max(x*math.Ln10, leastLog), nil
}

func isUnknown(word string) bool { return word == markUnknown || word == "<UNK>" }

func (a *arpa) unigram(word string, log, backoff float64) error {
	if _, ok := a.numbers[word]; ok {
		return a.fault("a word is repeated")
	}
	number := uint32(outside)
	unknown := a.vocabulary.unknown
	switch id, ok := a.vocabulary.Lookup(word); {
	case word == markBegin:
		number = uint32(a.vocabulary.Len() + 1)
	case word == markEnd:
		number = uint32(a.vocabulary.Len())
	case isUnknown(word):
		if number = uint32(unknown); a.unknown > 0 {
			return a.fault("a word is repeated")
		}
		a.unknown = elementary.Exp(log)
	case ok && id != unknown:
		number = uint32(id)
	default:
		a.rest += elementary.Exp(log)
	}
	a.numbers[word] = number
	if number != outside {
		a.log[0][number], a.backoff[0][number] = log, backoff
	}
	return nil
}

func (a *arpa) longer(words [][]byte, log, backoff float64) error {
	var numbers [MaxOrder]uint32
	inside := len(words) // the first word that is outside, or the end
	for i, w := range words {
		number, ok := a.numbers[string(w)]
		switch {
		case !ok:
			return a.fault("word %d of the n-gram is not among the unigrams", i+1)
		case number == uint32(a.vocabulary.Len()) && i < len(words)-1, number == uint32(a.vocabulary.Len()+1) && i > 0:
			return a.fault("%s must be the first word and %s the last", markBegin, markEnd)
		case number == outside && inside == len(words):
			inside = i
		}
		numbers[i] = number
	}
	k := len(words) - 1
	switch {
	case inside == len(words):
		g := a.lists[k-1]
		g.words = append(g.words, numbers[:len(words)]...)
		a.log[k], a.backoff[k] = append(a.log[k], log), append(a.backoff[k], backoff)
	case inside == k: // the context stays
		a.lost[k-1].words = append(a.lost[k-1].words, numbers[:k]...)
	}
	return nil
}
