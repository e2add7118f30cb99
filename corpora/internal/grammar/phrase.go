package grammar

import (
	"fmt"
	"strings"
)

// A phrase is text with gaps.
type phrase []piece

// A piece is literal text, a reference to a list, or a choice of phrases.
type piece struct {
	literal string
	list    string // of a reference
	label   string // of a reference, empty for an independent draw
	choices []phrase
}

// parse reads a phrase: text, {list}, {list:label} and {one|other|}.
func parse(text string) (phrase, error) {
	p, rest, err := parseUntil(text, false)
	if err == nil && rest != "" {
		err = fmt.Errorf("%q without its opening brace", rest[:1])
	}
	return p, err
}

// parseUntil reads up to a brace that closes, or, within a gap, up to a bar.
func parseUntil(text string, within bool) (p phrase, rest string, err error) {
	for text != "" {
		at := strings.IndexAny(text, "{|}")
		if at < 0 {
			return append(p, piece{literal: text}), "", nil
		}
		if at > 0 {
			p = append(p, piece{literal: text[:at]})
		}
		if text[at] != '{' {
			if !within && text[at] == '|' {
				return nil, "", fmt.Errorf("a bar outside of braces")
			}
			return p, text[at:], nil
		}
		var gap piece
		if gap, text, err = parseGap(text[at+1:]); err != nil {
			return nil, "", err
		}
		p = append(p, gap)
	}
	return p, "", nil
}

// parseGap reads what follows an opening brace, and the brace that closes.
func parseGap(text string) (piece, string, error) {
	var choices []phrase
	for {
		p, rest, err := parseUntil(text, true)
		if err != nil {
			return piece{}, "", err
		}
		if rest == "" {
			return piece{}, "", fmt.Errorf("a brace that nothing closes")
		}
		choices, text = append(choices, p), rest[1:]
		if rest[0] == '|' {
			continue
		}
		if len(choices) > 1 {
			return piece{choices: choices}, text, nil
		}
		if len(p) != 1 || p[0].literal == "" {
			return piece{}, "", fmt.Errorf("braces must hold the name of a list, or alternatives with bars")
		}
		name, label, _ := strings.Cut(p[0].literal, ":")
		if !isName(name) || label != "" && !isName(label) || strings.HasSuffix(p[0].literal, ":") {
			return piece{}, "", fmt.Errorf("%q is not the name of a list: want small letters, digits and dashes", p[0].literal)
		}
		return piece{list: name, label: label}, text, nil
	}
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// eachList calls f with the name of each list that the phrase draws from.
func (p phrase) eachList(f func(name string)) {
	for _, part := range p {
		if part.list != "" {
			f(part.list)
		}
		for _, choice := range part.choices {
			choice.eachList(f)
		}
	}
}

// eachAlternative calls f with the alternatives that are literal text alone.
func (p phrase) eachAlternative(f func(text string)) {
	for _, part := range p {
		for _, choice := range part.choices {
			if len(choice) == 1 && choice[0].literal != "" {
				f(choice[0].literal)
			}
			choice.eachAlternative(f)
		}
	}
}
