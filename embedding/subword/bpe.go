package subword

import (
	"cmp"
	"container/heap"
	"fmt"
	"strings"
	"unicode/utf8"
)

// merging is byte pair encoding: it joins the pair of tokens that was learnt first, until
// none is left.
type merging struct {
	ids            map[string]int
	joins          map[[2]int]join
	unknown        int // -1: what is not known is left out
	prefix, suffix string
	fuse           bool
	bytes          []int // the token of each byte; nil without
	whole          bool  // words that are tokens are not cut
}

type join struct{ rank, to int }

func newMerging(d *description, ids map[string]int, unknown int) (*merging, error) {
	s := d.Model
	m := &merging{ids: ids, joins: make(map[[2]int]join, len(d.Merges)), unknown: unknown, fuse: s.FuseUnknown, whole: s.IgnoreMerges}
	if s.Prefix != nil {
		m.prefix = *s.Prefix
	}
	if s.Suffix != nil {
		m.suffix = *s.Suffix
	}
	for rank, pair := range d.Merges {
		left, ok := ids[pair[0]]
		right, ok2 := ids[pair[1]]
		to, ok3 := ids[pair[0]+strings.TrimPrefix(pair[1], m.prefix)]
		if !ok || !ok2 || !ok3 {
			return nil, fmt.Errorf("model BPE: merge %d is of tokens that are not in the vocabulary", rank)
		}
		m.joins[[2]int{left, right}] = join{rank, to}
	}
	if s.ByteFallback {
		m.bytes = byteTokens(ids)
	}
	return m, nil
}

// byteTokens returns the token of each byte, -1 for none.
func byteTokens(ids map[string]int) []int {
	of := make([]int, 256)
	for b := range of {
		of[b] = -1
		if id, ok := ids[fmt.Sprintf("<0x%02X>", b)]; ok {
			of[b] = id
		}
	}
	return of
}

// spellByBytes yields the tokens of a text's bytes, if there is one for each.
func spellByBytes(tokens []int, text string, yield func(id int)) bool {
	if tokens == nil {
		return false
	}
	for i := range len(text) {
		if tokens[text[i]] < 0 {
			return false
		}
	}
	for i := range len(text) {
		yield(tokens[text[i]])
	}
	return true
}

// symbol is a token of a word, in a list from left to right; -1 ends it.
type symbol struct{ token, before, after int }

func (m *merging) tokens(word string, yield func(id int)) {
	if m.whole {
		if id, ok := m.ids[word]; ok {
			yield(id)
			return
		}
	}
	symbols := m.begin(word)
	var queue candidates
	offer := func(at int) {
		if at < 0 || symbols[at].after < 0 {
			return
		}
		if j, ok := m.joins[[2]int{symbols[at].token, symbols[symbols[at].after].token}]; ok {
			heap.Push(&queue, candidate{j, at})
		}
	}
	for i := range symbols {
		offer(i)
	}
	for len(queue) > 0 {
		c := heap.Pop(&queue).(candidate)
		s := &symbols[c.at]
		if s.token < 0 || s.after < 0 {
			continue
		}
		right := &symbols[s.after]
		if j, ok := m.joins[[2]int{s.token, right.token}]; !ok || j.to != c.to {
			continue // one of them was joined since
		}
		s.token, right.token = c.to, -1
		if s.after = right.after; s.after >= 0 {
			symbols[s.after].before = c.at
		}
		offer(s.before)
		offer(c.at)
	}
	for _, s := range symbols {
		if s.token >= 0 {
			yield(s.token)
		}
	}
}

// begin returns a token for each character of a word.
func (m *merging) begin(word string) (symbols []symbol) {
	add := func(id int) { symbols = append(symbols, symbol{id, len(symbols) - 1, len(symbols) + 1}) }
	waiting := false // a token for what is not known
	for i, r := range word {
		end := i + utf8.RuneLen(r)
		text := word[i:end]
		if i > 0 {
			text = m.prefix + text
		}
		if end == len(word) {
			text += m.suffix
		}
		id, ok := m.ids[text]
		switch {
		case ok:
			if waiting {
				add(m.unknown)
			}
			waiting = false
			add(id)
		case spellByBytes(m.bytes, text, add):
		case m.unknown >= 0:
			if waiting && !m.fuse {
				add(m.unknown)
			}
			waiting = true
		}
	}
	if waiting {
		add(m.unknown)
	}
	if len(symbols) > 0 {
		symbols[len(symbols)-1].after = -1
	}
	return symbols
}

type candidate struct {
	join
	at int
}

// candidates is a heap: the pair learnt first, and of equal ones the leftmost.
type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[i].rank, c[j].rank), cmp.Compare(c[i].at, c[j].at)) < 0
}
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
