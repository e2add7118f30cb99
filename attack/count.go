package attack

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/restore"
)

// Unknown returns how many words of texts are the unknown entry of a table.
func Unknown(texts []Text, unknown embedding.ID) int {
	n := 0
	for _, t := range texts {
		for _, x := range t.Words {
			if x == unknown {
				n++
			}
		}
	}
	return n
}

// count compares guesses with the texts.
func (w *Words) count(texts []Text, read *decoded, alone *restore.Alone, m *language.Model) {
	common := commonWords(m)
	var all, context, blind, rare, rareAlone, rareBlind, capitalised = newTally(len(texts)), newTally(len(texts)), newTally(len(texts)),
		newTally(len(texts)), newTally(len(texts)), newTally(len(texts)), newTally(len(texts))
	likeliest := alone.Blind()
	exposed := exposures{}
	for i, t := range texts {
		for at, x := range t.Words {
			if x == read.unknown {
				continue
			}
			guess, found := alone.Guess(w.Released[i][at]), read.known[i][at]
			if found == read.unknown {
				found = guess
			}
			all.add(i, guess == x)
			context.add(i, found == x)
			blind.add(i, likeliest == x)
			if !common[x] {
				exposed.add(x, found == x)
				rare.add(i, found == x)
				rareAlone.add(i, guess == x)
				rareBlind.add(i, likeliest == x)
			}
			if t.Capitalised != nil && t.Capitalised[at] {
				capitalised.add(i, found == x)
			}
		}
	}
	w.Unknown = Unknown(texts, read.unknown)
	w.Alone, w.InContext, w.Blind = all.share(), context.share(), blind.share()
	w.Rare, w.RareAlone, w.RareBlind, w.Capitalised = rare.share(), rareAlone.share(), rareBlind.share(), capitalised.share()
	w.Exposed = exposed.ranked()
}

// commonWords reports of each word whether it is among the likeliest without context.
func commonWords(m *language.Model) []bool {
	common := make([]bool, m.Vocabulary().Len())
	n := 0
	for w := range m.Continuations(m.Empty()) {
		if n++; n > CommonWords {
			break
		}
		common[w] = true
	}
	return common
}
