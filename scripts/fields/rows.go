package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/sotto-dp/sotto/files/atomicfile"
)

// row is one measurement.
type row struct {
	Set        string   `json:"set"`
	Corpus     string   `json:"corpus"`
	SHA256     string   `json:"sha256"` // of the corpus
	Texts      int      `json:"texts"`  // of the corpus
	Way        string   `json:"way"`
	Epsilon    float64  `json:"epsilon"`
	Seed       int      `json:"seed"`
	Accuracy   float64  `json:"accuracy"`         // of the test texts, learnt from the release
	Known      float64  `json:"known,omitempty"`  // the same, learnt from the words for labels alone
	Kept       float64  `json:"kept,omitempty"`   // share of copies with the topic of their text
	Similarity float64  `json:"similarity"`       // of the test texts to the corpus
	Sample     []string `json:"sample,omitempty"` // private text, tab, copy
}

func (r row) sameAs(o row) bool {
	return r.Set == o.Set && r.Corpus == o.Corpus && r.SHA256 == o.SHA256 && r.Way == o.Way && r.Epsilon == o.Epsilon && r.Seed == o.Seed
}

// readRows reads a file of rows, one JSON object per line.
func readRows(name string) (rows []row, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(data)) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, err
}

func writeRows(name string, rows []row) error {
	var data []byte
	for _, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		data = append(append(data, line...), '\n')
	}
	return atomicfile.WriteFile(name, data)
}
