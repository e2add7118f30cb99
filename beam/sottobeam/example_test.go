package sottobeam_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx" // all runners: direct is in this process and opens no socket

	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// Review is an element of the examples.
type Review struct {
	ID     int `sotto:"key"`
	Stars  string
	Text   string
	Author Author
}

// Author is a structure inside of an element.
type Author struct{ Note string }

func init() { beam.RegisterType(reflect.TypeFor[Review]()) }

var list = []Review{
	{ID: 1, Stars: "5", Text: "The food was good.", Author: Author{"a friend of the cook"}},
	{ID: 2, Stars: "1", Text: "Nobody answers the phone.", Author: Author{"never again"}},
}

// budgets makes a ledger in which the account "reviews" may spend epsilon.
func budgets(ctx context.Context, epsilon string) (place string, remove func()) {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		panic(err)
	}
	place = filepath.Join(dir, "budgets.db")
	store, err := sqlite.Open(ctx, sqlite.Config{Path: place, Create: true})
	if err != nil {
		panic(err)
	}
	l, err := ledger.Open(ctx, ledger.Config{Store: store})
	if err != nil {
		panic(err)
	}
	defer l.Close()
	amount, err := ledger.ParseLimit(epsilon, "")
	if err != nil {
		panic(err)
	}
	if _, err := l.Grant(ctx, ledger.Grant{Account: "reviews", Amount: amount}); err != nil {
		panic(err)
	}
	return place, func() { os.RemoveAll(dir) }
}

func ExampleRewrite() {
	place, remove := budgets(context.Background(), "1000")
	defer remove()
	pipeline, scope := beam.NewPipelineWithRoot()
	reviews := beam.CreateList(scope, list)

	r := sottobeam.Rewrite(scope, reviews, sottobeam.Config{
		Epsilon: 8, Fields: []string{"Text", "Author.Note"},
		Ledger: place, Account: "reviews",
	})
	// r.Private: PCollection of the same type; r.Failed: of Failure; r.Statement: one string

	passert.Count(scope, r.Private, "private reviews", 2)
	passert.Empty(scope, r.Failed)
	if _, err := beam.Run(context.Background(), "direct", pipeline); err != nil {
		panic(err)
	}
	fmt.Println("two reviews released")
	// Output: two reviews released
}

func ExampleSynthesize() {
	place, remove := budgets(context.Background(), "1")
	defer remove()
	pipeline, scope := beam.NewPipelineWithRoot()
	reviews := beam.CreateList(scope, list)

	r := sottobeam.Synthesize(scope, reviews, sottobeam.Synthesis{
		Epsilon: 1, Text: "Text", By: []sottobeam.Labels{{Field: "Stars", Values: []string{"1", "5"}}},
		Expect: 1000, Size: 20, Ledger: place, Account: "reviews",
	})
	// r.Rows: PCollection of Row, public texts with labels; r.Statement: one string

	passert.Count(scope, r.Statement, "statements", 1)
	if _, err := beam.Run(context.Background(), "direct", pipeline); err != nil {
		panic(err)
	}
	fmt.Println("a private copy released")
	// Output: a private copy released
}
