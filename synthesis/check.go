package synthesis

import (
	"context"
	"encoding/json"
	"unicode/utf8"
)

// Problems are exact counts of the records that vote for Other, by the first reason. They
// are only for the operator who holds the records: no claim protects them.
type Problems struct {
	Records int `json:"records"`
	Labels  int `json:"labels"`  // a label is missing or not in the public set
	Texts   int `json:"texts"`   // the text is empty, too long or not UTF-8
	Vectors int `json:"vectors"` // the text has no vector

	NoRow int  `json:"no_row,omitempty"`      // Input.Vectors ends before the record
	Given *int `json:"vector_rows,omitempty"` // the rows of Input.Vectors, nil without it
}

// RowsDiffer reports whether the vectors that came with the records are more or fewer.
func (f *Problems) RowsDiffer() bool { return f.Given != nil && *f.Given != f.Records }

// MarshalJSON marks the counts as exact.
func (f Problems) MarshalJSON() ([]byte, error) {
	type plain Problems
	return json.Marshal(struct {
		plain
		Exact bool `json:"for_the_operator_alone"`
	}{plain(f), true})
}

// Check counts the problems of an input. It releases nothing, and its result must not leave
// the operator.
func (p *Plan) Check(ctx context.Context, found *Problems, in Input) error {
	if in.Vectors != nil {
		rows, _ := in.Vectors.Shape()
		found.Given = &rows
	}
	return batches(ctx, p, in, func(records []Record) *Problems {
		part := &Problems{Records: len(records)}
		var vector []int8
		for i := range records {
			r := &records[i]
			vector = p.encode(vector[:0], r)
			switch {
			case p.find(r.Labels) == other:
				part.Labels++
			case len(r.Text) == 0 || len(r.Text) > MaxText || !utf8.Valid(r.Text):
				part.Texts++
			case in.Vectors != nil && r.Vector == nil:
				part.NoRow++
			case isZero(vector):
				part.Vectors++
			}
		}
		return part
	}, func(part *Problems) {
		found.Records += part.Records
		found.Labels += part.Labels
		found.Texts += part.Texts
		found.Vectors += part.Vectors
		found.NoRow += part.NoRow
	})
}
