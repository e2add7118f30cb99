package subword

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// pattern is a text or a regular expression of Oniguruma.
type pattern struct {
	String *string `json:"String,omitempty"`
	Regex  *string `json:"Regex,omitempty"`
}

// finder returns the start and the end of each match in a text.
type finder func(text string) [][2]int

func (p pattern) compile(what string) (finder, error) {
	switch {
	case p.String != nil && p.Regex == nil && *p.String != "":
		return func(text string) (found [][2]int) {
			for at := 0; ; {
				i := strings.Index(text[at:], *p.String)
				if i < 0 {
					return found
				}
				at += i + len(*p.String)
				found = append(found, [2]int{at - len(*p.String), at})
			}
		}, nil
	case p.Regex != nil && p.String == nil:
		find, err := compileRegex(*p.Regex)
		if err != nil {
			return nil, fmt.Errorf("%s: the pattern %.80q is not supported: %w", what, *p.Regex, err)
		}
		return find, nil
	}
	return nil, fmt.Errorf("%s: the pattern must be a String or a Regex", what)
}

// The classes of Oniguruma are those of Unicode.
const (
	spaces = `\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`
	// spacesBefore is the one look-ahead that is supported: at the end of a pattern it leaves
	// the last of several spaces to what follows.
	spacesBefore = `\s+(?!\S)|\s+`
)

func compileRegex(source string) (finder, error) {
	before, leaves := strings.CutSuffix(source, spacesBefore)
	if leaves {
		source = before + `(\s+)`
	}
	translated, err := translate(source)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return nil, err
	}
	if leaves && re.NumSubexp() != 1 {
		return nil, fmt.Errorf("groups beside %s", spacesBefore)
	}
	return func(text string) (found [][2]int) {
		for at := 0; at <= len(text); {
			m := re.FindStringSubmatchIndex(text[at:])
			if m == nil {
				break
			}
			start, end := at+m[0], at+m[1]
			if leaves && m[2] >= 0 && end < len(text) {
				if _, last := utf8.DecodeLastRuneInString(text[:end]); end-last > start {
					end -= last
				}
			}
			if at = end; start == end {
				_, n := utf8.DecodeRuneInString(text[at:])
				at += max(n, 1)
				continue // an empty match cuts nothing
			}
			found = append(found, [2]int{start, end})
		}
		return found
	}, nil
}

// translate writes an expression in Go's syntax, and refuses what means something else there.
func translate(source string) (string, error) {
	var b strings.Builder
	inside := false
	for i := 0; i < len(source); i++ {
		c := source[i]
		switch {
		case c == '\\' && i+1 < len(source):
			i++
			to, err := escape(source[i], inside)
			if err != nil {
				return "", err
			}
			b.WriteString(to)
			continue
		case inside && (c == '[' || strings.HasPrefix(source[i:], "&&")):
			return "", fmt.Errorf("a class inside a class")
		case !inside && (c == '^' || c == '$'):
			return "", fmt.Errorf("%c", c)
		case c == '[':
			inside = true
			b.WriteByte(c)
			for _, sign := range []string{"^", "]"} {
				if strings.HasPrefix(source[i+1:], sign) {
					b.WriteString(sign)
					i++
				}
			}
			continue
		case c == ']':
			inside = false
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}

func escape(c byte, inside bool) (string, error) {
	class := func(members string) string {
		if inside {
			return members
		}
		return "[" + members + "]"
	}
	switch c {
	case 's':
		return class(spaces), nil
	case 'd':
		return `\p{Nd}`, nil
	case 'w':
		return class(`\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}`), nil
	case 'S', 'W', 'D':
		if inside {
			return "", fmt.Errorf(`\%c inside a class`, c)
		}
		members := map[byte]string{'S': spaces, 'W': `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}`, 'D': `\p{Nd}`}[c]
		return "[^" + members + "]", nil
	case 'b', 'B', 'Q', 'C', 'z', 'A':
		return "", fmt.Errorf(`\%c`, c)
	}
	return `\` + string(c), nil
}

func replace(text string, found [][2]int, by string) string {
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f[0]])
		b.WriteString(by)
		at = f[1]
	}
	b.WriteString(text[at:])
	return b.String()
}
