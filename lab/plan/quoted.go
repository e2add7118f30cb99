package plan

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
)

// quotedFile has every figure of a paper that the lab shows, with its place in the paper and
// the figure of ours that is shown beside it.
//
//go:embed quoted.csv
var quotedFile []byte

// quoted has the quotes of each plan. The file is embedded, so an error of it is one of the
// code.
var quoted = func() map[string][]Quote {
	lines, err := csv.NewReader(bytes.NewReader(quotedFile)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("plan: quoted.csv: %v", err))
	}
	by := map[string][]Quote{}
	for _, line := range lines[1:] {
		by[line[0]] = append(by[line[0]], Quote{Paper: line[1], Place: line[2], Cell: line[3], Figure: line[4], Ours: line[5], Value: line[6], Where: line[7]})
	}
	return by
}()
