package house

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// arrow is a file that uses what another file of its package declares.
type arrow struct{ from, to string }

// The files of a package can be read in an order in which each uses those after it, except for a tenth of the arrows, or
// one where there are few. Which order that is does not matter: it is the best that is found.
func TestFilesUseWhatIsBelowThem(t *testing.T) {
	all, exports, err := exported()
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	from := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	seen, arrows := 0, 0
	for _, p := range all {
		between, err := arrowsOf(p, set, from)
		if err != nil {
			t.Fatalf("%s: %v", p.ImportPath, err)
		}
		seen, arrows = seen+1, arrows+len(between)
		back := runningBack(between)
		most := max(1, len(between)/10)
		if len(back) > most {
			t.Errorf("%s: %d of %d arrows between its files run back up, at most %d: move what they use to where it belongs: %v", p.path(), len(back), len(between), most, back)
		}
	}
	if seen < 100 || arrows < 1500 {
		t.Errorf("%d packages and %d arrows were looked at", seen, arrows)
	}
}

func TestArrowsBackUpAreFound(t *testing.T) {
	for _, c := range []struct {
		between []arrow
		want    int
	}{
		{[]arrow{{"a", "b"}, {"b", "c"}, {"a", "c"}}, 0},
		{[]arrow{{"a", "b"}, {"b", "c"}, {"c", "a"}}, 1},
		{[]arrow{{"a", "b"}, {"b", "a"}, {"c", "d"}, {"d", "c"}}, 2},
	} {
		if got := runningBack(c.between); len(got) != c.want {
			t.Errorf("%v: %v run back up, want %d", c.between, got, c.want)
		}
	}
}

// exported lists the packages of the core, and where the compiler left what each package that they use exports.
func exported() (all []pkg, exports map[string]string, err error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Dir,GoFiles,Export,DepOnly", "./...").Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	exports = map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			pkg
			Export  string
			DepOnly bool
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, exports, nil
		} else if err != nil {
			return nil, nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			all = append(all, p.pkg)
		}
	}
}

// arrowsOf returns the arrows between the files of a package: those of the types, functions, variables and methods
// that they name. Fields follow their types.
func arrowsOf(p pkg, set *token.FileSet, from types.Importer) ([]arrow, error) {
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	checked, err := (&types.Config{Importer: from}).Check(p.ImportPath, set, files, info)
	if err != nil {
		return nil, err
	}
	name := func(at token.Pos) string { return filepath.Base(set.Position(at).Filename) }
	found := map[arrow]bool{}
	for used, object := range info.Uses {
		if v, ok := object.(*types.Var); object.Pkg() != checked || ok && v.IsField() {
			continue
		}
		if f, ok := object.(*types.Func); ok {
			object = f.Origin()
		}
		if a := (arrow{name(used.Pos()), name(object.Pos())}); a.from != a.to {
			found[a] = true
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) }), nil
}

// runningBack returns the arrows that run back up in the best order of the files that is found, from several
// first ones.
func runningBack(between []arrow) (least []arrow) {
	names := map[string]bool{}
	for _, a := range between {
		names[a.from], names[a.to] = true, true
	}
	order := slices.Sorted(maps.Keys(names))
	least = between
	for range 2 {
		for turn := range order {
			turned := settle(slices.Concat(order[turn:], order[:turn]), between)
			back := slices.DeleteFunc(slices.Clone(between), func(a arrow) bool {
				return slices.Index(turned, a.from) < slices.Index(turned, a.to)
			})
			if len(back) < len(least) {
				least = back
			}
		}
		slices.Reverse(order)
	}
	return least
}

// settle moves one file after another to where the fewest arrows run back up.
func settle(order []string, between []arrow) []string {
	uses := map[arrow]int{}
	for _, a := range between {
		uses[a] = 1
	}
	for moved := true; moved; {
		moved = false
		for i, file := range order {
			best, to := 0, i
			for _, step := range []int{-1, 1} {
				change := 0
				for j := i + step; j >= 0 && j < len(order); j += step {
					// Past a file above it goes what that file uses of it; past one below, what it uses of that.
					change += step * (uses[arrow{file, order[j]}] - uses[arrow{order[j], file}])
					if change < best {
						best, to = change, j
					}
				}
			}
			if to != i {
				order, moved = slices.Insert(slices.Delete(order, i, i+1), to, file), true
			}
		}
	}
	return order
}
