package sotto

import "github.com/sotto-dp/sotto/embedding"

// repeats is a batch with each text's repeated words left out: a word is drawn
// for once in a text and its replacement stands at every place of the word.
type repeats struct {
	words []embedding.ID // distinct ones of each text, in order of first appearance
	ends  []int          // of each text, in words
	at    []int          // for each token, the place of its word in words
	seen  map[embedding.ID]int
}

// fold takes in the tokens of the next text and returns how many are distinct.
func (p *Pending) fold(tokens []embedding.ID) int {
	if p.repeats == nil {
		p.repeats = &repeats{seen: map[embedding.ID]int{}}
	}
	r := p.repeats
	clear(r.seen)
	for _, id := range tokens {
		at, ok := r.seen[id]
		if !ok {
			at = len(r.words)
			r.seen[id] = at
			r.words = append(r.words, id)
		}
		r.at = append(r.at, at)
	}
	r.ends = append(r.ends, len(r.words))
	return len(r.seen)
}

// unfold puts the replacement of each distinct word wherever the word stood.
func (r *repeats) unfold(private []embedding.ID) []embedding.ID {
	out := make([]embedding.ID, len(r.at))
	for i, at := range r.at {
		out[i] = private[at]
	}
	return out
}
