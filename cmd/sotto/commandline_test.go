package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// ownParsers lists what reads or runs a command line in another way than the program does:
// a parser or a grammar of its own, and in tests a command whose flags were set by hand.
func ownParsers(fset *token.FileSet, file *ast.File, test bool) (found []string) {
	for _, declared := range file.Decls {
		within := ""
		if f, ok := declared.(*ast.FuncDecl); ok {
			within = f.Name.Name
		}
		ast.Inspect(declared, func(n ast.Node) bool {
			fault := ""
			switch n := n.(type) {
			case *ast.CallExpr:
				switch f := n.Fun.(type) {
				case *ast.SelectorExpr:
					of, _ := f.X.(*ast.Ident)
					switch {
					case of != nil && of.Name == "kong" && slices.Contains([]string{"New", "Must", "Parse"}, f.Sel.Name) && within != "newParser":
						fault = "a parser beside newParser"
					case of != nil && of.Name == "grammar" && f.Sel.Name == "Define" && within != "init":
						fault = "a grammar beside the program's"
					case test && f.Sel.Name == "Run" && len(n.Args) > 0 && (of == nil || !slices.Contains([]string{"t", "b", "testscript"}, of.Name)):
						fault = "a command that is run without its command line"
					}
				case *ast.Ident:
					if f.Name == "newParser" && within != "Parse" && within != "Commands" {
						fault = "a parser beside Parse"
					}
				}
			case *ast.Ident:
				if n.Name == "allCommands" && within != "init" && within != "" {
					fault = "a grammar beside grammar"
				}
			}
			if fault != "" {
				found = append(found, fset.Position(n.Pos()).String()+": "+fault)
			}
			return true
		})
	}
	return found
}

// libraries are the packages that know no command.
var libraries = []string{"complete", "manual", "server", "worker"}

// sources returns the Go files of the program and of the packages of its commands.
func sources(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.go", "internal/*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files: %v", pattern, len(found), err)
		}
		names = append(names, found...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(libraries, filepath.Base(filepath.Dir(name))) })
}

func TestCommandLinesAreParsedInOnePlace(t *testing.T) {
	stage.Unraced(t)
	for _, name := range sources(t) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range ownParsers(fset, file, len(name) > 8 && name[len(name)-8:] == "_test.go") {
			t.Errorf("%s: call Parse, Invoke or Commands of grammar", fault)
		}
	}
	// Each way around must be found.
	for _, body := range []string{
		`kong.New(grammar(args))`, `kong.Must(&c)`, `kong.Parse(&c)`, `newParser(args, term)`, `grammar.Define(one, nil)`, `var c allCommands`, `_ = new(allCommands)`, `_ = &allCommands{}`,
		`c.Run(t.Context(), term)`, `healthCmd{URL: url}.Run(t.Context(), nil)`, `(&healthCmd{}).Run(ctx, nil)`,
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "x_test.go", "package main\nfunc TestX(t *testing.T) {\n"+body+"\n}", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if len(ownParsers(fset, file, true)) == 0 {
			t.Errorf("%s is not found", body)
		}
	}
}
