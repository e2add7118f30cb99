package release_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

// A stream is charged batch by batch, before anything of a batch is drawn.
func ExampleStream() {
	r, err := sotto.Open(context.Background(), sotto.Config{Epsilon: 8})
	if err != nil {
		panic(err)
	}
	units := int64(0)
	s := release.Stream{
		Format: text.JSONL, Fields: []string{"text"},
		Charge: func(_ context.Context, _ uint64, p *release.Pending) error {
			units += p.Draws()
			return nil
		},
	}
	in := strings.NewReader("{\"id\":1,\"text\":\"my doctor agreed\"}\n{\"id\":2,\"text\":\"I left\"}\n")
	statement, err := r.Copy(context.Background(), io.Discard, in, s)
	if err != nil {
		panic(err)
	}
	fmt.Println(units, "tokens at epsilon", statement.Claim.Epsilon)
	// Output: 5 tokens at epsilon 8
}
