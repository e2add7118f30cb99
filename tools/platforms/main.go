// Command platforms type-checks packages and their tests for other platforms. A fault of one
// platform alone is one of files, names, types or sizes of integers, which a compiler reports before
// it makes any code. Nothing is compiled, so a platform takes seconds instead of minutes.
//
//	platforms windows/amd64 linux/386=./typed,./text
//
// Of packages of other modules it checks the declarations.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := len(os.Args) == 1
	for _, argument := range os.Args[1:] {
		platform, patterns, given := strings.Cut(argument, "=")
		if !given {
			patterns = "./..."
		}
		checked, faults, err := check(platform, strings.Split(patterns, ","))
		if err != nil {
			faults = []string{err.Error()}
		}
		for _, f := range faults {
			fmt.Fprintf(os.Stderr, "platforms: %s: %s\n", platform, f)
		}
		failed = failed || len(faults) > 0
		fmt.Printf("%s: %d packages\n", platform, checked)
	}
	if failed {
		os.Exit(1)
	}
}

// check returns the number of packages and what is wrong with them on a platform.
func check(platform string, patterns []string) (checked int, faults []string, err error) {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return 0, nil, fmt.Errorf("name a platform as OS/ARCH, such as windows/amd64")
	}
	cfg := &packages.Config{
		Mode:  packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps,
		Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
		Tests: true,
	}
	// What the patterns match is known before it is parsed, so that only its functions are.
	listed, err := packages.Load(cfg, patterns...)
	if err != nil {
		return 0, nil, err
	}
	own, files := map[string]bool{}, map[string]bool{}
	for _, p := range listed {
		own[p.ID] = true
		for _, name := range p.CompiledGoFiles {
			files[name] = true
		}
	}
	cfg.Mode |= packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax
	cfg.ParseFile = func(set *token.FileSet, name string, source []byte) (*ast.File, error) {
		file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
		if file != nil && !files[name] {
			dropBodies(file)
		}
		return file, err
	}
	roots, err := packages.Load(cfg, patterns...)
	if err != nil {
		return 0, nil, err
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			// Without bodies, imports are unused and functions miss them.
			if own[p.ID] || e.Kind != packages.TypeError {
				faults = append(faults, e.Error())
			}
		}
	})
	return len(own), faults, nil
}

func dropBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}
