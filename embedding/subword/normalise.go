package subword

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

func newNormaliser(data []byte) (normaliser, error) {
	if len(data) == 0 {
		return func(text string) string { return text }, nil
	}
	parts := 0
	return normaliserOf(data, &parts)
}

func normaliserOf(data []byte, parts *int) (normaliser, error) {
	if *parts++; *parts > mostParts {
		return nil, fmt.Errorf("normalizer: more than %d parts", mostParts)
	}
	name, err := kind("normalizer", data)
	if err != nil {
		return nil, err
	}
	what := "normalizer " + name
	var plain struct {
		Type string `json:"type"`
	}
	switch name {
	case "Sequence":
		return normalisers(what, data, parts)
	case "NFC":
		return norm.NFC.String, strict(what, data, &plain)
	case "NFD":
		return norm.NFD.String, strict(what, data, &plain)
	case "NFKC":
		return norm.NFKC.String, strict(what, data, &plain)
	case "NFKD":
		return norm.NFKD.String, strict(what, data, &plain)
	case "Lowercase":
		return lower, strict(what, data, &plain)
	case "StripAccents":
		return func(text string) string { return without(text, unicode.IsMark) }, strict(what, data, &plain)
	case "ByteLevel":
		return spellBytes, strict(what, data, &plain)
	case "BertNormalizer":
		return newBert(what, data)
	case "Strip":
		return newStrip(what, data)
	case "Prepend":
		var s struct {
			Type    string `json:"type"`
			Prepend string `json:"prepend"`
		}
		return func(text string) string {
			if text == "" {
				return text
			}
			return s.Prepend + text
		}, strict(what, data, &s)
	case "Replace":
		var s struct {
			Type    string  `json:"type"`
			Pattern pattern `json:"pattern"`
			Content string  `json:"content"`
		}
		if err := strict(what, data, &s); err != nil {
			return nil, err
		}
		find, err := s.Pattern.compile(what)
		return func(text string) string { return replace(text, find(text), s.Content) }, err
	case "Precompiled":
		return newCharsMap(what, data)
	}
	return nil, fmt.Errorf("%s is not supported", what)
}

// normalisers returns a sequence.
func normalisers(what string, data []byte, parts *int) (normaliser, error) {
	var s struct {
		Type  string            `json:"type"`
		Parts []json.RawMessage `json:"normalizers"`
	}
	if err := strict(what, data, &s); err != nil {
		return nil, err
	}
	var all []normaliser
	for _, p := range s.Parts {
		n, err := normaliserOf(p, parts)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return func(text string) string {
		for _, n := range all {
			text = n(text)
		}
		return text
	}, nil
}

// newStrip returns the normaliser that leaves out white space at the ends.
func newStrip(what string, data []byte) (normaliser, error) {
	var s struct {
		Type  string `json:"type"`
		Left  bool   `json:"strip_left"`
		Right bool   `json:"strip_right"`
	}
	return func(text string) string {
		if s.Left {
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
		}
		if s.Right {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		return text
	}, strict(what, data, &s)
}

// lower puts each character in lower case by itself.
func lower(text string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if r == 'İ' {
			return r // the one that becomes two characters
		}
		return unicode.ToLower(r)
	}, text), "İ", "i\u0307")
}

func without(text string, leave func(r rune) bool) string {
	return strings.Map(func(r rune) rune {
		if leave(r) {
			return -1
		}
		return r
	}, text)
}

// newBert returns the normaliser of BERT.
func newBert(what string, data []byte) (normaliser, error) {
	var s struct {
		Type    string `json:"type"`
		Clean   bool   `json:"clean_text"`
		Han     bool   `json:"handle_chinese_chars"`
		Accents *bool  `json:"strip_accents"`
		Lower   bool   `json:"lowercase"`
	}
	err := strict(what, data, &s)
	return func(text string) string {
		if s.Clean {
			text = clean(text)
		}
		if s.Han {
			text = spaceHan(text)
		}
		if s.Accents != nil && *s.Accents || s.Accents == nil && s.Lower {
			text = without(norm.NFD.String(text), func(r rune) bool { return unicode.Is(unicode.Mn, r) })
		}
		if s.Lower {
			text = lower(text)
		}
		return text
	}, err
}

// clean leaves control characters out, and makes white space a space.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == 0 || r == 0xfffd || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
			return -1
		}
		return r
	}, text)
}

// spaceHan puts spaces around the ideographs of Han.
func spaceHan(text string) string {
	if !strings.ContainsFunc(text, isHan) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isHan(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isHan has the blocks that BERT counts.
func isHan(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F ||
		r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF || r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}
