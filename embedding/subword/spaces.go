package subword

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// newMetaspace returns the pre-tokenizer of SentencePiece, which writes spaces as a letter.
func newMetaspace(what string, data []byte) (preTokenizer, error) {
	s := struct {
		Type        string `json:"type"`
		Replacement string `json:"replacement"`
		Scheme      string `json:"prepend_scheme"`
		Split       *bool  `json:"split"`
		// Older files have AddPrefix in place of Scheme.
		AddPrefix *bool  `json:"add_prefix_space"`
		Spelled   string `json:"str_rep"`
	}{}
	if err := strict(what, data, &s); err != nil {
		return nil, err
	}
	if s.Scheme == "" {
		s.Scheme = "always"
		if s.AddPrefix != nil && !*s.AddPrefix {
			s.Scheme = "never"
		}
	}
	switch {
	case utf8.RuneCountInString(s.Replacement) != 1:
		return nil, fmt.Errorf("%s: the replacement must be one character", what)
	case s.Scheme != "always" && s.Scheme != "never" && s.Scheme != "first":
		return nil, fmt.Errorf("%s: the prepend_scheme %q is not supported", what, s.Scheme)
	}
	find, err := pattern{String: &s.Replacement}.compile(what)
	if err != nil {
		return nil, err
	}
	split := cutBy(find, next, false)
	return func(pieces []piece) []piece {
		spaced := make([]piece, 0, len(pieces))
		for _, p := range pieces {
			p.text = strings.ReplaceAll(p.text, " ", s.Replacement)
			if p.text != "" && (s.Scheme == "always" || s.Scheme == "first" && p.begins) && !strings.HasPrefix(p.text, s.Replacement) {
				p.text = s.Replacement + p.text
			}
			spaced = append(spaced, p)
		}
		if s.Split != nil && !*s.Split {
			return spaced
		}
		return split(spaced)
	}, nil
}

// gpt2 is how GPT-2 cuts texts.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|` + spacesBefore

// newByteLevel returns the pre-tokenizer of GPT-2, which writes bytes as letters.
func newByteLevel(what string, data []byte) (preTokenizer, error) {
	s := struct {
		Type      string `json:"type"`
		AddPrefix bool   `json:"add_prefix_space"`
		Trim      bool   `json:"trim_offsets"`
		Regex     *bool  `json:"use_regex"`
	}{}
	if err := strict(what, data, &s); err != nil {
		return nil, err
	}
	find, err := compileRegex(gpt2)
	if err != nil {
		return nil, err
	}
	split := cutBy(find, isolated, false)
	return func(pieces []piece) []piece {
		out := make([]piece, 0, len(pieces))
		for _, p := range pieces {
			if s.AddPrefix && p.text != "" && p.text[0] != ' ' {
				p.text = " " + p.text
			}
			out = append(out, p)
		}
		if s.Regex == nil || *s.Regex {
			out = split(out)
		}
		for i := range out {
			out[i].text = spellBytes(out[i].text)
		}
		return out
	}, nil
}

// byteSpellings has a printable character for each byte.
var byteSpellings = func() (of [256]string) {
	other := rune(256)
	for b := range 256 {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			of[b] = string(rune(b))
		} else {
			of[b] = string(other)
			other++
		}
	}
	return of
}()

func spellBytes(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(byteSpellings[text[i]])
	}
	return b.String()
}
