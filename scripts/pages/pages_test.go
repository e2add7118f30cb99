package main

import (
	"errors"
	"github.com/sotto-dp/sotto/internal/stage"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const root = "../.."

// load returns a page of the repository.
func load(t *testing.T, file string) page {
	markdown, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name, err := filepath.Rel(root, file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse(filepath.ToSlash(name), string(markdown))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCommandsOfPages(t *testing.T) {
	stage.Needs(t, stage.Documents) // runs the commands of all pages
	files, err := pagesOf(root)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRunner(t.Context(), root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, file := range files {
		for _, b := range load(t, file).blocks {
			if b.runs(false, false) {
				blocks++
			}
		}
	}
	if blocks < 50 {
		t.Errorf("only %d blocks of docs run", blocks)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) {
			t.Parallel()
			p := load(t, file)
			if !slices.ContainsFunc(p.blocks, func(b block) bool { return b.runs(false, false) }) {
				return // its marks say what runs it
			}
			if err := r.run(t.Context(), p); errors.Is(err, errNoCheckout) {
				t.Skip(err)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// eachBlock calls f with the blocks of all pages and of the README.
func eachBlock(t *testing.T, f func(file string, b block)) {
	t.Helper()
	files, err := pagesOf(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, filepath.Join(root, "README.md")) {
		for _, b := range load(t, file).blocks {
			f(file, b)
		}
	}
}

func TestTargetsOfPagesExist(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	eachBlock(t, func(file string, b block) {
		if b.target == "" {
			return
		}
		seen++
		if !strings.Contains(string(makefile), "\n"+b.target+":") {
			t.Errorf("%s:%d: the Makefile has no target %q", file, b.line, b.target)
		}
	})
	if seen < 5 {
		t.Errorf("only %d blocks name a target", seen)
	}
}

func TestBlocksOfGoAreExamples(t *testing.T) {
	seen := 0
	eachBlock(t, func(file string, b block) {
		if b.example == "" {
			return
		}
		seen++
		source, function, _ := strings.Cut(b.example, " ")
		if body := bodyOf(t, filepath.Join(root, source), function); !strings.Contains(body, b.text) {
			t.Errorf("%s:%d: these are no lines of %s in %s, which are\n%s", file, b.line, function, source, body)
		}
	})
	if seen == 0 {
		t.Error("no block of Go was found")
	}
}

// bodyOf returns the statements of an example, which go test runs, indented by one less, or
// a whole file.
func bodyOf(t *testing.T, file, name string) (body string) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if name == "file" {
		return string(source)
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			for line := range strings.Lines(string(source[files.Position(f.Body.Lbrace).Offset+2 : files.Position(f.Body.Rbrace).Offset])) {
				body += strings.TrimPrefix(line, "\t")
			}
			return body
		}
	}
	t.Fatalf("%s has no function %s", file, name)
	return ""
}

// wide are the longest lines of pages, in characters. Tables and shown outputs cannot be
// broken.
const wide = 120

// generated pages have the lines of their sources.
var generated = []string{"mechanisms.md"}

func TestLinesOfPagesAreShort(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", filepath.Join("docs", "README.md")} {
		files = append(files, filepath.Join(root, name))
	}
	for _, file := range files {
		if slices.Contains(generated, filepath.Base(file)) {
			continue
		}
		markdown, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		output := false // in a fence that shows what is printed
		for i, line := range strings.Split(string(markdown), "\n") {
			if f := fence.FindStringSubmatch(line); f != nil {
				output = f[2] == "console" || f[2] == "text"
			}
			if n := utf8.RuneCountInString(line); n > wide && !output && !strings.HasPrefix(strings.TrimSpace(line), "|") {
				t.Errorf("%s:%d: the line has %d characters, at most %d", file, i+1, n, wide)
			}
		}
	}
}
