package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
			if !hasExample(t, dir, compiled[name]) {
				t.Errorf("package %s/%s has no Example function with checked output", module, name)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d packages were found", checked)
	}
}

// compiled are packages whose example is compiled and not run: it needs a *testing.T.
var compiled = map[string]bool{"ledger/ledgertest": true}

// example is an Example function with its body, output its checked output.
var (
	example = regexp.MustCompile(`(?ms)^func Example\w*\(\) \{$.*?^\}`)
	output  = regexp.MustCompile(`(?m)^\t// (Unordered o|O)utput:`)
)

// hasExample reports whether a test file of a folder has an Example function, with checked
// output unless silent is set.
func hasExample(t *testing.T, dir string, silent bool) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(example.FindAll(data, -1), func(body []byte) bool {
			return silent || output.Match(body)
		})
	})
}
