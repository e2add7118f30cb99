package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// mostInstanced bounds the methods of generic types that a package compiles because it
// imports a type.
const mostInstanced = 12

// Whoever imports a type reads its fields and the signatures of its methods, of unexported
// ones too, and theirs in turn. A package that so comes upon an instance of a generic type
// compiles all methods of that instance, however many packages have done it before. Behind
// an interface or in the body of a function an instance is not read.
func TestImportersCompileFewGenericMethods(t *testing.T) {
	all, err := publicPackages()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range all {
		for _, name := range p.Scope().Names() {
			object, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || !object.Exported() {
				continue
			}
			r := reading{}
			r.read(object.Type())
			seen += len(r)
			if methods, of := r.instances(); methods > mostInstanced {
				t.Errorf("%s.%s: whoever imports it compiles %d methods of generic types, at most %d: %s", below(p.Path()), name, methods, mostInstanced, strings.Join(of, ", "))
			}
		}
	}
	if seen < 1000 {
		t.Errorf("%d types were read", seen)
	}
}

// reading is what the compiler reads of a type.
type reading map[types.Type]bool

func (r reading) read(t types.Type) {
	if r[t] {
		return
	}
	r[t] = true
	switch t := t.(type) {
	case *types.Named:
		r.read(t.Underlying())
		for m := range t.Methods() {
			r.read(m.Type())
		}
	case *types.Signature:
		r.read(t.Params())
		r.read(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			r.read(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			r.read(f.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			r.read(m.Type())
		}
	case *types.Alias:
		r.read(types.Unalias(t))
	case *types.Map:
		r.read(t.Key())
		r.read(t.Elem())
	case interface{ Elem() types.Type }:
		r.read(t.Elem())
	}
}

// instances returns the number of methods of the instances of generic types that were read,
// except for those of the standard library, and their names.
func (r reading) instances() (methods int, names []string) {
	for t := range r {
		named, ok := t.(*types.Named)
		if !ok || named.TypeArgs().Len() == 0 || !strings.Contains(named.Obj().Pkg().Path(), ".") {
			continue
		}
		if name := named.String(); named.NumMethods() > 0 && !slices.Contains(names, name) {
			methods, names = methods+named.NumMethods(), append(names, name)
		}
	}
	slices.Sort(names)
	return methods, names
}

func TestGenericMethodsThatImportersCompileAreFound(t *testing.T) {
	const source = `package p

type generic[T any] struct{}

func (generic[T]) do() {}

type Holder struct{ held []*generic[int] }

type Hider struct{ held interface{ do() } }
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("example.com/p", set, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"Holder": 1, "Hider": 0} {
		r := reading{}
		r.read(p.Scope().Lookup(name).Type())
		if methods, names := r.instances(); methods != want {
			t.Errorf("%s: %d methods were found, of %v, want %d", name, methods, names, want)
		}
	}
}
