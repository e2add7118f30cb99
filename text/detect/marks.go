package detect

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/typed"
)

// Version returns the SHA-256 of the patterns, in hexadecimal.
func Version() string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Patterns returns the marks of a text in its order: those that are given, and what has a
// shape. Places that overlap become one mark, with the type of the longest. The bytes before
// and after what has a shape are no letters or digits. Given marks that do not fit the text
// are a *text.SpanError.
//
// What given marks hold is not read: the patterns read the rest of the text, with something
// fixed in place of each mark. If a match that goes over a mark has more than the mark, both
// become one mark, with the type of the pattern; numbers of which a mark has a part need no
// check digits for that. So what is marked besides, and as what, follows from the rest of the
// text and from the types and order of the given marks.
func Patterns(of []byte, given text.Spans) (text.Spans, error) {
	kept, held, err := text.Cut(of, given)
	if err != nil {
		return nil, err
	}
	sorted := given.Sorted()
	l := layOut(kept, sorted)
	found := l.search(hole, nil)
	if near := l.near(found); near != nil {
		for _, pass := range passes(sorted, near) {
			more := l.search(pass, near)
			found = join(found, slices.DeleteFunc(more, func(p place) bool { return !l.adds(p, found) }))
		}
	}
	all := join(l.holes, found) // a place over a mark is longer than it
	return l.spans(all, held), nil
}

// hole is in place of each mark at first: no letter, digit or space.
func hole(int) string { return "\uFFFC" }

// passes returns what is in place of mark i in each further search, where the mark is near
// to something.
func passes(of text.Spans, near []bool) (all []func(i int) string) {
	most := 0
	by := make([][]string, len(of))
	for i, s := range of {
		if near[i] {
			by[i] = standIns(typed.Known(s.Type))
			most = max(most, len(by[i]))
		}
	}
	for pass := range most {
		all = append(all, func(i int) string {
			if pass < len(by[i]) {
				return by[i][pass]
			}
			return hole(i)
		})
	}
	return all
}

// standIns are the forms in which a mark of a type may be a part of something with a shape.
func standIns(kind string) []string {
	letters := []string{"XXXX", "XXXX.XXXX"}
	numbers := append([]string{"211", "2011", "11", "1", "201111"}, letters...)
	switch kind {
	case "PERSON", "GIVEN_NAME", "FAMILY_NAME", "LOCATION", "COUNTRY", "ADDRESS", "ORGANIZATION", "HOSPITAL", "PROFESSION":
		return letters
	case "DATE":
		return append([]string{"March", "11 March", "March 11", "March 2011", "11-11", "11/11", "11.11", "2011-11"}, numbers...)
	}
	return numbers
}

// layout is a text as the patterns read it, in which each mark has one byte. Places in it do
// not depend on what marks hold.
type layout struct {
	text  []byte
	holes []place // the marks
	gone  []int   // before which places of the text a character was left out, in order
}

func layOut(kept [][]byte, sorted text.Spans) (l layout) {
	if len(sorted) == 0 && readsAsIs(kept[0]) {
		return layout{text: kept[0]}
	}
	for i, k := range kept {
		l.read(k)
		if i < len(sorted) {
			l.holes = append(l.holes, place{len(l.text), len(l.text) + 1, sorted[i].Type})
			l.text = append(l.text, 0)
		}
	}
	return l
}

// reach is the number of bytes beside a mark within which it may be a part of something.
const reach = 64

// near returns the marks that have a digit, a sign of an address or a month beside them, which
// no place has; nil if there are none.
func (l layout) near(found []place) (near []bool) {
	for i, h := range l.holes {
		from, to := max(0, h.from-reach), min(len(l.text), h.to+reach)
		for at := from; at < to; at++ {
			b := l.text[at]
			begins := at == 0 || !inside(rune(l.text[at-1]))
			if (b == '@' || b >= '0' && b <= '9' || begins && month(l.text[at:to])) && !overlaps(found, at, at+1) {
				if near == nil {
					near = make([]bool, len(l.holes))
				}
				near[i] = true
				break
			}
		}
	}
	return near
}

// month reports whether a text begins as the name of a month does in the patterns.
func month(of []byte) bool {
	const names = "jan feb mar apr may jun jul aug sep oct nov dec m\u00e4r mai okt dez"
	n := 3
	if len(of) > 1 && of[1] >= utf8.RuneSelf {
		n = 4
	}
	return len(of) >= n && !bytes.ContainsRune(of[:n], ' ') && strings.Contains(names, string(bytes.ToLower(of[:n])))
}

// search searches with something in place of each mark, and returns places of the layout that
// have more than marks. With near, what is not near such a mark is not searched.
func (l layout) search(standIn func(i int) string, near []bool) (found []place) {
	if len(l.holes) == 0 {
		return search(l.text, starts(l.text), nil)
	}
	var of []byte
	var stands []place
	end := 0
	for i, h := range l.holes {
		of = append(of, l.text[end:h.from]...)
		from := len(of)
		of = append(of, standIn(i)...)
		stands = append(stands, place{from: from, to: len(of)})
		end = h.to
	}
	of = append(of, l.text[end:]...)
	grown := 0 // bytes in place of marks beyond those of the layout
	next := 0
	// before returns a place of the layout; within a stand-in, the start of its mark.
	before := func(p int) int {
		for ; next < len(stands) && stands[next].to <= p; next++ {
			grown += stands[next].to - stands[next].from - 1
		}
		if next < len(stands) && p > stands[next].from {
			p = stands[next].from
		}
		return p - grown
	}
	begins := starts(of)
	if near != nil {
		begins = slices.DeleteFunc(begins, func(from int) bool {
			i := at(stands, from)
			for i < len(stands) && !near[i] {
				i++
			}
			return i == len(stands) || stands[i].from > from+reach
		})
	}
	for _, p := range search(of, begins, stands) {
		own := place{from: before(p.from), kind: p.kind}
		if own.to = before(p.to); next < len(stands) && p.to > stands[next].from {
			own.to++
		}
		if l.outside(own, nil) {
			found = append(found, own)
		}
	}
	return found
}

// outside reports whether a place has letters or digits outside of the marks and of others.
func (l layout) outside(p place, others []place) bool {
	for from := p.from; from < p.to; {
		r, n := utf8.DecodeRune(l.text[from:])
		if inside(r) && !overlaps(others, from, from+n) {
			return true
		}
		from += n
	}
	return false
}

// adds reports whether a place that goes over a mark has what no other place has.
func (l layout) adds(p place, found []place) bool {
	return overlaps(l.holes, p.from, p.to) && l.outside(p, found)
}

// spans counts places in characters of the text. Held is what each mark holds.
func (l layout) spans(places []place, held [][]byte) text.Spans {
	all := make(text.Spans, len(places))
	at, characters, hole, gone := 0, 0, 0, 0
	// A character that was left out at a place counts as before it: a mark has the accent of its
	// last letter. At the end of a given mark it is after the mark.
	count := func(to int, without bool) int {
		for ; gone < len(l.gone) && (l.gone[gone] < to || !without && l.gone[gone] == to); gone++ {
			characters++
		}
		for ; hole < len(l.holes) && l.holes[hole].from < to; hole++ {
			characters += utf8.RuneCount(l.text[at:l.holes[hole].from]) + utf8.RuneCount(held[hole])
			at = l.holes[hole].to
		}
		characters += utf8.RuneCount(l.text[at:to])
		at = to
		return characters
	}
	for i, p := range places {
		start := count(p.from, false)
		all[i] = text.Span{Start: start, End: count(p.to, overlaps(l.holes, p.to-1, p.to)), Type: p.kind}
	}
	return all
}
