// Package wordclass sorts English words into classes by part of speech,
// inflection, number and kind of name. A spelling has one class, that of its
// commonest reading. Words of one class can usually replace each other in a
// sentence. No guarantee depends on the classes. PROVENANCE.md has their source
// and licence.
package wordclass

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

//go:generate go run ./gen -wordnet /usr/share/wordnet -o english.classes

// english holds one class per word of the embedded table, in its order, with
// line breaks for readability.
//
//go:embed english.classes
var english string

// Class is a class of words, identified by a letter.
type Class byte

// The classes of open kinds.
const (
	Unlisted    Class = '?' // in no list: rare names, foreign words, abbreviations
	Noun        Class = 'n'
	Plural      Class = 'p' // of a noun
	Verb        Class = 'v' // base form
	Third       Class = 's' // third person of a verb
	Ing         Class = 'g'
	Past        Class = 'd' // past tense or past participle
	Adjective   Class = 'a'
	Comparative Class = 'c'
	Superlative Class = 't'
	Adverb      Class = 'r'
	Person      Class = 'P' // name of a person
	Place       Class = 'L'
	Group       Class = 'G' // name of an organisation
	Time        Class = 'T' // name of a day, month, feast or age
	Name        Class = 'N' // any other name
	Origin      Class = 'O' // adjective made of a name: nations, faiths
)

// The classes of closed kinds: see closed.go for their words.
const (
	Sign        Class = '.'
	Number      Class = '#'
	Ordinal     Class = 'o'
	Determiner  Class = 'D'
	Subject     Class = 'I' // pronoun
	Object      Class = 'M' // pronoun
	Reflexive   Class = 'S' // pronoun
	Possessive  Class = 'H'
	Indefinite  Class = 'E' // pronoun
	Preposition Class = 'B'
	Conjunction Class = 'C'
	Question    Class = 'W'
	Auxiliary   Class = 'X'
	Modal       Class = 'Y'
	Negation    Class = 'Z'
)

// Closed returns the class of a word of a closed kind, or of one without letters. It
// returns false for any other word.
func Closed(word string) (Class, bool) {
	if c, ok := closed()[word]; ok {
		return c, true
	}
	if !strings.ContainsFunc(word, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f }) {
		if strings.ContainsAny(word, "0123456789") {
			return Number, true
		}
		return Sign, true
	}
	return 0, false
}

// English lists the class of each word of a table, found by its spelling. Words
// beyond the embedded table are Unlisted unless they are of a closed kind. A table with
// rules of segmentation does not count as English: its words are Unlisted unless they have
// no letters.
func English(table *embedding.Table) ([]Class, error) {
	open, err := listed()
	if err != nil {
		return nil, err
	}
	classes := make([]Class, table.Len())
	for x := range classes {
		word := table.Word(embedding.ID(x))
		c, ok := Closed(word)
		if table.Segmentation() != nil {
			if c != Sign && c != Number || strings.ContainsFunc(word, unicode.IsLetter) {
				c = Unlisted
			}
		} else if !ok {
			if c, ok = open[word]; !ok {
				c = Unlisted
			}
		}
		classes[x] = c
	}
	return classes, nil
}

var listed = sync.OnceValues(func() (map[string]Class, error) {
	table, err := builtin.English()
	if err != nil {
		return nil, err
	}
	letters := strings.ReplaceAll(english, "\n", "")
	if len(letters) != table.Len() {
		return nil, fmt.Errorf("wordclass: %d classes for %d words", len(letters), table.Len())
	}
	open := make(map[string]Class, table.Len())
	for x := range table.Len() {
		open[table.Word(embedding.ID(x))] = Class(letters[x])
	}
	return open, nil
})
