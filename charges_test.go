package sotto_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

const ledgerPath = "github.com/sotto-dp/sotto/ledger"

// madeCharges may make charges without ledger.Price, each with its reason. They are files or
// folders.
var madeCharges = map[string]string{
	"ledger/price.go":                        "it is ledger.Price",
	"ledger/lease.go":                        "budget in advance, of no claim yet",
	"ledger/price_test.go":                   "what a price must be",
	"ledger/ledgertest":                      "the contract of stores: amounts that no claim has",
	"ledger/postgres/fault_test.go":          "of a store: one unit of epsilon",
	"ledger/sqlite/fault_test.go":            "of a store: one unit of epsilon",
	"ledger/sqlite/backup_test.go":           "of a store: one unit of epsilon",
	"scripts/ledgercrash/victim.go":          "of a store: one unit of epsilon",
	"ledger/names_test.go":                   "of a store: one unit of epsilon",
	"ledger/postgres/rows.go":                "it sets the party of entries and accounts that it reads",
	"cmd/sotto/internal/server/kept_test.go": "charges of earlier versions, which named no party",
}

// A charge that is put together by hand may lack its party or its basis. Two examples did, and
// their accounts would have counted losses of another unit.
func TestOnlyPriceMakesCharges(t *testing.T) {
	stage.Unraced(t)
	used, made := map[string]bool{}, 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, at := range chargesOf(file) {
			made++
			allowed := slices.IndexFunc([]string{path, filepath.Dir(path)}, func(name string) bool { return madeCharges[filepath.ToSlash(name)] != "" })
			if allowed < 0 {
				t.Errorf("%s makes a charge by hand: use ledger.Price", set.Position(at))
				continue
			}
			used[filepath.ToSlash([]string{path, filepath.Dir(path)}[allowed])] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range madeCharges {
		if !used[name] {
			t.Errorf("%s makes no charge: remove it from the list", name)
		}
	}
	if made < 10 {
		t.Errorf("%d charges were found", made)
	}
	for source, want := range map[string]int{
		`package a; import "github.com/sotto-dp/sotto/ledger"; var c = ledger.Charge{Account: "a"}`:                             1,
		`package a; import l "github.com/sotto-dp/sotto/ledger"; var c = []l.Charge{{Account: "a"}}`:                            1,
		`package a; import "github.com/sotto-dp/sotto/ledger"; func f(c *ledger.Charge) { c.Party.Unit = "" }`:                  1,
		`package a; import "github.com/sotto-dp/sotto/ledger"; func f() (ledger.Charge, error) { return ledger.Charge{}, nil }`: 0,
		`package ledger; var c = &Charge{Cost: a}`:                                                                              1,
		`package a; type Charge struct{}; var c = Charge{}; func f() { c.Party = 1 }`:                                           0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(chargesOf(file)); got != want {
			t.Errorf("%s: %d charges, want %d", source, got, want)
		}
	}
}

// chargesOf returns where a file makes charges: literals of ledger.Charge with fields, alone
// or in a list, and assignments to a party. An empty literal, which errors go with, charges
// nothing.
func chargesOf(file *ast.File) (found []token.Pos) {
	name := "" // of the package, in the file
	for _, i := range file.Imports {
		if path, _ := strconv.Unquote(i.Path.Value); path == ledgerPath {
			if name = "ledger"; i.Name != nil {
				name = i.Name.Name
			}
		}
	}
	inside := file.Name.Name == "ledger"
	if name == "" && !inside {
		return nil
	}
	isCharge := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return inside && e.Name == "Charge"
		case *ast.SelectorExpr:
			x, ok := e.X.(*ast.Ident)
			return ok && x.Name == name && e.Sel.Name == "Charge"
		}
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			element := n.Type
			switch of := n.Type.(type) {
			case *ast.ArrayType:
				element = of.Elt
			case *ast.MapType:
				element = of.Value
			}
			if isCharge(element) && len(n.Elts) > 0 {
				found = append(found, n.Pos())
			}
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				for !inside {
					s, ok := to.(*ast.SelectorExpr)
					if !ok {
						break
					}
					if s.Sel.Name == "Party" {
						found = append(found, s.Pos())
					}
					to = s.X
				}
			}
		}
		return true
	})
	return found
}
