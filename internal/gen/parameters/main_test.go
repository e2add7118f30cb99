package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

func TestGeneratedFilesFollowTheCatalogue(t *testing.T) {
	want, err := write()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "..", output))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the catalogue declares (%v): go generate ./request", output, err)
	}
}

// One flag and one field serve all mechanisms: their parameters of one name must be
// of one kind, and a fixed default must be a value that the member accepts.
func TestParametersOfOneNameAreOfOneKind(t *testing.T) {
	list := catalog.Parameters()
	if len(list) < 20 {
		t.Fatalf("%d parameters found", len(list))
	}
	for _, s := range list {
		for _, u := range s.Uses {
			if u.Kind != s.Kind || u.Kind < mechanism.Number || u.Kind > mechanism.File || u.Help == "" || u.Default == "" {
				t.Errorf("%s of %v: kind %v, not %v, or no help or default", s.Name, u.Members, u.Kind, s.Kind)
			}
			if (u.Kind == mechanism.Choice) != (len(u.Accepts.Choices) > 0) || u.Kind < mechanism.Choice && !(u.Accepts.Low < u.Accepts.High) {
				t.Errorf("%s of %v: accepts %+v", s.Name, u.Members, u.Accepts)
			}
		}
	}
}
