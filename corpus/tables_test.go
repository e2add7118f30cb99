package corpus

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
)

// A file finds the embedded table that it names, so that corpora of an earlier default keep
// their encoder.
func TestFileFindsItsEmbeddedTable(t *testing.T) {
	stage.Unraced(t)
	texts := sample(80)
	for _, own := range builtin.Tables() {
		table, err := own.Open()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "own"+Extension)
		c := build(t, texts, Options{Encoder: SIF, Table: table, Public: true})
		if err := c.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		read, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		e, err := read.Encoder(nil)
		if err != nil || e.Dim() != own.Dimensions || read.Card().Encoder.Table.Name != own.Name {
			t.Fatalf("%s: %v, %+v", own.Name, err, read.Card().Encoder)
		}
		if got, want := e.Encode(nil, []byte(c.Text(3))), c.Vector(nil, 3); !slices.Equal(got, want) {
			t.Errorf("%s: the file's encoder gives %v, want %v", own.Name, got, want)
		}
	}
}
