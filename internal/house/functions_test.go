package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A function longer than this, or with more branches, does more than one thing.
const (
	maxFunctionLines      = 80
	maxFunctionComplexity = 25
)

func TestFunctionsStayShort(t *testing.T) {
	functions := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != "." && strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			functions++
			lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
			branches := complexity(f)
			if lines <= maxFunctionLines && branches <= maxFunctionComplexity {
				continue
			}
			name := filepath.ToSlash(path) + ":" + f.Name.Name
			t.Errorf("%s has %d lines and complexity %d, at most %d and %d", name, lines, branches, maxFunctionLines, maxFunctionComplexity)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if functions < 1000 {
		t.Errorf("only %d functions found", functions)
	}
}

// complexity returns the cyclomatic complexity: one more than the number of
// branches, counting function literals with the function that holds them.
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
