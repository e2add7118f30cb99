package provenance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// constant finds statements that a result costs no privacy. They are true of some inputs
// only, so they come from Inputs.Of and are written nowhere else.
var constant = regexp.MustCompile(`(?i)\bno\s+(further\s+|more\s+|extra\s+)?(privacy|epsilon)\s+(is\s+|was\s+)?(spent|lost|used|consumed)` +
	`|\b(spend|cost|use|consume|lose|need|take)s?\s+(no|nothing\s+of)\s+(further\s+|more\s+|extra\s+)?(privacy|epsilon)` +
	`|\b(privacy|epsilon)\s+(is|was)\s+(not\s+|never\s+)?spent` +
	`|\bpost-?processing\b|\bnothing\s+private\b|\bprivacy-free\b|\bfree\s+of\s+privacy\b`)

// searched reports whether a file of the repository has sentences that users read.
func searched(path string) bool {
	switch filepath.Ext(path) {
	case ".go":
		return !strings.HasSuffix(path, "_test.go")
	case ".py", ".pyi", ".html", ".tmpl":
		return true
	}
	return strings.HasPrefix(filepath.ToSlash(path), "cmd/sotto/internal/grammar/topics/")
}

// stringsOf returns the strings that a file of Go holds, sums of literals as one.
func stringsOf(t *testing.T, data []byte) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var folded func(n ast.Expr) string
	folded = func(n ast.Expr) string {
		switch e := n.(type) {
		case *ast.BasicLit:
			if e.Kind == token.STRING {
				s, err := strconv.Unquote(e.Value)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
		case *ast.BinaryExpr:
			return folded(e.X) + folded(e.Y)
		case *ast.ParenExpr:
			return folded(e.X)
		}
		return "\x00"
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			found = append(found, folded(e))
		}
		return true
	})
	return found
}

// What a result reveals follows from what was read, so no sentence of that kind is a
// constant of a command, a library, the service or the Python package.
func TestNoSentenceOfPrivacyIsAConstant(t *testing.T) {
	files := 0
	err := fs.WalkDir(os.DirFS("../.."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"testdata", "node_modules", "dist", "build", "docs", "scripts", "tools"}, d.Name()) || path == "privacy/provenance") {
				return fs.SkipDir
			}
			return nil
		}
		if !searched(path) {
			return nil
		}
		files++
		data, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			return err
		}
		in := []string{string(data)}
		if filepath.Ext(path) == ".go" {
			in = stringsOf(t, data)
		}
		for _, s := range in {
			if at := constant.FindString(s); at != "" {
				t.Errorf("%s: %q is a constant: take the sentence from what was read, by Inputs.Of", path, at)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files searched", files)
	}
}

func TestConstantSentencesAreRecognised(t *testing.T) {
	for _, s := range []string{
		"post-processing of a release: no privacy spent", "Figures of public texts: no privacy is spent.", "it spends no privacy", "costs no epsilon",
		"no further privacy is spent", "Postprocessing", "No\n    privacy is lost", "nothing private was read",
	} {
		if !constant.MatchString(s) {
			t.Errorf("%q passes", s)
		}
	}
	for _, s := range stringsOf(t, []byte("package p\nvar s = \"no privacy\" + (\" is \" + \"spent\")\n")) {
		if constant.MatchString(s) {
			return
		}
	}
	t.Error("a sum of strings passes")
}
