package house

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// maxPositional is the number of parameters, besides the context, that a caller can keep
// in order. More belong into a struct.
const maxPositional = 4

func TestExportedFunctionsTakeFewParameters(t *testing.T) {
	eachExported(t, func(name string, of types.Object) {
		f, ok := of.(*types.Func)
		if !ok {
			return
		}
		if n := positional(f.Signature().Params()); n > maxPositional {
			t.Errorf("%s takes %d positional parameters, at most %d", name, n, maxPositional)
		}
	})
}

// mostRootNames bounds what a reader of the root package meets: functions, types, constants,
// variables, and methods.
const mostRootNames = 90

func TestRootHasFewNames(t *testing.T) {
	var names []string
	eachExported(t, func(name string, _ types.Object) {
		if strings.HasPrefix(name, ".") {
			names = append(names, name[1:])
		}
	})
	for name := range aliases {
		if strings.HasPrefix(name, ".") {
			names = append(names, name[1:])
		}
	}
	if len(names) > mostRootNames || len(names) < 20 {
		t.Errorf("the root package has %d exported names, at most %d: %s", len(names), mostRootNames, strings.Join(names, " "))
	}
}

// positional counts parameters other than the context.
func positional(params *types.Tuple) int {
	n := 0
	for v := range params.Variables() {
		if v.Type().String() != "context.Context" {
			n++
		}
	}
	return n
}

// A type that an exported declaration uses must be one that a caller can write
// down: to declare a variable or a parameter, or to implement an interface.
func TestExportedDeclarationsUseTypesThatCallersCanName(t *testing.T) {
	eachExported(t, func(name string, of types.Object) {
		for _, hidden := range unnameable(of.Type()) {
			t.Errorf("%s uses %s, which callers cannot name", name, hidden)
		}
	})
}

// unnameable lists the named types of a declaration that are unexported or of an
// internal package.
func unnameable(t types.Type) []string {
	switch t := t.(type) {
	case *types.Alias:
		return hidden(t.Obj(), t.TypeArgs())
	case *types.Named:
		return hidden(t.Obj(), t.TypeArgs())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels, maps
		found := unnameable(t.Elem())
		if m, ok := t.(*types.Map); ok {
			found = append(found, unnameable(m.Key())...)
		}
		return found
	case *types.Signature:
		return append(unnameable(t.Params()), unnameable(t.Results())...)
	case *types.Tuple:
		var found []string
		for v := range t.Variables() {
			found = append(found, unnameable(v.Type())...)
		}
		return found
	case *types.Struct:
		var found []string
		for f := range t.Fields() {
			if f.Exported() {
				found = append(found, unnameable(f.Type())...)
			}
		}
		return found
	}
	return nil
}

func hidden(of *types.TypeName, arguments *types.TypeList) []string {
	var found []string
	for t := range arguments.Types() {
		found = append(found, unnameable(t)...)
	}
	if of.Pkg() != nil && (!of.Exported() || isInternal(of.Pkg().Path())) {
		found = append(found, of.Pkg().Path()+"."+of.Name())
	}
	return found
}

func isInternal(path string) bool { return strings.Contains("/"+path+"/", "/internal/") }

// aliases are the exported aliases that eachExported has met, by name. It visits none of them.
var aliases = map[string]bool{}

// eachExported calls call for everything that users of the module's packages reach:
// functions, variables, constants, types with their contents, their exported methods, and
// the methods of interfaces.
func eachExported(t *testing.T, call func(name string, of types.Object)) {
	t.Helper()
	reached := 0
	visit := func(name string, of types.Object) {
		if of.Exported() {
			reached++
			call(name, of)
		}
	}
	packages, err := publicPackages()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range packages {
		scope := pkg.Scope()
		for _, n := range scope.Names() {
			object := scope.Lookup(n)
			name := strings.TrimPrefix(pkg.Path(), "github.com/sotto-dp/sotto") + "." + n
			declared, ok := object.(*types.TypeName)
			if !ok || !object.Exported() {
				visit(name, object)
				continue
			}
			if declared.IsAlias() {
				aliases[name] = true
			}
			named, ok := declared.Type().(*types.Named)
			if !ok {
				continue
			}
			visit(name, types.NewVar(declared.Pos(), pkg, n, named.Underlying()))
			for m := range named.Methods() {
				visit(name+"."+m.Name(), m)
			}
			if i, ok := named.Underlying().(*types.Interface); ok {
				for m := range i.ExplicitMethods() {
					visit(name+"."+m.Name(), m)
				}
			}
		}
	}
	if reached < 300 {
		t.Errorf("only %d exported declarations found", reached)
	}
}

// publicPackages returns the packages of this module that others can import,
// from the compiler's export data.
var publicPackages = sync.OnceValues(func() ([]*types.Package, error) {
	command := exec.Command("go", "list", "-export", "-deps", "-f", `{{.ImportPath}}|{{.Export}}|{{.Name}}|{{with .Module}}{{.Main}}{{end}}|{{len .GoFiles}}`, "./...")
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, problems.String())
	}
	exports, public := map[string]string{}, []string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		exports[fields[0]] = fields[1]
		if fields[3] == "true" && fields[2] != "main" && fields[4] != "0" && !isInternal(fields[0]) { // some have tests alone
			public = append(public, fields[0])
		}
	}
	load := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	var packages []*types.Package
	for _, path := range public {
		pkg, err := load.Import(path)
		if err != nil {
			return nil, err
		}
		packages = append(packages, pkg)
	}
	return packages, nil
})
