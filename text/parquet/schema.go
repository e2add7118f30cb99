package parquet

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// node is a node of the file's schema as it is written: replaced columns are plain
// in every file. The encoding of the input depends on its texts, as many writers
// give up a dictionary that grows. Private texts hardly ever repeat, and the writer
// would keep those of a page, some 60,000, before it gives a dictionary up.
type node struct {
	parquet.Field
	replaced map[parquet.Node]bool // leaves
}

func (n *node) Encoding() encoding.Encoding {
	if n.replaced[n.Field] {
		return &parquet.Plain
	}
	of := n.Field.Encoding()
	if of != nil && n.Leaf() && !ordered(n.Field.Type()) {
		return unboundedEncoding(of)
	}
	return of
}

func (n *node) Fields() []parquet.Field {
	fields := n.Field.Fields()
	wrapped := make([]parquet.Field, len(fields))
	for i, f := range fields {
		wrapped[i] = &node{f, n.replaced}
	}
	return wrapped
}

// replaced returns the columns that are.
func (r *reader) replaced() map[parquet.Node]bool {
	columns := map[parquet.Node]bool{}
	for i, l := range leaves(r.Root()) {
		if r.chosen[i] {
			columns[l.column] = true
		}
	}
	return columns
}
