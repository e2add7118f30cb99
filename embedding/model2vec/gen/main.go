// Command gen writes a folder in the form of model2vec's from the embedded table of
// sentence vectors: its words as tokens of WordPiece, and their vectors as F16.
//
//	go run ./embedding/model2vec/gen -words 5000 -o DIR
package main

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

func main() {
	log.SetFlags(0)
	words := flag.Int("words", 5000, "words of the table")
	out := flag.String("o", "", "folder to write")
	flag.Parse()
	if err := write(*out, *words); err != nil {
		log.Fatal(err)
	}
}

// write makes the folder.
func write(dir string, words int) error {
	table, err := builtin.Sentences()
	if err != nil {
		return err
	}
	if words < 1 || words > table.Len() {
		return fmt.Errorf("gen: words must be 1 to %d, got %d", table.Len(), words)
	}
	vocabulary, rows := map[string]int{"[PAD]": 0, "[UNK]": 1}, make([]float32, 2*table.Dim())
	add := func(token string, id embedding.ID) {
		if _, ok := vocabulary[token]; !ok {
			vocabulary[token] = len(vocabulary)
			rows = table.Vector(rows, id)
		}
	}
	for id := range words {
		add(table.Word(embedding.ID(id)), embedding.ID(id))
		if word := table.Word(embedding.ID(id)); utf8.RuneCountInString(word) < 4 {
			add("##"+word, embedding.ID(id)) // inside a word
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unknown := map[string]any{"id": 1, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}
	for name, value := range map[string]any{
		"config.json": map[string]any{"model_type": "model2vec", "architectures": []string{"StaticModel"}, "hidden_dim": table.Dim(), "normalize": true},
		"tokenizer.json": map[string]any{"version": "1.0", "truncation": nil, "padding": nil, "post_processor": nil, "decoder": map[string]any{"type": "WordPiece", "prefix": "##", "cleanup": true},
			"added_tokens": []any{unknown}, "pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
			"normalizer": map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
			"model":      map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary}},
	} {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	head := fmt.Appendf(nil, `{"embeddings":{"dtype":"F16","shape":[%d,%d],"data_offsets":[0,%d]}}`, len(vocabulary), table.Dim(), 2*len(rows))
	data := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)
	for _, x := range rows {
		data = binary.LittleEndian.AppendUint16(data, half(x))
	}
	return os.WriteFile(filepath.Join(dir, "model.safetensors"), data, 0o644)
}

// half returns a number of at most 65,504 as 16 bits of IEEE 754, rounded to even.
func half(x float32) uint16 {
	sign := uint16(math.Float32bits(x) >> 16 & 0x8000)
	fraction, exponent := math.Frexp(math.Abs(float64(x)))
	if exponent = max(exponent, -13); fraction == 0 {
		return sign
	}
	steps := math.RoundToEven(math.Ldexp(math.Abs(float64(x)), 11-exponent))
	return sign + uint16(exponent+13)<<10 + uint16(steps)
}
