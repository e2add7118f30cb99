package subword

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"unicode/utf8"
)

// unknownPenalty is how much less likely a character that is not known is than the least
// likely token, in nats.
const unknownPenalty = 10

// unigram takes the likeliest tokens of a text (Kudo 2018).
type unigram struct {
	sorted  []scored // by text
	first   [257]int // where the tokens begin that begin with a byte
	unknown int
	least   float64 // score of what is not known
	bytes   []int
}

type scored struct {
	text  string
	id    int
	score float64
}

func newUnigram(d *description, tokens []string) (*unigram, error) {
	n := len(d.Scores)
	if n == 0 || n > len(tokens) || !finite(d.Scores) {
		return nil, fmt.Errorf("model Unigram: %d finite scores for %d tokens are too few or too many", n, len(tokens))
	}
	if d.Model.UnknownID == nil || *d.Model.UnknownID < 0 || *d.Model.UnknownID >= n {
		return nil, fmt.Errorf("model Unigram: without unk_id is not supported")
	}
	u := &unigram{unknown: *d.Model.UnknownID, least: slices.Min(d.Scores) - unknownPenalty}
	ids := make(map[string]int, n)
	for i, score := range d.Scores {
		u.sorted = append(u.sorted, scored{tokens[i], i, score})
		ids[tokens[i]] = i
	}
	slices.SortFunc(u.sorted, func(a, b scored) int { return cmp.Compare(a.text, b.text) })
	for c := range u.first {
		u.first[c] = sort.Search(n, func(i int) bool { return int(u.sorted[i].text[0]) >= c })
	}
	if d.Model.ByteFallback {
		u.bytes = byteTokens(ids)
	}
	return u, nil
}

// best is the likeliest way to a place of a text.
type best struct {
	score float64
	from  int // -1: no way was found yet
	id    int
}

func (u *unigram) tokens(text string, yield func(id int)) {
	ends := make([]best, len(text)+1)
	for i := range ends {
		ends[i].from = -1
	}
	offer := func(from, to, id int, score float64) {
		if score += ends[from].score; ends[to].from < 0 || score > ends[to].score {
			ends[to] = best{score, from, id}
		}
	}
	for at, r := range text {
		next, single := at+utf8.RuneLen(r), false
		u.prefixes(text[at:], func(s *scored) {
			offer(at, at+len(s.text), s.id, s.score)
			single = single || at+len(s.text) == next
		})
		if !single {
			offer(at, next, u.unknown, u.least)
		}
	}
	u.back(text, ends, yield)
}

// prefixes calls yield with the tokens with which a text begins, shortest first.
func (u *unigram) prefixes(text string, yield func(s *scored)) {
	low, high := u.first[text[0]], u.first[int(text[0])+1]
	for depth := 1; low < high; depth++ {
		if len(u.sorted[low].text) == depth {
			yield(&u.sorted[low])
			low++
		}
		if depth == len(text) {
			return
		}
		c, part := text[depth], u.sorted[low:high]
		from := sort.Search(len(part), func(i int) bool { return part[i].text[depth] >= c })
		to := sort.Search(len(part), func(i int) bool { return part[i].text[depth] > c })
		low, high = low+from, low+to
	}
}

// back yields the tokens of the best way. What is not known and touches becomes one.
func (u *unigram) back(text string, ends []best, yield func(id int)) {
	type span struct{ from, to, id int }
	var way []span
	for at := len(text); at > 0; at = ends[at].from {
		way = append(way, span{ends[at].from, at, ends[at].id})
	}
	slices.Reverse(way)
	for i := 0; i < len(way); i++ {
		s := way[i]
		if s.id != u.unknown {
			yield(s.id)
			continue
		}
		for i+1 < len(way) && way[i+1].id == u.unknown {
			i++
		}
		if !spellByBytes(u.bytes, text[s.from:way[i].to], yield) {
			yield(u.unknown)
		}
	}
}
