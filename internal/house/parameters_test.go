package house

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// namesOfParameters are the places outside the declarations that have the name of a
// parameter, a folder or a package with the name, each with what it means there.
var namesOfParameters = map[string]string{
	"lab":                                    "its plans and experiments are about named parameters",
	"scripts/documents":                      "measures a named member",
	"mechanism/catalog neighbours":           "the member",
	"mechanism/catalog outputs":              "the size that bounds another parameter",
	"mechanism/catalog classes":              "the member",
	"mechanism/internal/additive dimensions": "of the table",
	"mechanism/internal/channel t":           "a figure in force: what the weights fall by",
	"mechanism/internal/channel gamma":       "a figure in force, which temGamma can set",
	"mechanism/internal/weight gamma":        "a figure of the weights, which temGamma can set",
	"mechanism/catalog codebook":             "a value of the parameter form",
	"mechanism/catalog gamma":                "a figure in force: the height of the cap",
	"beam/sottobeam noise":                   "a stream of random numbers",
	"cmd/sotto/internal/risk codebook":       "a field of an answer",
	"mechanism/packing t":                    "a figure in force: what the weights fall by",
	"mechanism/internal/metrics metric":      "the declaration, whose name metrics need before it",
	"mechanism/internal/oracle dimensions":   "of a drawn table",
	"audit metric":                           "a notion of loss",
	"audit dimensions":                       "an axis",
	"internal/gen/parameters":                "writes the flags and fields of parameters, beside those that every command has",
	"internal/textcap delta":                 "of a document",
	"cmd/sotto/internal/risk attack":         "a figure to reach",
	"tune attack":                            "a figure to reach",
	"attack channel":                         "a stage of progress",
	"cmd/sotto/internal/risk neighbours":     "a column of a table",
	"cmd/sotto/internal/server outputs":      "a field of an answer",
	"cmd/sotto/internal/server/openapi root": "the route /",
	"cmd/sotto gap":                          "a variable of help texts",
}

// importsMechanisms reports whether a file can have to do with parameters.
func importsMechanisms(path string, file *ast.File) bool {
	const module = "github.com/sotto-dp/sotto"
	for _, spec := range file.Imports {
		if name := strings.Trim(spec.Path.Value, `"`); name == module || strings.HasPrefix(name, module+"/mechanism") {
			return true
		}
	}
	return strings.HasPrefix(path, "mechanism/")
}

// declarations returns the literals of a file that name a parameter where it is declared.
func declarations(file *ast.File) map[ast.Expr]bool {
	found := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		name := ""
		switch kind := literal.Type.(type) {
		case *ast.Ident:
			name = kind.Name
		case *ast.SelectorExpr:
			name = kind.Sel.Name
		}
		for _, element := range literal.Elts {
			field, ok := element.(*ast.KeyValueExpr)
			if !ok || name != "Parameter" {
				continue
			}
			if key, ok := field.Key.(*ast.Ident); ok && key.Name == "Name" {
				found[field.Value] = true
			}
		}
		return true
	})
	return found
}

// A parameter is known by its declaration: by the variable within its member, by its
// role elsewhere. A literal of its name is a place that a new name would have to be
// written at again.
func TestNamesOfParametersStandInTheirDeclarationsOnly(t *testing.T) {
	names := map[string]bool{}
	for _, p := range catalog.Parameters() {
		names[p.Name] = true
	}
	used, declared := map[string]bool{}, map[string]int{}
	files := eachLiteral(t, func(place literalAt) {
		switch {
		case !names[place.text] || !place.knows:
		case place.declares && strings.HasPrefix(place.path, "mechanism/"):
			declared[place.text]++
		case !place.listed(namesOfParameters, used):
			t.Errorf("%s:%d: %q is a parameter's name: take it from its declaration, or list what else it means here", place.path, place.line, place.text)
		}
	})
	for name := range names {
		if declared[name] == 0 && !used["mechanism/internal/metrics "+name] {
			t.Errorf("the declaration of %q is not found: the test has no power", name)
		}
	}
	if files < 300 {
		t.Errorf("%d files found: the test has no power", files)
	}
	for place := range namesOfParameters {
		if !used[place] {
			t.Errorf("%q is mended or gone: take it off the list", place)
		}
	}
}

// Callers find a parameter by its role: each is that of some member, and of one of its
// parameters.
func TestRolesOfParametersAreUniqueWithinAMember(t *testing.T) {
	members := map[mechanism.Role]int{}
	for _, e := range catalog.All() {
		roles := map[mechanism.Role]string{}
		for _, p := range e.Parameters {
			if p.Role == mechanism.NoRole {
				continue
			}
			if other, twice := roles[p.Role]; twice {
				t.Errorf("%s: %s and %s have one role", e.Name, other, p.Name)
			}
			roles[p.Role] = p.Name
			members[p.Role]++
		}
	}
	for role := mechanism.RoleDelta; role <= mechanism.RoleSize; role++ {
		if members[role] == 0 {
			t.Errorf("no member has a parameter of role %d", role)
		}
	}
}
