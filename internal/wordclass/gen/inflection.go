package main

import (
	"strings"

	"github.com/sotto-dp/sotto/internal/wordclass"
)

// ending is a spelling rule: a form ends in from where its lemma ends in to.
type ending struct {
	pos, from, to string
	class         wordclass.Class
}

// endings are the regular inflections.
var endings = []ending{
	{"noun", "s", "", wordclass.Plural}, {"noun", "ses", "s", wordclass.Plural}, {"noun", "xes", "x", wordclass.Plural},
	{"noun", "zes", "z", wordclass.Plural}, {"noun", "ches", "ch", wordclass.Plural}, {"noun", "shes", "sh", wordclass.Plural},
	{"noun", "ies", "y", wordclass.Plural}, {"noun", "men", "man", wordclass.Plural}, {"noun", "oes", "o", wordclass.Plural},
	{"verb", "s", "", wordclass.Third}, {"verb", "es", "", wordclass.Third}, {"verb", "ies", "y", wordclass.Third},
	{"verb", "ed", "", wordclass.Past}, {"verb", "ed", "e", wordclass.Past}, {"verb", "ied", "y", wordclass.Past},
	{"verb", "ing", "", wordclass.Ing}, {"verb", "ing", "e", wordclass.Ing},
	{"adj", "er", "", wordclass.Comparative}, {"adj", "er", "e", wordclass.Comparative}, {"adj", "ier", "y", wordclass.Comparative},
	{"adj", "est", "", wordclass.Superlative}, {"adj", "est", "e", wordclass.Superlative}, {"adj", "iest", "y", wordclass.Superlative},
}

// share is the assumed fraction of a lemma's uses that are of each class. WordNet
// counts lemmas only, and a rough value is enough to choose the commonest
// reading.
var share = map[wordclass.Class]float64{
	wordclass.Plural: 0.3, wordclass.Verb: 0.4, wordclass.Third: 0.1, wordclass.Ing: 0.2, wordclass.Past: 0.3,
	wordclass.Comparative: 0.05, wordclass.Superlative: 0.05,
}

// class returns the class of the most common reading of a word, or Unlisted if it has none.
func (w *wordnet) class(word string) wordclass.Class {
	best, at := wordclass.Unlisted, 0.0
	consider := func(pos, lemma string, class wordclass.Class) {
		if _, ok := w.lemmas[pos][lemma]; !ok {
			return
		}
		part, inflected := share[class]
		if !inflected {
			part = 0.7
		}
		// A lemma that is in no tagged text counts as half a use; of equal
		// readings the first wins.
		if uses := part * (w.uses[pos][lemma] + 0.5); uses > at {
			best, at = class, uses
		}
	}
	for _, pos := range partsOfSpeech {
		if class, ok := w.lemmas[pos][word]; ok {
			consider(pos, word, class)
		}
	}
	for _, pos := range partsOfSpeech {
		for _, lemma := range w.exceptions[pos][word] {
			if lemma != word {
				consider(pos, lemma, irregular(pos, word))
			}
		}
	}
	for _, e := range endings {
		// One letter is not a stem: "as" is not the plural of "a".
		if stem, ok := strings.CutSuffix(word, e.from); ok && len(stem) > 1 {
			consider(e.pos, stem+e.to, e.class)
		}
	}
	// Words for nationals are both nouns and adjectives: "israeli" and "american" belong together.
	if (best == wordclass.Person || best == wordclass.Name) && w.lemmas["adj"][word] == wordclass.Origin {
		return wordclass.Origin
	}
	return best
}

// irregular returns the class of a form that WordNet lists as an exception.
func irregular(pos, word string) wordclass.Class {
	switch {
	case pos == "noun":
		return wordclass.Plural
	case pos == "verb" && strings.HasSuffix(word, "ing"):
		return wordclass.Ing
	case pos == "verb" && strings.HasSuffix(word, "s"):
		return wordclass.Third
	case pos == "verb":
		return wordclass.Past
	case strings.HasSuffix(word, "st"):
		return wordclass.Superlative
	}
	return wordclass.Comparative
}
