package language

// Run holds the words that a model has seen after a context, by ascending ID, with </s>
// as the number of words of the vocabulary. The slices must not be changed.
type Run struct {
	Words    []uint32
	LogProbs []float64 // natural logarithms
	context  uint32
	first    uint32
	trie     *trie
}

// Seen returns the words that the model has seen after the context s, which is not the
// empty one. [Model.Backoff] gives the probability of all other words.
func (m *Model) Seen(s State) Run {
	t := m.trie
	from, to := t.run(uint32(s))
	return Run{Words: t.word[from-t.unigrams() : to-t.unigrams()], LogProbs: t.log[from:to], context: uint32(s), first: from, trie: t}
}

// Next returns the state after word i of the run.
func (r Run) Next(i int) State {
	return r.trie.state(r.first + uint32(i))
}
