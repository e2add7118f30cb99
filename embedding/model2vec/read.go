// Package model2vec reads the folders in which static encoders of texts such as model2vec
// and potion are published: the vectors of tokens (model.safetensors), the tokenizer
// (tokenizer.json) and the settings (config.json).
//
// The vector of a text is the mean of the vectors of its tokens, of all of them: the library
// model2vec reads the first 512 where it is not told otherwise. Whether it is scaled to
// length 1 makes no difference here, because every use of a vector of a text scales it.
package model2vec

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/subword"
)

// Error reports a folder that cannot be read, and which file of it.
type Error struct {
	Path string
	What string
}

func (e *Error) Error() string { return e.Path + ": " + e.What }

func fault(path, format string, args ...any) error {
	return &Error{path, fmt.Sprintf(format, args...)}
}

// mostText bounds config.json and tokenizer.json, in bytes.
const mostText = 1 << 28

// settings are what config.json says that changes a vector.
type settings struct {
	Type       string `json:"model_type"`
	Pooling    string `json:"pooling"`
	Dimensions int    `json:"hidden_dim"`
}

// Read returns the table of a folder. Its entries are the tokens.
func Read(dir, name string) (*embedding.Table, error) {
	config := filepath.Join(dir, "config.json")
	data, err := text(config)
	if err != nil {
		return nil, err
	}
	var s settings
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fault(config, "%v", err)
	}
	switch {
	case s.Type != "" && s.Type != "model2vec":
		return nil, fault(config, "model_type %.40q is not supported (model2vec)", s.Type)
	case s.Pooling != "" && s.Pooling != "mean":
		return nil, fault(config, "pooling %.40q is not supported (mean)", s.Pooling)
	}
	path := filepath.Join(dir, "tokenizer.json")
	if data, err = text(path); err != nil {
		return nil, err
	}
	tokens, err := subword.Read(data)
	if err != nil {
		return nil, fault(path, "%v", err)
	}
	src := embedding.Source{Name: name, Words: tokens.Tokens(), Subwords: tokens}
	src.Unknown, _ = tokens.Unknown()
	path = filepath.Join(dir, "model.safetensors")
	if src.Vectors, src.Dim, err = vectors(path, len(src.Words)); err != nil {
		return nil, err
	}
	if s.Dimensions != 0 && s.Dimensions != src.Dim {
		return nil, fault(config, "hidden_dim is %d, but the vectors have %d dimensions", s.Dimensions, src.Dim)
	}
	t, err := embedding.New(src)
	if err != nil {
		return nil, fault(dir, "%v", err)
	}
	return t, nil
}

func text(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault(path, "cannot be opened: want a folder with model.safetensors, tokenizer.json and config.json")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostText+1))
	switch {
	case err != nil:
		return nil, fault(path, "cannot be read")
	case len(data) > mostText:
		return nil, fault(path, "is larger than %d MiB", mostText>>20)
	}
	return data, nil
}

// vectors returns a vector for each token: a row of the embeddings, that which the mapping
// names, times the token's weight.
func vectors(path string, tokens int) ([]float32, int, error) {
	f, err := openTensors(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	rows, err := f.find("embeddings", "embedding.weight")
	if err != nil {
		return nil, 0, err
	}
	if rows == nil || len(rows.Shape) != 2 || rows.Shape[1] < 1 || rows.Shape[1] > embedding.MaxDim {
		return nil, 0, fault(path, "it has no tensor embeddings of rows of 1 to %d components", embedding.MaxDim)
	}
	mapping, err := f.column("mapping", tokens)
	if err != nil {
		return nil, 0, err
	}
	weights, err := f.column("weights", tokens)
	if err != nil {
		return nil, 0, err
	}
	if mapping == nil && rows.Shape[0] != int64(tokens) {
		return nil, 0, fault(path, "it has %d vectors for the %d tokens of tokenizer.json", rows.Shape[0], tokens)
	}
	all, err := f.read(rows)
	if err != nil {
		return nil, 0, err
	}
	dim := int(rows.Shape[1])
	out := make([]float32, tokens*dim)
	for i := range tokens {
		row, weight := float64(i), 1.0
		if mapping != nil {
			row = mapping[i]
		}
		if weights != nil {
			weight = weights[i]
		}
		if !(row >= 0 && row < float64(rows.Shape[0])) || row != float64(int(row)) {
			return nil, 0, fault(path, "the mapping of token %d is not to one of the %d vectors", i, rows.Shape[0])
		}
		for k := range dim {
			out[i*dim+k] = float32(weight * all[int(row)*dim+k])
		}
	}
	return out, dim, nil
}
