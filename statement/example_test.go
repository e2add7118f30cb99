package statement_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/statement"
)

// A statement is stored beside the release, read again, and verified with what it says of how
// the release was opened.
func ExampleStatement_Opening() {
	ctx := context.Background()
	r, err := sotto.Open(ctx, sotto.Config{Epsilon: 8})
	if err != nil {
		panic(err)
	}
	release, err := r.Rewrite(ctx, "my doctor in Boston agreed")
	if err != nil {
		panic(err)
	}
	report, err := json.Marshal(release.Statement)
	if err != nil {
		panic(err)
	}

	read, err := statement.Read(report)
	if err != nil {
		panic(err)
	}
	opening, err := read.Opening()
	if err != nil {
		panic(err)
	}
	again, err := sotto.Open(ctx, sotto.Reopened(opening, nil, nil))
	if err != nil {
		panic(err)
	}
	fmt.Println(read.Claim)
	fmt.Println(*read.Cost().EpsilonTotal, again.Verify(read))
	// Output:
	// (epsilon = 8)-differential privacy for each token
	// 40 <nil>
}
