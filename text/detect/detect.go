package detect

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// pattern is an expression of patterns.json. Source says where its rule and cases are from.
// Cases mark what must match in brackets; those of Not must have no match. Partial is what is
// searched for where a part of a match is in a mark, so that its check digits are not known;
// empty is the expression. Ranges may have a hyphen before or after a match, and a digit
// beyond it, as in 14:05-15:30.
type pattern struct {
	Type       string   `json:"type"`
	Needs      string   `json:"needs"` // what a text without a match may lack: a sign, digit, or url
	Expression string   `json:"expression"`
	Partial    string   `json:"partial"`
	Check      string   `json:"check"`
	Ranges     bool     `json:"ranges"`
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
		p.whole = compile(p.Expression)
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
// starts. Stands are where a mark was replaced for the search: what matches over one, whatever
// its check digits are, comes after what matches by all its rule.
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
			found, unchecked = join(found, sure), append(unchecked, unsure)
		}
	}
	for _, places := range unchecked {
		found = join(found, places)
	}
	return found
}

// each calls do with each match of a pattern, and whether its check holds.
func (p *pattern) each(of []byte, starts []int, stands []place, do func(one place, checked bool)) {
	end := 0 // of the last match
	for _, from := range starts {
		if from < end || !p.whole.begins(of[from:]) || !p.Ranges && inNumber(of, from) {
			continue
		}
		m, to, partly := p.at(of, from, stands)
		if m == nil {
			if p.Needs == ":" && to > 0 { // no address begins within another form
				end = to
			}
			continue
		}
		end = to
		if last := len(m) - 2; p.Type == "AGE" && last > 0 { // the number alone
			from, to = from+m[last], from+m[last+1]
		}
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
		if p.Check == "" || p.Needs == ":" || m[1] <= least {
			break
		}
		m = p.whole.match(of[from : to-1])
	}
	return nil, to, false
}

// least is at most the number of bytes of what has a check.
const least = 7

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

// starts returns where a match may begin: not within a word or a longer number.
func starts(of []byte) (all []int) {
	before, older := ' ', ' '
	for at := 0; at < len(of); {
		r, n := rune(of[at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(of[at:])
		}
		within := (inside(r) || r == ':') && inside(before) || unicode.IsDigit(r) && before == '.' && older >= '0' && older <= '9'
		if r != ' ' && !within {
			all = append(all, at)
		}
		before, older = r, before
		at += n
	}
	return all
}

// inNumber reports whether a digit is after a hyphen with a digit before it.
func inNumber(of []byte, from int) bool {
	isDigit := func(at int) bool { return at >= 0 && of[at] >= '0' && of[at] <= '9' }
	return isDigit(from) && from > 0 && of[from-1] == '-' && isDigit(from-2)
}

// ends reports whether a match may end there.
func ends(of []byte, to int, ranges bool) bool {
	last, _ := utf8.DecodeLastRune(of[:to])
	after, _ := utf8.DecodeRune(of[to:])
	switch {
	case to < len(of) && inside(after) && inside(last):
		return false
	case unicode.IsDigit(last) && to+1 < len(of) && (after == '.' || after == '-' && !ranges) && of[to+1] >= '0' && of[to+1] <= '9':
		return false // part of a longer number
	}
	return true
}

func inside(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// content is what a text has, so that most texts are not searched for most patterns.
type content struct{ at, digit, colon, url bool }

func contents(of []byte) content {
	return content{
		at: bytes.IndexByte(of, '@') >= 0, colon: bytes.IndexByte(of, ':') >= 0,
		digit: bytes.ContainsAny(of, "0123456789"),
		url:   bytes.Contains(of, []byte("://")) || bytes.Contains(bytes.ToLower(of), []byte("www.")),
	}
}

func (c content) what(needs string) bool {
	switch needs {
	case "@":
		return c.at
	case ":":
		return c.colon
	case "url":
		return c.url
	}
	return c.digit
}
