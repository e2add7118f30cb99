// Command race prints the packages that share memory between goroutines, for the race
// detector. It finds them in the source, so that new and moved packages are included:
//
//   - packages whose files, tests included, start goroutines or import sync,
//     sync/atomic or golang.org/x/sync;
//   - packages that net/http or log/slog call from goroutines of their own;
//   - packages that call those of ours that start goroutines for a caller's function.
//
// A package of tests alone, such as internal/house, has no memory of its own to share.
//
// Usage: go test -race -short $(go run ./scripts/race)
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

type listed struct {
	Dir, ImportPath                                              string
	GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports                           []string
}

func main() {
	paths, err := sharing(append([]string{"./..."}, os.Args[1:]...))
	if err != nil {
		fmt.Fprintln(os.Stderr, "race:", err)
		os.Exit(1)
	}
	fmt.Println(strings.Join(paths, "\n"))
}

func sharing(patterns []string) ([]string, error) {
	out, err := exec.Command("go", append([]string{"list", "-json"}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
	shares, parallel := map[string]bool{}, map[string]bool{}
	for _, p := range packages {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.TestGoFiles, p.XTestGoFiles) {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				return nil, err
			}
			starts, imports := starts(file), importsShared(file)
			shares[p.ImportPath] = shares[p.ImportPath] || starts || imports
			if !strings.HasSuffix(name, "_test.go") && (starts || imports) && takesFunction(file) {
				parallel[p.ImportPath] = true
			}
		}
	}
	var paths []string
	for _, p := range packages {
		calls := slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports), func(path string) bool { return parallel[path] })
		tested := len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 && len(p.GoFiles) > 0
		if tested && (shares[p.ImportPath] || calls) {
			paths = append(paths, p.ImportPath)
		}
	}
	if len(paths) == 0 {
		return nil, errors.New("no package shares memory: the search is broken")
	}
	return paths, nil
}

// starts reports whether a file has a go statement.
func starts(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		_, ok := n.(*ast.GoStmt)
		found = found || ok
		return !found
	})
	return found
}

// importsShared reports whether a file imports a package that locks memory or
// calls from several goroutines.
func importsShared(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
		path, _ := strconv.Unquote(i.Path.Value)
		return slices.Contains([]string{"sync", "sync/atomic", "net/http", "log/slog"}, path) || strings.HasPrefix(path, "golang.org/x/sync/")
	})
}

// takesFunction reports whether a file declares an exported function with a
// parameter that is a function.
func takesFunction(file *ast.File) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Name.IsExported() && f.Recv == nil && slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
			_, ok := p.Type.(*ast.FuncType)
			return ok
		})
	})
}
