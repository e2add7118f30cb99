package subword

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedTokens finds tokens in texts: of those that begin first the longest.
type addedTokens struct {
	byFirst map[byte][]spelled // longest first
}

type spelled struct {
	text  string
	token addedToken
}

// newAddedTokens returns those that are found in the text itself, and those that are found
// in its normal form.
func newAddedTokens(added []addedToken, ids map[string]int, normalise normaliser) (raw, folded *addedTokens, err error) {
	raw, folded = &addedTokens{map[byte][]spelled{}}, &addedTokens{map[byte][]spelled{}}
	for _, a := range added {
		if id, ok := ids[a.Content]; a.Content == "" || !ok || id != a.ID {
			return nil, nil, fmt.Errorf("added_tokens: %.40q is not token %d of the vocabulary", a.Content, a.ID)
		}
		text, to := a.Content, raw
		if a.Normalised {
			text, to = normalise(text), folded
		}
		if text != "" {
			to.byFirst[text[0]] = append(to.byFirst[text[0]], spelled{text, a})
		}
	}
	for _, set := range []*addedTokens{raw, folded} {
		for _, list := range set.byFirst {
			slices.SortStableFunc(list, func(a, b spelled) int { return len(b.text) - len(a.text) })
		}
	}
	return raw, folded, nil
}

// split cuts the tokens out of pieces.
func (a *addedTokens) split(pieces []piece) (out []piece) {
	if len(a.byFirst) == 0 {
		return pieces
	}
	for _, p := range pieces {
		if p.token >= 0 {
			out = append(out, p)
			continue
		}
		out = a.find(out, p)
	}
	return out
}

func (a *addedTokens) find(out []piece, p piece) []piece {
	text, from := p.text, 0
	for at := 0; at < len(text); {
		s, ok := a.longestAt(text[at:])
		if !ok {
			at++
			continue
		}
		start, end := at, at+len(s.text)
		at = end
		if s.token.SingleWord && (endsWithWord(text[:start]) || beginsWithWord(text[end:])) {
			continue
		}
		if s.token.Left {
			start = len(strings.TrimRightFunc(text[:start], unicode.IsSpace))
		}
		if s.token.Right {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		if start = max(start, from); start > from {
			out = append(out, piece{text[from:start], -1, p.begins && from == 0})
		}
		out = append(out, piece{"", s.token.ID, p.begins && start == 0})
		from = max(from, end)
	}
	if from < len(text) {
		out = append(out, piece{text[from:], -1, p.begins && from == 0})
	}
	return out
}

func (a *addedTokens) longestAt(text string) (spelled, bool) {
	for _, s := range a.byFirst[text[0]] {
		if strings.HasPrefix(text, s.text) {
			return s, true
		}
	}
	return spelled{}, false
}

func endsWithWord(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	return n > 0 && isWord(r)
}

func beginsWithWord(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n > 0 && isWord(r)
}

// isWord reports whether a character is one of words, as \w of Unicode's regular
// expressions is.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic) || r == 0x200c || r == 0x200d
}
