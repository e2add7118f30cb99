package sets

import (
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// Outputs are the words of a table that a channel draws: all, or those given to Limit. They
// are numbered by their places among all outputs, in the table's order.
type Outputs struct {
	Table *embedding.Table
	// outputs are ascending words, and place their inverse with -1 for no output;
	// both nil: all words.
	outputs []uint32
	place   []int32
}

// Limit restricts the outputs to the given words, ascending.
func (o *Outputs) Limit(outputs []uint32) {
	o.outputs = outputs
	o.place = slices.Repeat([]int32{-1}, o.Table.Len())
	for i, y := range outputs {
		o.place[y] = int32(i)
	}
}

// Len returns the number of outputs.
func (o *Outputs) Len() int {
	if o.outputs == nil {
		return o.Table.Len()
	}
	return len(o.outputs)
}

// word returns the word of a place.
func (o *Outputs) word(place uint32) embedding.ID {
	if o.outputs == nil {
		return embedding.ID(place)
	}
	return embedding.ID(o.outputs[place])
}
