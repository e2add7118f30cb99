package house

import (
	"go/ast"
	"go/token"
	"testing"
)

// A function longer than this, or with more branches, does more than one thing.
const (
	maxFunctionLines      = 80
	maxFunctionComplexity = 25
)

func TestFunctionsStayShort(t *testing.T) {
	functions := 0
	for _, s := range sources(t) {
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			functions++
			lines := s.set.Position(f.End()).Line - s.line(f) + 1
			branches := complexity(f)
			if lines <= maxFunctionLines && branches <= maxFunctionComplexity {
				continue
			}
			name := s.path + ":" + f.Name.Name
			t.Errorf("%s has %d lines and complexity %d, at most %d and %d", name, lines, branches, maxFunctionLines, maxFunctionComplexity)
		}
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
