package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/internal/stage"
)

// tests are the tests of a stage in one package.
type tests struct {
	folder   string // with slashes, relative to the root
	tests    []string
	programs bool // they run some whose sources they do not look at: the cache of go test would be wrong
}

// find returns the tests of each stage in the main module, by package.
func find(root string) (map[stage.Name][]tests, error) {
	all := map[stage.Name][]tests{}
	helpers := map[string]bool{} // folders where files without tests run programs
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") || isModule(path)):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		programs, tested := runs(parsed), false
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			tested = true
			for _, name := range needs(f) {
				all[name] = add(all[name], folder, f.Name.Name, programs)
			}
		}
		helpers[folder] = helpers[folder] || programs && !tested
		return nil
	})
	for _, packages := range all {
		for i := range packages {
			packages[i].programs = packages[i].programs || helpers[packages[i].folder]
		}
	}
	return all, err
}

func isModule(folder string) bool {
	found, _ := filepath.Glob(filepath.Join(folder, "go.mod"))
	return len(found) > 0
}

// runs reports whether a file of tests runs programs and looks at no sources of theirs.
func runs(file *ast.File) bool {
	looks := false
	ast.Inspect(file, func(n ast.Node) bool {
		of, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := of.X.(*ast.Ident)
		looks = looks || ok && x.Name == "stage" && (of.Sel.Name == "Sources" || of.Sel.Name == "LooksAt")
		return true
	})
	return !looks && slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"os/exec"` })
}

func add(to []tests, folder, test string, programs bool) []tests {
	for i := range to {
		if to[i].folder == folder {
			to[i].programs = to[i].programs || programs
			if !slices.Contains(to[i].tests, test) {
				to[i].tests = append(to[i].tests, test)
			}
			return to
		}
	}
	return append(to, tests{folder: folder, tests: []string{test}, programs: programs})
}

// needs returns the stages that a test names itself: stage.Needs(t, stage.Kills) or stage.Runs(stage.Kills).
func needs(f *ast.FuncDecl) (names []stage.Name) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		of, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || of.Sel.Name != "Needs" && of.Sel.Name != "Runs" {
			return true
		}
		if x, ok := of.X.(*ast.Ident); !ok || x.Name != "stage" {
			return true
		}
		if s, ok := call.Args[len(call.Args)-1].(*ast.SelectorExpr); ok {
			for _, one := range stage.All {
				if strings.EqualFold(s.Sel.Name, string(one)) {
					names = append(names, one)
				}
			}
		}
		return true
	})
	return names
}
