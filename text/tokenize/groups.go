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

// groups are the groups of entries without a space between them, for a vocabulary with
// entries that Tokenize cuts: without a space between them, entries may spell another one.
// Each group is read as a [ReleaseReader] reads it. If it is read otherwise, its entries are
// written as they are spelled, with spaces.
type groups struct {
	ids    []embedding.ID
	joined []byte // by the rules
	ends   []int  // of each entry in joined
	begun  bool   // a group was written
}

// join adds ids[from:to], which the others are beside, to joined.
func (g *groups) join(t *Tokenizer, ids []embedding.ID, from, to int, s *spacing) {
	g.ends = slices.Grow(g.ends, to-from)
	g.joined = t.join(g.joined, ids, from, to, s, func(end int) { g.ends = append(g.ends, end) })
}

// write appends the groups of joined. Unless the last is whole, it keeps that one.
func (g *groups) write(t *Tokenizer, dst []byte, whole bool, ended func(end int)) []byte {
	spelled := string(g.joined)
	for i, at := 0, 0; ; {
		next := i + 1
		for next < len(g.ends) && g.joined[g.ends[next-1]] != ' ' {
			next++
		}
		if i == len(g.ends) {
			return dst
		}
		if next == len(g.ends) && !whole {
			g.drop(i, at)
			return dst
		}
		from, to := at, g.ends[next-1]
		if g.joined[from] == ' ' {
			from++
		}
		if g.begun {
			dst = append(dst, ' ')
		}
		g.begun = true
		if t.readsAs(g.ids[i:next], g.joined[from:to], spelled[from:to]) {
			shift := len(dst) - from
			dst = append(dst, g.joined[from:to]...)
			for _, end := range g.ends[i:next] {
				report(ended, end+shift)
			}
		} else {
			dst = t.spaced(dst, g.ids[i:next], ended)
		}
		i, at = next, to
	}
}

// drop drops the first entries, up to at in joined.
func (g *groups) drop(entries, at int) {
	g.ids = append(g.ids[:0], g.ids[entries:]...)
	g.joined = append(g.joined[:0], g.joined[at:]...)
	g.ends = append(g.ends[:0], g.ends[entries:]...)
	for i := range g.ends {
		g.ends[i] -= at
	}
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
