package detect

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
	"unicode/utf8"
)

// pattern is an expression of patterns.json. Source says where its rule and cases are from.
// Cases mark what must match in brackets; those of Not must have no match. Partial is what is
// searched for where a part of a match is in a mark, so that its check digits are not known;
// empty is the expression. Ranges may have a hyphen before or after a match, and a digit
// beyond it, as in 14:05-15:30. Where an expression has groups, the one that matched is the
// mark, and the rest tells what it is. Unbounded are those of which a long match, such as a key,
// is only seen as a whole, and those with lines match only where a line begins.
type pattern struct {
	Type       string   `json:"type"`
	Needs      string   `json:"needs"` // what a text without a match may lack: a sign, digit, url, secret, or long
	Expression string   `json:"expression"`
	Partial    string   `json:"partial"`
	Check      string   `json:"check"`
	Ranges     bool     `json:"ranges"`
	Unbounded  bool     `json:"unbounded"`
	Lines      bool     `json:"lines"`
	Source     string   `json:"source"`
	Match      []string `json:"match"`
	Not        []string `json:"not"`

	whole, part expression
	check       func(match []byte) bool
}

//go:embed patterns.json
var data []byte

var patterns = sync.OnceValue(func() (all []pattern) {
	if err := json.Unmarshal(data, &all); err != nil {
		panic("detect: " + err.Error()) // a file of this package
	}
	for i := range all {
		p := &all[i]
		p.whole = compile(parts.Replace(p.Expression))
		p.whole.unbounded = p.Unbounded
		if p.Partial != "" {
			p.part = compile(p.Partial)
		}
		if p.check = checks[p.Check]; p.check == nil {
			panic("detect: no check " + p.Check)
		}
	}
	return all
})

// search returns the places of what has a shape, in order and without overlaps. It begins at
// starts. Dates are first among the patterns of numbers. Stands are where a mark was replaced for
// the search: what matches over one, whatever its check digits are, comes after what matches by
// all its rule.
func search(of []byte, starts []int, stands []place) (found []place) {
	has := contents(of)
	var unchecked [][]place
	for i := range patterns() {
		if p := &patterns()[i]; has.what(p.Needs) {
			var sure, unsure []place
			p.each(of, starts, stands, func(one place, checked bool) {
				if checked {
					sure = append(sure, one)
				} else {
					unsure = append(unsure, one)
				}
			})
			sure = slices.DeleteFunc(sure, func(one place) bool { return dates(of, one, found) })
			found, unchecked = join(found, sure), append(unchecked, unsure)
		}
	}
	for _, places := range unchecked {
		found = join(found, places)
	}
	return found
}

// dates reports whether all letters and digits of a place are of dates that were found: two days
// side by side do not make a card, whatever their check digit is.
func dates(of []byte, one place, found []place) bool {
	i := at(found, one.from)
	for from := one.from; from < one.to; {
		r, n := utf8.DecodeRune(of[from:])
		for i < len(found) && found[i].to <= from {
			i++
		}
		if inside(r) && (i == len(found) || found[i].from > from || found[i].kind != "DATE") {
			return false
		}
		from += n
	}
	return true
}

// each calls do with each match of a pattern, and whether its check holds.
func (p *pattern) each(of []byte, starts []int, stands []place, do func(one place, checked bool)) {
	end := 0 // of the last match
	for _, from := range starts {
		if from < end || !p.whole.begins(of[from:]) || !p.Ranges && inNumber(of, from) || p.Lines && !beginsLine(of, from) {
			continue
		}
		m, to, partly := p.at(of, from, stands)
		if m == nil {
			if to > 0 && (p.Needs == ":" || to-from > most) { // none begins within another form
				end = to
			}
			continue
		}
		start := from
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 { // the group alone
				from, to = start+m[g], start+m[g+1]
			}
		}
		end = to
		do(place{from, to, p.Type}, !partly)
	}
}

// at returns the places of the match of a pattern at a byte and of its groups, and where it
// ends. Partly is whether it goes over a stand-in: its check is then not known. Where the check
// fails the match may be a shorter one, such as a card number before another number. Without a
// match to is the end of what failed, if there is anything.
func (p *pattern) at(of []byte, from int, stands []place) (m []int, to int, partly bool) {
	m = p.whole.match(of[from:])
	if m != nil && p.Partial != "" && overlaps(stands, from, from+m[1]) {
		m = p.part.match(of[from:])
	}
	for m != nil {
		if to = from + m[1]; ends(of, to, p.Ranges) {
			partly = p.Check != "" && overlaps(stands, from, to)
			if partly || p.check(of[from:to]) {
				return m, to, partly
			}
		}
		if p.Check == "" || p.Check == "secret" || p.Check == "issued" || p.Needs == ":" || m[1] <= least || m[1] > most {
			break
		}
		m = p.whole.match(of[from : to-1])
	}
	return nil, to, false
}

// least is at most the number of bytes of what has a check, and most at least that of what has
// check digits: no shorter part is searched for in what is longer.
const least, most = 7, 64

// place is a mark in bytes.
type place struct {
	from, to int
	kind     string
}

// at returns the first of some places in order that ends after a byte.
func at(places []place, from int) int {
	i, _ := slices.BinarySearchFunc(places, from+1, func(p place, end int) int { return p.to - end })
	return i
}

// overlaps reports whether one of some places in order overlaps a part of the text.
func overlaps(places []place, from, to int) bool {
	i := at(places, from)
	return i < len(places) && places[i].from < to
}

// join adds places in order without overlaps to others in order. Places that overlap become
// one, with the type of the longest, or of the first that was there.
func join(found, more []place) []place {
	if len(more) == 0 {
		return found
	}
	all := make([]place, 0, len(found)+len(more))
	for _, p := range more {
		longest := p.to - p.from
		take := func(own place) {
			if size := own.to - own.from; size >= longest {
				p.kind, longest = own.kind, size
			}
			p.from, p.to = min(p.from, own.from), max(p.to, own.to)
		}
		if last := len(all) - 1; last >= 0 && all[last].to > p.from { // it has grown
			take(all[last])
			all = all[:last]
		}
		for ; len(found) > 0 && found[0].from < p.to; found = found[1:] {
			if found[0].to <= p.from {
				all = append(all, found[0])
			} else {
				take(found[0])
			}
		}
		all = append(all, p)
	}
	return append(all, found...)
}
