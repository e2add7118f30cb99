package subword

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// newPreTokenizer returns that of a description. What is first in a text cannot be told after
// a normaliser, which may have left out what was.
func newPreTokenizer(data []byte, normalised bool) (preTokenizer, error) {
	if len(data) == 0 {
		return func(pieces []piece) []piece { return pieces }, nil
	}
	if normalised && bytes.Contains(data, []byte(`"prepend_scheme":"first"`)) {
		return nil, errors.New(`pre_tokenizer Metaspace: prepend_scheme "first" is not supported beside a normalizer`)
	}
	parts := 0
	return preTokenizerOf(data, &parts)
}

func preTokenizerOf(data []byte, parts *int) (preTokenizer, error) {
	if *parts++; *parts > mostParts {
		return nil, fmt.Errorf("pre_tokenizer: more than %d parts", mostParts)
	}
	name, err := kind("pre_tokenizer", data)
	if err != nil {
		return nil, err
	}
	what := "pre_tokenizer " + name
	var plain struct {
		Type string `json:"type"`
	}
	switch name {
	case "Sequence":
		return preTokenizers(what, data, parts)
	case "BertPreTokenizer":
		blank, signs := cutBy(each(unicode.IsSpace), removed, false), cutBy(each(isPunctuation), isolated, false)
		return func(pieces []piece) []piece { return signs(blank(pieces)) }, strict(what, data, &plain)
	case "Whitespace":
		return cutBy(wordsAndSigns, removed, true), strict(what, data, &plain)
	case "WhitespaceSplit":
		return cutBy(each(unicode.IsSpace), removed, false), strict(what, data, &plain)
	case "Punctuation":
		s := struct {
			Type      string `json:"type"`
			Behaviour string `json:"behavior"`
		}{Behaviour: isolated}
		if err := strict(what, data, &s); err != nil {
			return nil, err
		}
		return cutBy(each(isPunctuation), s.Behaviour, false), checkBehaviour(what, s.Behaviour)
	case "Digits":
		var s struct {
			Type string `json:"type"`
			Each bool   `json:"individual_digits"`
		}
		err := strict(what, data, &s)
		if s.Each {
			return cutBy(each(unicode.IsNumber), isolated, false), err
		}
		return cutBy(each(unicode.IsNumber), contiguous, false), err
	case "CharDelimiterSplit":
		var s struct {
			Type      string `json:"type"`
			Delimiter string `json:"delimiter"`
		}
		if err := strict(what, data, &s); err != nil {
			return nil, err
		}
		find, err := pattern{String: &s.Delimiter}.compile(what)
		return cutBy(find, removed, false), err
	case "Split":
		return newSplit(what, data)
	case "Metaspace":
		return newMetaspace(what, data)
	case "ByteLevel":
		return newByteLevel(what, data)
	}
	return nil, fmt.Errorf("%s is not supported", what)
}

// preTokenizers returns a sequence.
func preTokenizers(what string, data []byte, parts *int) (preTokenizer, error) {
	var s struct {
		Type  string            `json:"type"`
		Parts []json.RawMessage `json:"pretokenizers"`
	}
	if err := strict(what, data, &s); err != nil {
		return nil, err
	}
	var all []preTokenizer
	for _, p := range s.Parts {
		cut, err := preTokenizerOf(p, parts)
		if err != nil {
			return nil, err
		}
		all = append(all, cut)
	}
	return func(pieces []piece) []piece {
		for _, cut := range all {
			pieces = cut(pieces)
		}
		return pieces
	}, nil
}

// newSplit returns the pre-tokenizer that cuts at a pattern.
func newSplit(what string, data []byte) (preTokenizer, error) {
	var s struct {
		Type      string  `json:"type"`
		Pattern   pattern `json:"pattern"`
		Behaviour string  `json:"behavior"`
		Invert    bool    `json:"invert"`
	}
	if err := strict(what, data, &s); err != nil {
		return nil, err
	}
	find, err := s.Pattern.compile(what)
	if err != nil {
		return nil, err
	}
	return cutBy(find, s.Behaviour, s.Invert), checkBehaviour(what, s.Behaviour)
}

// wordsAndSigns finds runs of characters of words, and runs of others that are not white
// space.
func wordsAndSigns(text string) (found [][2]int) {
	class := func(r rune) int {
		switch {
		case isWord(r):
			return 1
		case unicode.IsSpace(r):
			return 0
		}
		return 2
	}
	of := 0
	for i, r := range text {
		c := class(r)
		if c != 0 && c == of {
			found[len(found)-1][1] = i + utf8.RuneLen(r)
		} else if c != 0 {
			found = append(found, [2]int{i, i + utf8.RuneLen(r)})
		}
		of = c
	}
	return found
}

// isPunctuation reports whether BERT counts a character as punctuation.
func isPunctuation(r rune) bool {
	return unicode.IsPunct(r) || r < utf8.RuneSelf && strings.ContainsRune("$+<=>^`|~", r)
}
