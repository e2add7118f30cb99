package subword_test

import (
	"fmt"
	"log"

	"github.com/sotto-dp/sotto/embedding/subword"
)

func Example() {
	t, err := subword.Read([]byte(`{"version": "1.0", "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"},
		"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
			"vocab": {"[UNK]": 0, "train": 1, "##s": 2, "leave": 3}}}`))
	if err != nil {
		log.Fatal(err)
	}
	unknown := t.Each([]byte("Trains leave now"), func(id uint32) { fmt.Println(t.Tokens()[id]) })
	fmt.Println(unknown, "unknown")
	// Output:
	// train
	// ##s
	// leave
	// 1 unknown
}
