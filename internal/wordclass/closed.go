package wordclass

import (
	"strings"
	"sync"
)

// closedWords are the words of closed kinds, which WordNet leaves out. A word is listed
// once, under its most common reading.
var closedWords = map[Class]string{
	Number: `<num> zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
		seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion
		trillion dozen`,
	Ordinal: `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
		fifteenth sixteenth seventeenth eighteenth nineteenth twentieth hundredth last next`,
	Determiner:  `a an the this that these those each every either neither some any all both another such no enough several many much few more most less least other half`,
	Subject:     `i he she it we they you thou ye`,
	Object:      `me him her us them thee`,
	Reflexive:   `myself yourself himself herself itself ourselves yourselves themselves oneself`,
	Possessive:  `my your his its our their 's ' mine yours hers ours theirs thy whose`,
	Indefinite:  `someone somebody something anyone anybody anything everyone everybody everything nobody nothing none`,
	Preposition: `of in to for with on at by from about into as over after between out against during without before under around among through off up down near above behind within across toward towards upon along onto beyond below beneath beside besides inside outside throughout despite except amid amidst amongst via per past until till unlike underneath aboard alongside versus vs concerning regarding`,
	Conjunction: `and or but nor yet if because while although though unless since than so whereas whether lest plus`,
	Question:    `who what which when where why how whom whatever whoever whichever whenever wherever`,
	Auxiliary:   `be is am are was were been being have has had having do does did doing 'm 're 've`,
	Modal:       `will would can could may might shall should must ought cannot 'll 'd`,
	Negation:    `not never n't`,
}

var closed = sync.OnceValue(func() map[string]Class {
	words := map[string]Class{}
	for class, list := range closedWords {
		for _, w := range strings.Fields(list) {
			words[w] = class
		}
	}
	return words
})
