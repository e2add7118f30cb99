package embedding

import "fmt"

// First returns the table of the first n words. If they do not include the unknown entry,
// the word nearest to the mean takes its place. Vectors are shared.
func (t *Table) First(n int) (*Table, error) {
	if n < 1 || n > t.Len() {
		return nil, fmt.Errorf("embedding: the number of words must be 1 to %d, got %d", t.Len(), n)
	}
	if n == t.Len() {
		return t, nil
	}
	if err := t.OfWords(); err != nil {
		return nil, err
	}
	if t.never != nil {
		return nil, errCut
	}
	if err := t.Hold(); err != nil {
		return nil, err
	}
	cut := &Table{name: t.name, words: t.words.First(n), dim: t.dim, step: t.step, rules: t.rules, spoken: t.spoken}
	if t.counts != nil {
		cut.counts = t.counts[:n]
	}
	cut.vectors.held = t.components().part(0, n*t.dim)
	return cut, cut.finishPart()
}

// Every returns the table of every k-th word, beginning with the first.
func (t *Table) Every(k int) (*Table, error) {
	if k < 1 {
		return nil, fmt.Errorf("embedding: the step between words must be 1 or more, got %d", k)
	}
	if err := t.OfWords(); err != nil {
		return nil, err
	}
	if t.never != nil {
		return nil, errCut
	}
	if err := t.Hold(); err != nil {
		return nil, err
	}
	thin := &Table{name: t.name, dim: t.dim, step: t.step, rules: t.rules, spoken: t.spoken}
	var words []string
	for i := 0; i < t.Len(); i += k {
		words = append(words, t.Word(ID(i)))
		if t.counts != nil {
			thin.counts = append(thin.counts, t.counts[i])
		}
		thin.vectors.held.append(t.components().part(i*t.dim, (i+1)*t.dim))
	}
	if err := thin.spell(words); err != nil {
		return nil, err
	}
	return thin, thin.finishPart()
}

// finishPart is finish for some words of another table.
func (t *Table) finishPart() error {
	if err := t.finish(""); err != nil {
		return err
	}
	t.restrict()
	return nil
}
