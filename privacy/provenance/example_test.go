package provenance_test

import (
	"encoding/json"
	"fmt"

	"github.com/sotto-dp/sotto/privacy/provenance"
)

// Released vectors and clear labels make a model that is as private as the labels.
func Example() {
	from := provenance.Inputs{
		{Kind: provenance.Released, Name: "private.npy", What: []string{"vectors"}, Claim: json.RawMessage(`{"unit":"text","notion":"pure","epsilon":1}`)},
		{Kind: provenance.Clear, Name: "train.tsv", What: []string{"labels"}},
	}
	fmt.Println(from.Kind())
	fmt.Println(from.Of(provenance.Model))
	// Output:
	// clear
	// the model is as private as train.tsv, whose labels were read as they are, and otherwise post-processing of private.npy [(epsilon = 1)-differential privacy for each text]
}
