package builtin

import "github.com/sotto-dp/sotto/embedding"

// Table is an embedded table that is not opened yet.
type Table struct {
	Name       string
	Dimensions int
	Open       func() (*embedding.Table, error) // decodes it once
}

// Tables lists the embedded tables, the default of mechanisms for words first.
func Tables() []Table {
	return []Table{{Name, 100, English}, {SentencesName, SentenceDim, Sentences}}
}

// Find returns the embedded table of a name, the default for the empty one. It is nil if
// there is none.
func Find(name string) (*embedding.Table, error) {
	for _, t := range Tables() {
		if name == t.Name || name == "" {
			return t.Open()
		}
	}
	return nil, nil
}
