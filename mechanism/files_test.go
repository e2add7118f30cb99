package mechanism

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
)

// openFile is an opener for tests.
func openFile(name string) (io.ReadCloser, error) { return os.Open(name) }

// Every member is given a path as the value of each of its parameters: without an
// opener none may be read, with one only those that are marked as files.
func TestFilesAreOpenedThroughTheSpecAlone(t *testing.T) {
	table := randomTable(t, 40, 4)
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(table.Word(1)+" "+table.Word(2)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for _, e := range Catalog() {
		make := func(spec Spec) (err error) {
			if e.New != nil {
				_, err = e.New(t.Context(), table, spec)
			} else {
				_, err = e.NewPerturber(t.Context(), table, spec)
			}
			return err
		}
		for _, p := range e.Parameters {
			spec := Spec{Epsilon: 1, Parameters: map[string]string{p.Name: path}}
			if p.Name == "lambda" && e.Name == "exponential" {
				spec.Parameters["metric"] = "mahalanobis"
			}
			var refused *privacy.ParameterError
			err := make(spec)
			if !errors.As(err, &refused) || p.File && (refused.Name != p.Name || strings.Contains(err.Error(), path)) {
				t.Errorf("%s: a path as %s without an opener gives %v", e.Name, p.Name, err)
			}
			var opened []string
			spec.Open = func(name string) (io.ReadCloser, error) {
				opened = append(opened, name)
				return os.Open(name)
			}
			_ = make(spec)
			if want := p.File; want != slices.Equal(opened, []string{path}) || !want && opened != nil {
				t.Errorf("%s: a path as %s opened %q, marked as a file: %v", e.Name, p.Name, opened, p.File)
			}
			if p.File {
				files[e.Name+" "+p.Name] = true
			}
		}
	}
	want := []string{"balanced channel", "neighbours similar", "packing channel"}
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("files: %q, want %q", got, want)
	}
}

// A channel comes from any reader.
func TestAChannelIsReadFromAnyReader(t *testing.T) {
	table := randomTable(t, 30, 6)
	_, data := compiledFor(t, table, 1)
	path := filepath.Join(t.TempDir(), "channel")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]uint64{}
	for name, open := range map[string]func(string) (io.ReadCloser, error){
		"a file":   openFile,
		"a reader": func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	} {
		m, err := newPacking(t.Context(), table, Spec{Epsilon: 1, Parameters: map[string]string{"channel": path}, Open: open})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows[name] = m.(Channel).Weights(nil, 3)
	}
	if !slices.Equal(rows["a file"], rows["a reader"]) {
		t.Error("the channel of a file is not that of a reader")
	}
	if _, err := readBounded(bytes.NewReader(data), int64(len(data))-1); err == nil {
		t.Error("a file beyond the bound is read")
	}
	if got, err := readBounded(bytes.NewReader(data), int64(len(data))); err != nil || len(got) != len(data) {
		t.Errorf("a file at the bound: %d bytes, %v", len(got), err)
	}
}
