package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// unsaid are the ends that "X must be" does not have in a sentence that a person says.
var unsaid = regexp.MustCompile(`^(given|left out|of|for|with|without|named|declared|trained|the same|absent)\b`)

// "X must be Y, got Z" is for values: numbers and choices. What is missing is privacy.Missing,
// what cannot be used privacy.Unwanted, and anything else says what is wrong and what to do.
func TestMessagesAreSentences(t *testing.T) {
	bad := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Bad" && len(n.Args) > 2 {
					bad++
					if must := firstText(n.Args[len(n.Args)-1]); unsaid.MatchString(must) {
						t.Errorf("%s: nobody says %q: use privacy.Missing, privacy.Unwanted or privacy.Wrong", set.Position(n.Pos()), "X must be "+must)
					}
				}
			case *ast.BasicLit:
				if text := firstText(n); strings.Contains(text, "must be given") || strings.Contains(text, "must be left out") {
					t.Errorf("%s: %q: say what is needed, or what cannot be used", set.Position(n.Pos()), text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if bad < 100 {
		t.Errorf("found %d messages of values: is the walk complete?", bad)
	}
}

// firstText returns the first literal of an expression, "" without one.
func firstText(e ast.Expr) (text string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && text == "" {
			text, _ = strconv.Unquote(l.Value)
		}
		return text == ""
	})
	return text
}
