package source

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestLayoutAndCommentsAreNoCode(t *testing.T) {
	written := func(code string) string {
		var b bytes.Buffer
		write(&b, []byte(code))
		return b.String()
	}
	one := written("package a\n\n// F is one.\nfunc F() int { return 1 }\n")
	for _, same := range []string{"package a\nfunc F() int { return 1 }\n\n\n", "package a\n\nfunc F() int { return 1 } // one\n"} {
		if written(same) != one {
			t.Errorf("comments or layout are code: %q", same)
		}
	}
	for _, other := range []string{"package a\nfunc F() int { return 2 }\n", "//go:embed x\npackage a\nfunc F() int { return 1 }\n", "package a\nfunc G() int { return 1 }\n"} {
		if written(other) == one {
			t.Errorf("a number, a name or a directive is no code: %q", other)
		}
	}
}

// The digest follows the files of packages of the repository, embedded ones too, and the
// versions of other modules.
func TestTheDigestFollowsWhatIsImported(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	type mod = struct{ Path, Version string }
	outside := &mod{"example.org/x", "v1.0.0"}
	packages := []listed{
		{ImportPath: "fmt"},
		{ImportPath: "example.org/x/y", Module: outside},
		{ImportPath: module + "/grid", Dir: dir, GoFiles: []string{"grid.go"}, SFiles: []string{"grid.s"}, EmbedFiles: []string{"grid.bin"}, Module: &mod{Path: module}},
		{ImportPath: trials, Dir: dir, GoFiles: []string{"trials.go"}, Module: &mod{Path: module + "/lab"}},
	}
	of := func() string {
		t.Helper()
		sum, err := digest(packages)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	put("trials.go", "package experiment\n")
	put("grid.go", "package grid\n")
	put("grid.s", "TEXT\n")
	put("grid.bin", "1")
	before := of()
	for _, change := range [][2]string{{"trials.go", "package experiment\nvar A = 1\n"}, {"grid.go", "package grid\nvar A = 1\n"}, {"grid.s", "DATA\n"}, {"grid.bin", "2"}} {
		put(change[0], change[1])
		after := of()
		if after == before {
			t.Errorf("the digest does not follow %s", change[0])
		}
		before = after
	}
	put("grid.go", "package grid\n\n// A is one.\nvar A = 1\n")
	slices.Reverse(packages)
	if of() != before {
		t.Error("the digest follows a comment or the order of the list")
	}
	if outside.Version = "v1.0.1"; of() == before {
		t.Error("the digest does not follow the version of a module")
	}
	if err := os.Remove(filepath.Join(dir, "grid.bin")); err != nil {
		t.Fatal(err)
	}
	if _, err := digest(packages); err == nil {
		t.Error("a package without its files has a digest")
	}
}

// A trial runs through the library: a package that only the library imports is listed.
func TestTheLibraryIsPartOfTheCode(t *testing.T) {
	packages, err := list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{trials, module + "/lab/private", module + "/learn", module + "/text/tokenize", module + "/internal/simd", module + "/noise"} {
		if !slices.ContainsFunc(packages, func(p listed) bool { return p.ImportPath == want && p.Module != nil && len(p.GoFiles) > 0 }) {
			t.Errorf("%s is no part of the code", want)
		}
	}
	if code, err := Code(t.Context()); err != nil || len(code) != 16 {
		t.Errorf("%q, %v", code, err)
	}
}
