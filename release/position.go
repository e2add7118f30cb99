package release

import "github.com/sotto-dp/sotto/noise"

// Position is the position of a batch of texts in its run. The zero value is the start of
// a run. It selects the streams of seeded draws: with a seed the draws of a text depend
// only on the seed and on its position, however texts are batched. Without a seed only Of
// matters.
type Position struct {
	Batch uint64 // number of the batch, below 2^32; higher bits are ignored
	Text  uint64 // number of the batch's first text within its batch
	// Of, if not nil, is the document of which the texts are parts, in order. If nil,
	// each text is a document of its own.
	Of *Parts

	key *noise.Key // of the draws of these texts, and of no others: see Stream.Key
}

// Parts counts the tokens of one document whose parts come in several successive batches.
// The zero value is a document of which nothing has been read.
type Parts struct{ tokens int }

// Add counts the tokens of a part and returns those of all parts so far.
func (p *Parts) Add(tokens int) int {
	p.tokens += tokens
	return p.tokens
}

// Tokens returns the number of tokens of all parts so far.
func (p *Parts) Tokens() int { return p.tokens }

// Stream returns the stream number of a text of the batch.
func (p Position) Stream(text int) uint64 { return p.Batch<<32 + p.Text + uint64(text) }

// Key returns the key of the draws of these texts; nil without one. Only streams set it.
func (p Position) Key() *noise.Key { return p.key }

// Apart returns the position for other draws of the same texts, under a key of their own.
func (p Position) Apart(what string) Position {
	if p.key != nil {
		other := p.key.Derive([]byte(what))
		p.key = &other
	}
	return p
}
