package request_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/request"
)

// A front end decodes a request, opens what it names, and opens a rewriter.
func Example() {
	var asked request.Request
	if err := json.Unmarshal([]byte(`{"epsilon": 8, "neighbours": 20, "consistent": true}`), &asked); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	cfg, err := asked.Config(ctx, "example", request.Sources{
		Table: func(context.Context, string) (*embedding.Table, error) { return builtin.English() },
	})
	if err != nil {
		log.Fatal(err)
	}
	rewriter, err := sotto.Open(ctx, cfg)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rewriter.Claim())
	asked.Corpus = "phones.corpus"
	fmt.Println(asked.Check("example"))
	// Output:
	// (epsilon = 8)-differential privacy for each distinct word
	// consistent cannot be used with corpus: it is for words
}
