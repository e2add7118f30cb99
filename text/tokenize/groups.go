package tokenize

import (
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// Pieces returns the text of Detokenize in pieces, one per entry with the space
// before it.
func (t *Tokenizer) Pieces(ids []embedding.ID) []string {
	ends := make([]int, 0, len(ids))
	text := string(t.print(nil, ids, true, func(end int) { ends = append(ends, end) }))
	pieces, at := make([]string, len(ids)), 0
	for i, end := range ends {
		pieces[i], at = text[at:end], end
	}
	return pieces
}

// printGroups is print for a vocabulary with entries that Tokenize cuts: without a space
// between them, entries may spell another one. Each group of entries without a space between
// them is read as a [ReleaseReader] reads it. If it is read otherwise, its entries are written
// as they are spelled, with spaces.
func (t *Tokenizer) printGroups(dst []byte, ids []embedding.ID, capital bool, ended func(end int)) []byte {
	ends := make([]int, 0, len(ids))
	joined := t.join(nil, ids, capital, func(end int) { ends = append(ends, end) })
	spelled := string(joined)
	for i, from := 0, 0; i < len(ids); {
		next := i + 1
		for next < len(ids) && joined[ends[next-1]] != ' ' {
			next++
		}
		if joined[from] == ' ' {
			from++
		}
		if i > 0 {
			dst = append(dst, ' ')
		}
		to := ends[next-1]
		if t.readsAs(ids[i:next], joined[from:to], spelled[from:to]) {
			shift := len(dst) - from
			dst = append(dst, joined[from:to]...)
			for _, end := range ends[i:next] {
				report(ended, end+shift)
			}
		} else {
			dst = t.spaced(dst, ids[i:next], ended)
		}
		i, from = next, to
	}
	return dst
}

// readsAs reports whether a group is read as its entries. One entry as it is spelled is.
func (t *Tokenizer) readsAs(ids []embedding.ID, group []byte, spelled string) bool {
	if len(ids) == 1 && spelled == t.plainly(ids[0]) {
		return true
	}
	t.reread = t.readGroup(t.reread[:0], group, spelled)
	return slices.Equal(t.reread, ids)
}

// spaced appends entries as they are spelled, with spaces between them.
func (t *Tokenizer) spaced(dst []byte, ids []embedding.ID, ended func(end int)) []byte {
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, t.plainly(id)...)
		report(ended, len(dst))
	}
	return dst
}

// plainly returns how an entry is written if no rule changes it.
func (t *Tokenizer) plainly(id embedding.ID) string {
	if t.unknown != "" && id == t.lexicon.missing {
		return t.unknown
	}
	return t.lexicon.vocabulary.Word(id)
}

func report(ended func(end int), end int) {
	if ended != nil {
		ended(end)
	}
}
