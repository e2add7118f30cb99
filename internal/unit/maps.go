package unit

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// fold makes the distinct words of each text what is drawn for; over a scope, those of all
// texts.
func (b *words) fold(scope bool) {
	seen, own := map[embedding.ID]int{}, map[embedding.ID]bool{}
	b.places = make([]int, 0, len(b.tokens))
	for i, end := range b.ends {
		if !scope {
			clear(seen)
		}
		clear(own)
		n, before := b.Length(i), len(b.ids)
		for _, id := range b.tokens[end-n : end] {
			own[id] = true
			at, ok := seen[id]
			if !ok {
				at = len(b.ids)
				seen[id] = at
				b.ids = append(b.ids, id)
			}
			b.places = append(b.places, at)
		}
		b.upTo = append(b.upTo, len(b.ids))
		b.counts.Count(n, 0, len(b.ids)-before, len(own))
	}
}

// cap leaves out the tokens beyond the cap of each text.
func (b *words) cap() error {
	b.beyond = make([]int, len(b.ends))
	kept, from := b.tokens[:0], 0
	for i, end := range b.ends {
		read := end - from
		beyond, err := beyond(b.unit.Cap, read, b.at.Of)
		if err != nil {
			return err
		}
		kept = append(kept, b.tokens[from:end-beyond]...)
		b.ends[i], b.beyond[i], from = len(kept), beyond, end
		b.counts.Count(read, beyond, read-beyond, read-beyond)
	}
	b.tokens = kept
	b.ids, b.upTo = b.tokens, b.ends
	return nil
}

// beyond returns the number of a text's tokens beyond the cap of its document, or an error if
// longer texts are refused.
func beyond(figures *statement.DocumentFigures, tokens int, of *release.Parts) (int, error) {
	length := tokens
	if of != nil {
		length = of.Add(tokens)
	}
	beyond := min(tokens, max(0, length-figures.Allowed))
	if beyond > 0 && figures.Over != statement.Clamp {
		return 0, &release.BudgetError{Fault: release.TextTooLong, Tokens: length, More: of != nil, Allowed: figures.Allowed}
	}
	return beyond, nil
}
