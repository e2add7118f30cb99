package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// source is a file of Go that is no test. Rules share it: none may change it.
type source struct {
	path string // with slashes
	set  *token.FileSet
	file *ast.File
}

func (s source) line(n ast.Node) int { return s.set.Position(n.Pos()).Line }

// parsed is the one walk of all rules that read syntax.
var parsed = sync.OnceValues(func() (all []source, err error) {
	set := token.NewFileSet()
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		all = append(all, source{filepath.ToSlash(path), set, file})
		return err
	})
	return all, err
})

// sources are all files of Go that are no tests, with those of nested modules.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 500 {
		t.Fatalf("%d files found: is the walk complete?", len(all))
	}
	return all
}
