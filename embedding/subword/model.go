package subword

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// readModel reads a model of a tokenizer.json, and returns its vocabulary.
func readModel(data []byte, d *description) ([]string, error) {
	var f struct {
		modelSettings
		Vocabulary json.RawMessage `json:"vocab"`
		Merges     []merge         `json:"merges"`
	}
	if len(data) == 0 || string(data) == "null" {
		return nil, fmt.Errorf("model: is missing")
	}
	if err := strict("model", data, &f); err != nil {
		return nil, err
	}
	d.Model = f.modelSettings
	for _, m := range f.Merges {
		d.Merges = append(d.Merges, m)
	}
	if d.Model.Type == "" { // older files do not name it
		switch {
		case f.Merges != nil:
			d.Model.Type = "BPE"
		case d.Model.MostChars > 0:
			d.Model.Type = "WordPiece"
		}
	}
	if d.Model.Type == "Unigram" {
		return readScored(f.Vocabulary, d)
	}
	var ids map[string]int
	if err := json.Unmarshal(f.Vocabulary, &ids); err != nil {
		return nil, fmt.Errorf("model %s: vocab: %w", d.Model.Type, err)
	}
	tokens := make([]string, len(ids))
	for t, id := range ids {
		if id < 0 || id >= len(tokens) || tokens[id] != "" || t == "" {
			return nil, fmt.Errorf("model %s: the identifiers of the %d tokens must be 0 to %d, one each, for tokens that are not empty", d.Model.Type, len(tokens), len(tokens)-1)
		}
		tokens[id] = t
	}
	return tokens, nil
}

// merge is a pair of tokens: an array, or a text with a space between them.
type merge [2]string

func (m *merge) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		left, right, ok := strings.Cut(text, " ")
		if !ok || strings.Contains(right, " ") {
			return fmt.Errorf("merges: %.40q is not two tokens", text)
		}
		*m = merge{left, right}
		return nil
	}
	var pair []string
	if err := json.Unmarshal(data, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("merges: a merge is not two tokens")
	}
	*m = merge(pair)
	return nil
}

// readScored reads the vocabulary of a Unigram model.
func readScored(data []byte, d *description) (tokens []string, err error) {
	var list [][]json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("model Unigram: vocab: %w", err)
	}
	for i, entry := range list {
		var token string
		var score float64
		if len(entry) != 2 || json.Unmarshal(entry[0], &token) != nil || json.Unmarshal(entry[1], &score) != nil {
			return nil, fmt.Errorf("model Unigram: token %d is not a text with a number", i)
		}
		tokens, d.Scores = append(tokens, token), append(d.Scores, score)
	}
	return tokens, nil
}

// newModel returns a model, and the token for what it does not know, which the encoder
// leaves out. That of a Unigram model is a token like others to the library.
func newModel(d *description, tokens []string, ids map[string]int) (m model, unknown int, err error) {
	unknown = -1
	if d.Model.Unknown != nil {
		id, ok := ids[*d.Model.Unknown]
		if !ok {
			return nil, 0, fmt.Errorf("model %s: unk_token %.40q is not in the vocabulary", d.Model.Type, *d.Model.Unknown)
		}
		unknown = id
	}
	longest := 0
	for t := range ids {
		longest = max(longest, len(t))
	}
	s := d.Model
	switch {
	case s.Dropout != nil && *s.Dropout != 0:
		return nil, 0, fmt.Errorf("model %s: dropout is not supported: it is random", s.Type)
	case s.Type == "Unigram":
		m, err = newUnigram(d, tokens)
		return m, -1, err
	case s.Type == "BPE":
		m, err = newMerging(d, ids, unknown)
		return m, unknown, err
	case unknown < 0:
		return nil, 0, fmt.Errorf("model %q without unk_token is not supported", s.Type)
	case s.Type == "WordLevel":
		return wordLevel{ids, unknown}, unknown, nil
	case s.Type == "WordPiece":
		if s.MostChars < 1 {
			return nil, 0, fmt.Errorf("model WordPiece: max_input_chars_per_word must be positive, got %d", s.MostChars)
		}
		w := &wordPiece{ids: ids, unknown: unknown, mostChars: s.MostChars, longest: longest}
		if s.Prefix != nil {
			w.prefix = *s.Prefix
		}
		return w, unknown, nil
	}
	return nil, 0, fmt.Errorf("model %q is not supported (WordPiece, BPE, Unigram, WordLevel)", s.Type)
}

type wordLevel struct {
	ids     map[string]int
	unknown int
}

func (w wordLevel) tokens(word string, yield func(id int)) {
	if id, ok := w.ids[word]; ok {
		yield(id)
	} else {
		yield(w.unknown)
	}
}

// wordPiece takes the longest token at each place.
type wordPiece struct {
	ids       map[string]int
	unknown   int
	prefix    string // of tokens inside a word
	mostChars int
	longest   int // bytes of a token
}

func (w *wordPiece) tokens(word string, yield func(id int)) {
	if utf8.RuneCountInString(word) > w.mostChars {
		yield(w.unknown)
		return
	}
	var found []int
	for at := 0; at < len(word); {
		before, end := "", min(len(word), at+w.longest)
		if at > 0 {
			before = w.prefix
		}
		for ; end > at; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if id, ok := w.ids[before+word[at:end]]; ok {
				found = append(found, id)
				break
			}
		}
		if end == at {
			yield(w.unknown)
			return
		}
		at = end
	}
	for _, id := range found {
		yield(id)
	}
}
