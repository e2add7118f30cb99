package program_test

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/corpus/program"
)

func Example() {
	const command = `echo '{"dimensions": 2, "format": "json"}'; sed -u 's/\\.//g; s/"[^"]*"/[3,4]/g'` // any program will do
	ctx := context.Background()
	p, err := program.Start(ctx, command)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	vectors, err := p.Vectors(ctx, [][]byte{[]byte("a text"), []byte("another")})
	fmt.Println(p.Dim(), vectors, err)
	// Output: 2 [[3 4] [3 4]] <nil>
}
