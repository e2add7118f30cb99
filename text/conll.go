package text

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/text/fault"
)

// Tagged is a record of a CoNLL-like file: its tokens, with the tag of each.
type Tagged struct{ tokens, tags []string }

// ReadTagged reads a CoNLL-like file: a token on each line, its tag in the last column, which
// is O or has a type after B-, I-, E-, S-, L- or U-, or is a type: ID-NUMBER is one. Columns are apart by white space. Empty
// lines are between records. Lines that begin with -DOCSTART- and lines of one column that
// begins with # are left out. Errors repeat nothing of the data.
func ReadTagged(data []byte) (all []Tagged, err error) {
	var one Tagged
	end := func() {
		if len(one.tokens) > 0 {
			all = append(all, one)
		}
		one = Tagged{}
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		columns := strings.Fields(string(line))
		switch {
		case len(columns) == 0:
			end()
		case strings.HasPrefix(columns[0], "-DOCSTART-"), len(one.tokens) == 0 && columns[0] == "#":
		case len(columns) < 2 || !utf8.Valid(line):
			return nil, &InputError{Kind: fault.Spans, Line: number, What: "a line has a token and its tag, apart by white space"}
		default:
			one.tokens, one.tags = append(one.tokens, columns[0]), append(one.tags, columns[len(columns)-1])
		}
	}
	end()
	return all, nil
}

// Types returns spans of the types of the tags, without places.
func (t Tagged) Types() (all Spans) {
	for _, tag := range t.tags {
		if _, kind := taken(tag); kind != "" {
			all = append(all, Span{Type: kind})
		}
	}
	return all
}

// taken returns the position and the type of a tag; no type for O. A tag without a position
// continues the mark before.
func taken(tag string) (position byte, kind string) {
	switch {
	case tag == "O":
		return 'O', ""
	case len(tag) > 2 && tag[1] == '-' && strings.IndexByte("BIESLU", tag[0]) >= 0:
		return tag[0], tag[2:]
	}
	return 'I', tag
}

// TokenError reports a token of a CoNLL-like file that is not in its text at its place. Tokens
// are counted from 1.
type TokenError struct{ Token int }

// FaultKind returns fault.Spans.
func (e *TokenError) FaultKind() fault.Kind { return fault.Spans }

func (e *TokenError) Error() string {
	return fmt.Sprintf("token %d is not the next one of the text: the records are those of another file, or a token was changed", e.Token)
}

// Spans finds the tokens in their text, apart by white space or nothing, and returns the
// spans of their tags.
func (t Tagged) Spans(of []byte) (spans []Span, err error) {
	at, place := 0, 0 // bytes and characters read
	open := false     // whether the last span goes on
	for i, token := range t.tokens {
		for at < len(of) {
			r, n := utf8.DecodeRune(of[at:])
			if !unicode.IsSpace(r) {
				break
			}
			at, place = at+n, place+1
		}
		if !bytes.HasPrefix(of[at:], []byte(token)) {
			return nil, &TokenError{Token: i + 1}
		}
		start := place
		at, place = at+len(token), place+utf8.RuneCountInString(token)
		position, kind := taken(t.tags[i])
		switch {
		case kind == "":
			open = false
			continue
		case open && strings.IndexByte("IEL", position) >= 0 && spans[len(spans)-1].Type == kind:
			spans[len(spans)-1].End = place
		default:
			spans = append(spans, Span{start, place, kind})
		}
		open = strings.IndexByte("ESLU", position) < 0
	}
	if len(bytes.TrimSpace(of[at:])) > 0 {
		return nil, &TokenError{Token: len(t.tokens) + 1}
	}
	return spans, nil
}
