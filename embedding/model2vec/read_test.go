package model2vec

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/tokenize"
)

const (
	words  = `{"version":"1.0","model":{"type":"WordLevel","unk_token":"?","vocab":{"?":0,"a":1,"b":2}},"pre_tokenizer":{"type":"Whitespace"}}`
	header = `{"embeddings":{"dtype":"I8","shape":[3,2],"data_offsets":[0,6]}}`
)

// folder writes one; the parts that are empty are those of a folder that can be read.
func folder(t *testing.T, config, tokenizer, head, numbers string) string {
	t.Helper()
	dir := t.TempDir()
	or := func(given, other string) string {
		if given == "" {
			return other
		}
		return given
	}
	head = or(head, header)
	tensors := string(binary.LittleEndian.AppendUint64(nil, uint64(len(head)))) + head + or(numbers, "\x09\x09\x01\x02\x03\xfc")
	for name, data := range map[string]string{"config.json": or(config, "{}"), "tokenizer.json": or(tokenizer, words), "model.safetensors": tensors} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTableHasTheVectors(t *testing.T) {
	weighted := `{"embeddings":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},"mapping":{"dtype":"I64","shape":[3],"data_offsets":[8,32]},"weights":{"dtype":"BF16","shape":[3],"data_offsets":[32,38]}}`
	numbers := "\x00\x3c\x00\x40" + "\x00\x38\x00\xc4" // 1, 2; 0.5, -4
	for _, row := range []uint64{0, 0, 1} {
		numbers += string(binary.LittleEndian.AppendUint64(nil, row))
	}
	numbers += "\x80\x3f\x80\x3f\x00\x3f" // 1, 1, 0.5
	for name, c := range map[string]struct {
		dir  string
		want []float32 // of a and b
	}{
		"integers": {folder(t, `{"hidden_dim":2,"normalize":true}`, "", "", ""), []float32{1, 2, 3, -4}},
		"weighted": {folder(t, "", "", weighted, numbers), []float32{1, 2, 0.25, -2}},
	} {
		table, err := Read(c.dir, "small")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		path := filepath.Join(t.TempDir(), "small.sotto")
		if err := embedding.WriteFile(path, table); err != nil {
			t.Fatal(err)
		}
		again, err := embedding.Open(path)
		if err != nil || again.Digest() != table.Digest() {
			t.Fatalf("%s: %v", name, err)
		}
		ids, unknown := tokenize.NewTokenizer(again).Tokenize(nil, []byte("a zebra b"))
		var got []float32
		for _, id := range ids {
			got = again.Vector(got, id)
		}
		if unknown != 1 || len(got) != 4 {
			t.Fatalf("%s: %v, %d unknown", name, got, unknown)
		}
		for i, x := range c.want {
			if math.Abs(float64(got[i]-x)) > 1e-6 {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
		if again.OfWords() == nil {
			t.Errorf("%s: a table of tokens counts as one of words", name)
		}
		if _, err := again.First(2); err == nil {
			t.Errorf("%s: tokens were left out", name)
		}
	}
}

func TestDamagedFoldersAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ config, tokenizer, head, numbers, want string }{
		"no JSON":      {config: "{", want: "config.json"},
		"pooling":      {config: `{"pooling":"max"}`, want: `pooling "max"`},
		"other model":  {config: `{"model_type":"bert"}`, want: `model_type "bert"`},
		"dimensions":   {config: `{"hidden_dim":3}`, want: "hidden_dim is 3"},
		"component":    {tokenizer: strings.Replace(words, `"Whitespace"`, `"UnicodeScripts"`, 1), want: "pre_tokenizer UnicodeScripts is not supported"},
		"setting":      {tokenizer: strings.Replace(words, `"Whitespace"`, `"Whitespace","more":1`, 1), want: `unknown field "more"`},
		"dropout":      {tokenizer: strings.Replace(words, `"unk_token"`, `"dropout":0.1,"unk_token"`, 1), want: "dropout"},
		"look-ahead":   {tokenizer: strings.Replace(words, `{"type":"Whitespace"}`, `{"type":"Split","pattern":{"Regex":"a(?=b)"},"behavior":"Removed","invert":false}`, 1), want: "the pattern"},
		"gap":          {tokenizer: strings.Replace(words, `"b":2`, `"b":7`, 1), want: "identifiers"},
		"padding":      {tokenizer: strings.Replace(words, `"model"`, `"padding":{"strategy":{"Fixed":9}},"model"`, 1), want: "padding"},
		"fewer rows":   {head: `{"embeddings":{"dtype":"I8","shape":[2,3],"data_offsets":[0,6]}}`, want: "2 vectors for the 3 tokens"},
		"no tensor":    {head: `{"other":{"dtype":"I8","shape":[3,2],"data_offsets":[0,6]}}`, want: "no tensor embeddings"},
		"type":         {head: strings.Replace(header, "I8", "Q4", 1), want: "Q4"},
		"shape":        {head: strings.Replace(header, "[3,2]", "[3,4611686018427387904]", 1), want: "size of its shape"},
		"negative":     {head: strings.Replace(header, "[3,2]", "[-3,-2]", 1), want: "size of its shape"},
		"beyond":       {head: strings.Replace(header, "[0,6]", "[0,600]", 1), want: "cut off"},
		"backwards":    {head: strings.Replace(header, "[0,6]", "[6,0]", 1), want: "damaged"},
		"not finite":   {head: `{"embeddings":{"dtype":"F16","shape":[3,1],"data_offsets":[0,6]}}`, numbers: "\x00\x7e\x00\x00\x00\x00", want: "not finite"},
		"not a header": {head: `[]`, want: "not a JSON object"},
	} {
		_, err := Read(folder(t, c.config, c.tokenizer, c.head, c.numbers), "small")
		var fault *Error
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	dir := folder(t, "", "", "", "")
	if err := os.WriteFile(filepath.Join(dir, "model.safetensors"), []byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir, "small"); err == nil || !strings.Contains(err.Error(), "a header of") {
		t.Errorf("an endless header: %v", err)
	}
}
