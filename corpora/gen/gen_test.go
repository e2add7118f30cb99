package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/corpora/internal/choose"
	"github.com/sotto-dp/sotto/internal/stage"
)

const folder, shipped = "..", "../../corpus/fields"

// What is shipped was made from the frames and lists of the repository.
func TestShippedFieldsAreThoseOfTheRepository(t *testing.T) {
	names, err := choose.Fields(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	fields, err := read(filepath.Join(shipped, "fields.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(fields) != len(names) || len(names) < 5 {
		t.Errorf("%d fields are shipped, of %q", len(fields), names)
	}
	for _, name := range names {
		source, err := choose.Source(os.DirFS(folder), name)
		if err != nil {
			t.Fatal(err)
		}
		if f := fields[name]; f.Source != source || f.Texts < 12_000 || f.Field == "" || f.Language == "" {
			t.Errorf("%s is not what is shipped: run go generate ./corpora/gen", name)
		}
	}
}

// The generator gives the shipped texts and digests again.
func TestGeneratorGivesTheShippedFields(t *testing.T) {
	stage.Needs(t, stage.Figures)
	out := t.TempDir()
	if err := run(folder, out, true); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(shipped, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(out, filepath.Base(file))); err != nil || string(got) != string(want) {
			t.Errorf("%s is another: %v", file, err)
		}
	}
}
