package opening

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy/identity"
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

// SameRows refuses a file that does not have the rows that a report states, and only those, with
// their weights: other weights are of a column that the claim does not cover.
func SameRows(file, report string, stated *identity.Drawn, labels [][]string, text func(row int) []byte, weights []float64) error {
	if stated == nil { // a report of an earlier version, or none of synthesize
		return nil
	}
	tally := func(weight func(row int) float64) identity.Drawn {
		var rows identity.Tally
		for i := range labels {
			rows.Add(labels[i], text(i), weight(i))
		}
		return rows.Drawn()
	}
	one := func(int) float64 { return 1 }
	weight := one
	if weights != nil {
		weight = func(row int) float64 { return weights[row] }
	}
	fault := OtherRows(cli.ShownInput(file), report, stated, tally(weight))
	if fault == nil {
		return nil
	}
	hint := "give the release as it was written, all its rows"
	switch {
	case weights == nil:
		hint += "; if it has weights, name their column with --weight"
	case tally(one) == *stated:
		hint = "the release has no weights: leave --weight out"
	}
	return fmt.Errorf("%w\n       %s", fault, hint)
}

// OtherRows returns how the rows of a file differ from those that a report states; nil if they are
// the same, and for a report of an earlier version, which states none.
func OtherRows(file, report string, stated *identity.Drawn, found identity.Drawn) error {
	switch {
	case stated == nil || *stated == found:
		return nil
	case stated.Rows != found.Rows:
		return fmt.Errorf("%s: it is not the release of %s, which has %s: this file has %d", file, report, cli.Plural(int(stated.Rows), "row"), found.Rows)
	}
	return fmt.Errorf("%s: it is not the release of %s: its rows are others", file, report)
}

// WarnOfRows warns of a file whose rows are not those of the report: no claim is carried on from it.
func WarnOfRows(w io.Writer, other error) {
	fmt.Fprintf(w, "sotto: warning: %v; nothing is claimed for it, be it a part of the release, the original or another file\n", other)
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
