package subword

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// description is the form in which a table stores a tokenizer, beside its vocabulary.
type description struct {
	Truncation *truncation     `json:"truncation,omitempty"`
	Added      []addedToken    `json:"added_tokens,omitempty"`
	Normaliser json.RawMessage `json:"normalizer,omitempty"`
	Cut        json.RawMessage `json:"pre_tokenizer,omitempty"`
	Model      modelSettings   `json:"model"`
	Merges     [][2]string     `json:"merges,omitempty"`
	Scores     []float64       `json:"scores,omitempty"`
}

type truncation struct {
	Direction string `json:"direction"`
	Longest   int    `json:"max_length"`
	Strategy  string `json:"strategy"`
	Stride    int    `json:"stride"`
}

func (t *truncation) check() error {
	if t != nil && (t.Direction != "" && t.Direction != "Right" || t.Longest < 1) {
		return fmt.Errorf("truncation: direction %q to %d tokens is not supported (Right, to 1 or more)", t.Direction, t.Longest)
	}
	return nil
}

// addedToken is a token that is found in a text before the text is cut.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	Left       bool   `json:"lstrip"`
	Right      bool   `json:"rstrip"`
	Normalised bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// modelSettings are what a model has beside its vocabulary.
type modelSettings struct {
	Type         string   `json:"type"`
	Unknown      *string  `json:"unk_token,omitempty"`
	Prefix       *string  `json:"continuing_subword_prefix,omitempty"`
	Suffix       *string  `json:"end_of_word_suffix,omitempty"`
	MostChars    int      `json:"max_input_chars_per_word,omitempty"`
	Dropout      *float64 `json:"dropout,omitempty"`
	FuseUnknown  bool     `json:"fuse_unk,omitempty"`
	ByteFallback bool     `json:"byte_fallback,omitempty"`
	IgnoreMerges bool     `json:"ignore_merges,omitempty"`
	UnknownID    *int     `json:"unk_id,omitempty"`
}

// mostParts bounds the parts of a sequence, and how deep sequences may be nested.
const mostParts = 1 << 10

// kind is the name of a component.
func kind(what string, data []byte) (string, error) {
	var k struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &k); err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return k.Type, nil
}

// strict decodes JSON and refuses fields that a value does not have.
func strict(what string, data []byte, into any) error {
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	err := in.Decode(into)
	if err == nil && in.More() {
		err = errors.New("something follows the JSON")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func finite(scores []float64) bool {
	return !slices.ContainsFunc(scores, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
