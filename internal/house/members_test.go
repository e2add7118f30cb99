package house

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// namesOfMembers are the places outside the catalogue that may name a mechanism, as a
// folder or a package with the name, each with its reason.
var namesOfMembers = map[string]string{
	"lab":                                    "its plans and experiments are about named members",
	"scripts":                                "measure named members",
	"mechanism/packing":                      "a channel file says which member it is for; errors name it",
	"cmd/sotto/internal/risk neighbours":     "a column of a table, not the member",
	"learn neighbours":                       "a setting of a report, not the member",
	"privacy/shuffle neighbours":             "the size of the sets, not the member",
	"privacy/accountant gaussian":            "a way of composition, not the member",
	"mechanism/internal/metrics mahalanobis": "a metric, not the member",
	"learn classes":                          "the labels of a classifier, not the member",
}

var tagDefault = regexp.MustCompile(`default:"([^"]*)"`)

// Anything that depends on a mechanism's name is a field of its entry. A literal
// elsewhere is a place that would need a change for a new mechanism.
func TestNamesOfMembersStandInTheCatalogueOnly(t *testing.T) {
	names := map[string]bool{}
	for _, e := range catalog.All() {
		names[e.Name] = true
	}
	used, inCatalogue := map[string]bool{}, 0
	files := eachLiteral(t, func(place literalAt) {
		if !names[place.text] {
			return
		}
		if strings.HasPrefix(place.path, "mechanism/catalog/") {
			inCatalogue++
			return
		}
		if !place.listed(namesOfMembers, used) {
			t.Errorf("%s:%d: %q is a member's name: make what depends on it a field of mechanism.Entry", place.path, place.line, place.text)
		}
	})
	if inCatalogue < len(names) || files < 300 {
		t.Errorf("%d names in the catalogue and %d files found: the test has no power", inCatalogue, files)
	}
	for place := range namesOfMembers {
		if !used[place] {
			t.Errorf("%q is mended or gone: take it off the list", place)
		}
	}
}

// literalAt is a string literal of the code outside tests.
type literalAt struct {
	path     string
	line     int
	text     string
	declares bool // it is the name of a composite literal of type Parameter
	knows    bool // its file imports a package of mechanisms, or package sotto
}

// listed reports whether a list of places, a folder or a file with the text, has the
// literal, and marks the place as used.
func (l literalAt) listed(places map[string]string, used map[string]bool) bool {
	for place, reason := range places {
		if reason != "" && (path.Dir(l.path)+" "+l.text == place || strings.HasPrefix(l.path, place+"/")) {
			used[place] = true
			return true
		}
	}
	return false
}

// eachLiteral visits the string literals of all files except tests, and returns the
// number of files.
func eachLiteral(t *testing.T, visit func(literalAt)) (files int) {
	all := sources(t)
	for _, s := range all {
		declares, knows := declarations(s.file), importsMechanisms(s.path, s.file)
		ast.Inspect(s.file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Error(err)
			}
			if found := tagDefault.FindStringSubmatch(text); found != nil && literal.Value[0] == '`' {
				text = found[1]
			}
			visit(literalAt{s.path, s.line(literal), text, declares[literal], knows})
			return true
		})
	}
	return len(all)
}
