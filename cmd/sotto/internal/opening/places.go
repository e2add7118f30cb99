package opening

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/corpus"
)

// Places returns a function that finds a released text in a corpus.
func Places(c *corpus.Corpus) func(text []byte) (place int, ok bool) {
	places := make(map[string]int, c.Len())
	var own []byte
	for i := range c.Len() {
		own = c.AppendText(own[:0], i)
		places[spaced(own)] = i
	}
	return func(text []byte) (int, bool) {
		place, ok := places[spaced(text)]
		return place, ok
	}
}

// spaced joins the words of a text by single spaces: formats of lines and columns cannot
// hold line breaks or tabs.
func spaced(text []byte) string { return string(bytes.Join(bytes.Fields(text), []byte(" "))) }

// BesideFile returns the corpus that a file names: its file in the folder of that file or in
// the working folder, or else the name. A digest in the file tells another corpus.
func BesideFile(file, name string) string {
	if corpus.IsBuiltin(name) || name != filepath.Base(name) {
		return name
	}
	for _, folder := range []string{filepath.Dir(file), "."} {
		file := filepath.Join(folder, name+corpus.Extension)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return name
}
