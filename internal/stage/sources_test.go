package stage

import (
	"path/filepath"
	"slices"
	"testing"
)

// A file that is left out is one whose changes go unseen.
func TestSourcesAreAllThatAProgramIsBuiltFrom(t *testing.T) {
	for _, c := range []struct {
		environment, list []string
		want              []string
	}{
		{nil, []string{"."}, []string{".", "stage.go", "unraced.go"}},
		{nil, []string{"-test", "."}, []string{"sources_test.go"}},
		{[]string{"GOARCH=arm64"}, []string{"../simd/inner"}, []string{"../simd/inner", "../simd/inner/inner_other.go"}},
		{nil, []string{"../../embedding/builtin"}, []string{"../../embedding/builtin/english.table"}},
	} {
		files, err := sources(c.environment, c.list)
		if err != nil {
			t.Fatal(err)
		}
		LooksAt(t, files...)
		for _, want := range c.want {
			if !slices.Contains(files, filepath.FromSlash(want)) {
				t.Errorf("%v of %v lacks %s: %q", c.list, c.environment, want, files)
			}
		}
	}
	if _, err := sources(nil, []string{"./nowhere"}); err == nil {
		t.Error("a package that does not exist has sources")
	}
}
