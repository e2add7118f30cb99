package detect

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/text"
)

// pattern is an expression of patterns.json. Source says where its rule and cases are from.
// Cases mark what must match in brackets; those of Not must have no match.
type pattern struct {
	Type       string   `json:"type"`
	Needs      string   `json:"needs"` // what a text without a match may lack: a sign, digit, or url
	Expression string   `json:"expression"`
	Check      string   `json:"check"`
	Source     string   `json:"source"`
	Match      []string `json:"match"`
	Not        []string `json:"not"`

	compiled *regexp.Regexp
	check    func(match []byte) bool
}

//go:embed patterns.json
var data []byte

var patterns = sync.OnceValue(func() (all []pattern) {
	if err := json.Unmarshal(data, &all); err != nil {
		panic("detect: " + err.Error()) // a file of this package
	}
	for i := range all {
		p := &all[i]
		p.compiled = regexp.MustCompile(p.Expression)
		if p.check = checks[p.Check]; p.check == nil {
			panic("detect: no check " + p.Check)
		}
	}
	return all
})

// Patterns returns the marks of what has a shape in a text, in its order and without
// overlaps. Of two that overlap the one of the earlier pattern is marked. The bytes before
// and after a mark are no letters or digits. Places are those of [text.Span].
func Patterns(of []byte) []text.Span {
	has := contents(of)
	var found []place
	for _, p := range patterns() {
		if !has.what(p.Needs) {
			continue
		}
		for _, m := range p.compiled.FindAllSubmatchIndex(of, -1) {
			from, to := m[0], m[1]
			if !apart(of, from, to) || !p.check(of[from:to]) {
				continue
			}
			if last := len(m) - 2; p.Type == "AGE" && last > 0 { // the number alone
				from, to = m[last], m[last+1]
			}
			found = insert(found, place{from, to, p.Type})
		}
	}
	return spans(of, found)
}

// place is a mark in bytes.
type place struct {
	from, to int
	kind     string
}

// insert adds a place to those in order, unless it overlaps one.
func insert(found []place, p place) []place {
	at, _ := slices.BinarySearchFunc(found, p.from, func(o place, from int) int { return o.from - from })
	if at > 0 && found[at-1].to > p.from || at < len(found) && found[at].from < p.to {
		return found
	}
	return slices.Insert(found, at, p)
}

// spans counts places in characters.
func spans(of []byte, found []place) []text.Span {
	all := make([]text.Span, len(found))
	at, characters := 0, 0
	count := func(to int) int {
		characters += utf8.RuneCount(of[at:to])
		at = to
		return characters
	}
	for i, p := range found {
		start := count(p.from)
		all[i] = text.Span{Start: start, End: count(p.to), Type: p.kind}
	}
	return all
}

// apart reports whether a match is not within a word or a longer number.
func apart(of []byte, from, to int) bool {
	before, _ := utf8.DecodeLastRune(of[:from])
	after, _ := utf8.DecodeRune(of[to:])
	first, _ := utf8.DecodeRune(of[from:])
	last, _ := utf8.DecodeLastRune(of[:to])
	inside := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	switch {
	case from > 0 && inside(before) && inside(first), to < len(of) && inside(after) && inside(last):
		return false
	case unicode.IsDigit(last) && to+1 < len(of) && (after == '.' || after == '-') && of[to+1] >= '0' && of[to+1] <= '9':
		return false // part of a longer number
	case from > 1 && unicode.IsDigit(first) && (before == '.' || before == '-') && of[from-2] >= '0' && of[from-2] <= '9':
		return false
	}
	return true
}

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
