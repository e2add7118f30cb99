package model2vec_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/embedding/model2vec"
)

func Example() {
	_, err := model2vec.Read("potion-base-8M", "potion")
	fmt.Println(err)
	// Output: potion-base-8M/config.json: cannot be opened: want a folder with model.safetensors, tokenizer.json and config.json
}
