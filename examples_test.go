package sotto_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An example is the shortest answer to how a package is used, and go test runs it.
func TestEveryPublicPackageHasAnExample(t *testing.T) {
	checked := 0
	for _, module := range []string{".", "beam"} {
		list := exec.CommandContext(t.Context(), "go", "list", "-f", "{{if ne .Name \"main\"}}{{.Dir}}{{end}}", "./...")
		list.Dir = module
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		root, err := filepath.Abs(module)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range strings.Fields(string(out)) {
			name := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(dir, root), string(filepath.Separator)))
			parts := strings.Split(name, "/")
			if slices.Contains(parts, "internal") || parts[0] == "scripts" {
				continue
			}
			checked++
			if !hasExample(t, dir) {
				t.Errorf("package %s/%s has no Example function", module, name)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d packages were found", checked)
	}
}

// hasExample reports whether a test file of a folder has an Example function.
func hasExample(t *testing.T, dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(data, []byte("\nfunc Example"))
	})
}
