package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is the name of a theorem on a page: `file.theorem`.
var named = regexp.MustCompile("`([a-z_]+\\.[a-z_]+)`")

// stated is a theorem in a file of proofs.
var stated = regexp.MustCompile(`(?m)^Theorem ([a-z_]+)`)

// The pages name theorems that there are, the page of proofs names all of them, and each
// row of the table of units names one.
func TestTheoremsThatPagesNameAreProved(t *testing.T) {
	files, err := filepath.Glob("proofs/*.v")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of proofs, %v", len(files), err)
	}
	proved := map[string]bool{}
	for _, file := range files {
		for _, m := range stated.FindAllStringSubmatch(read(t, file), -1) {
			proved[strings.TrimSuffix(filepath.Base(file), ".v")+"."+m[1]] = true
		}
	}
	all := theoremsIn(t, "docs/reference/proofs.md", read(t, "docs/reference/proofs.md"), proved)
	for name := range proved {
		if !all[name] {
			t.Errorf("docs/reference/proofs.md does not say in words what %s states", name)
		}
	}
	_, rest, found := strings.Cut(read(t, "docs/reference/units.md"), "\n## What each unit rests on\n")
	table, _, _ := strings.Cut(rest, "\n## ")
	rows := 0
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || strings.Contains(line, "| theorems |") {
			continue
		}
		rows++
		if cells := strings.Split(line, "|"); len(theoremsIn(t, "docs/reference/units.md", cells[len(cells)-2], proved)) == 0 {
			t.Errorf("docs/reference/units.md: no theorem for the row %s", line)
		}
	}
	if !found || rows < 8 {
		t.Errorf("the table of units has %d rows", rows)
	}
}

// theoremsIn returns the theorems that a text names, and reports those that there are not.
func theoremsIn(t *testing.T, page, text string, proved map[string]bool) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		if all[m[1]] = true; !proved[m[1]] {
			t.Errorf("%s names %s, and no such theorem is in proofs", page, m[1])
		}
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
