package subword

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Bounds of a vocabulary.
const (
	mostTokens     = 1 << 22
	mostTokenBytes = 1 << 10
)

// file is a tokenizer.json.
type file struct {
	Version    string          `json:"version"`
	Truncation *truncation     `json:"truncation"`
	Padding    *padding        `json:"padding"`
	Added      []addedToken    `json:"added_tokens"`
	Normaliser json.RawMessage `json:"normalizer"`
	Cut        json.RawMessage `json:"pre_tokenizer"`
	Post       json.RawMessage `json:"post_processor"`
	Decoder    json.RawMessage `json:"decoder"`
	Model      json.RawMessage `json:"model"`
}

// padding fills the texts of a batch up to the same length. A text alone stays as it is.
type padding struct {
	Strategy json.RawMessage `json:"strategy"`
	Multiple *int            `json:"pad_to_multiple_of"`
	// Direction, ID, Type and Token say what is added, which is nothing.
	Direction string `json:"direction"`
	ID        int    `json:"pad_id"`
	Type      int    `json:"pad_type_id"`
	Token     string `json:"pad_token"`
}

func (p *padding) check() error {
	if p != nil && (string(p.Strategy) != `"BatchLongest"` || p.Multiple != nil && *p.Multiple > 1) {
		return fmt.Errorf("padding: %.60s is not supported (BatchLongest, without pad_to_multiple_of)", p.Strategy)
	}
	return nil
}

// Read returns the tokenizer of a tokenizer.json.
func Read(data []byte) (*Tokenizer, error) {
	var f file
	if err := strict("tokenizer", data, &f); err != nil {
		return nil, err
	}
	if f.Version != "1.0" {
		return nil, fmt.Errorf("tokenizer: version %q is not supported (1.0)", f.Version)
	}
	if err := f.Padding.check(); err != nil {
		return nil, err
	}
	d := description{Truncation: f.Truncation, Added: f.Added, Normaliser: compact(f.Normaliser), Cut: compact(f.Cut)}
	tokens, err := readModel(f.Model, &d)
	if err != nil {
		return nil, err
	}
	if tokens, err = withAdded(tokens, d.Added); err != nil {
		return nil, err
	}
	stored, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return Parse(tokens, stored)
}

func compact(data json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if len(data) == 0 || string(data) == "null" || json.Compact(&out, data) != nil {
		return nil
	}
	return out.Bytes()
}

// withAdded appends the added tokens that the model does not have. Their identifiers follow
// those of the model, in order.
func withAdded(tokens []string, added []addedToken) ([]string, error) {
	ids := make(map[string]int, len(tokens))
	for i, t := range tokens {
		ids[t] = i
	}
	for _, a := range added {
		id, ok := ids[a.Content]
		if !ok {
			id = len(tokens)
			tokens, ids[a.Content] = append(tokens, a.Content), id
		}
		if a.ID != id {
			return nil, fmt.Errorf("added_tokens: %.40q has the identifier %d, want %d", a.Content, a.ID, id)
		}
	}
	return tokens, nil
}

// Parse returns the tokenizer of a vocabulary and a text of [Tokenizer.Marshal].
func Parse(tokens []string, stored []byte) (*Tokenizer, error) {
	var d description
	if err := strict("tokenizer", stored, &d); err != nil {
		return nil, err
	}
	if len(tokens) < 1 || len(tokens) > mostTokens {
		return nil, fmt.Errorf("tokenizer: %d tokens, want 1 to %d", len(tokens), mostTokens)
	}
	ids := make(map[string]int, len(tokens))
	for i, t := range tokens {
		if _, twice := ids[t]; twice || t == "" || len(t) > mostTokenBytes {
			return nil, fmt.Errorf("model: token %d must be 1 to %d bytes, and not an earlier one again", i, mostTokenBytes)
		}
		ids[t] = i
	}
	t := &Tokenizer{tokens: tokens, stored: slices.Clone(stored), unknown: -1}
	if err := d.Truncation.check(); err != nil {
		return nil, err
	}
	if d.Truncation != nil {
		t.longest = d.Truncation.Longest
	}
	var err error
	if t.normalise, err = newNormaliser(d.Normaliser); err != nil {
		return nil, err
	}
	if t.cut, err = newPreTokenizer(d.Cut, len(d.Normaliser) > 0); err != nil {
		return nil, err
	}
	if t.raw, t.folded, err = newAddedTokens(d.Added, ids, t.normalise); err != nil {
		return nil, err
	}
	t.model, t.unknown, err = newModel(&d, tokens, ids)
	return t, err
}
