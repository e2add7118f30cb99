package sotto

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/repeats"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// These tests draw as a release does, without a seed, through the ways that users take. Equal
// inputs at different places of a text, in different texts, batches, workers, calls and
// rewriters must be drawn independently. How often two draws agree by chance is bounded by
// seeded draws, which are the same in every run. The chance that a test of a way fails
// although its draws are independent is at most repeats.Chance, for each sequence of draws.

// session draws in one way: with what was opened once, a number of calls. Each call gives the
// draws for one input in sequences, by name, and each sequence is checked by itself.
type session func(call int) (map[string][]string, error)

// way is a way of drawing.
type way struct {
	open func(t *testing.T, seed *uint64) session
	// calls is the number of calls of a session; 0 is 4.
	calls int
	// same are sequences that are of the same input with about the same epsilon, and are also
	// checked one after the other.
	same []string
	// keyed reports that the way has a key in place of the secure source where reached.keyed says.
	keyed bool
}

// sequences draws unseeded: calls one after another, calls at once, and calls of another
// session. It returns the draws of all calls, and the length of a call.
func (w way) sequences(t *testing.T) (all map[string][]string, call map[string]int) {
	t.Helper()
	calls := w.calls
	if calls == 0 {
		calls = 4
	}
	outs := make([]map[string][]string, calls)
	for _, half := range [][]int{{0, calls / 2}, {calls / 2, calls}} {
		run := w.open(t, nil)
		var together sync.WaitGroup
		errs := make([]error, calls)
		for i := half[0]; i < half[1]; i++ {
			together.Add(1)
			work := func() { defer together.Done(); outs[i], errs[i] = run(i) }
			if i%2 == 0 {
				work()
			} else {
				go work()
			}
		}
		together.Wait()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	all, call = map[string][]string{}, map[string]int{}
	for _, out := range outs {
		for name, drawn := range out {
			all[name], call[name] = append(all[name], drawn...), len(drawn)
		}
	}
	return all, call
}

// check compares the unseeded draws of a way with each other.
func (w way) check(t *testing.T, name string) {
	t.Helper()
	seeds := []uint64{1, 2}
	reference := make([]map[string][]string, len(seeds))
	for i := range seeds {
		run := w.open(t, &seeds[i])
		reference[i] = map[string][]string{}
		for call := range max(1, w.calls/4) { // a call alone may be a single draw
			out, err := run(call)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for sequence, drawn := range out {
				reference[i][sequence] = append(reference[i][sequence], drawn...)
			}
		}
	}
	agree := map[string]float64{}
	for sequence, a := range reference[0] {
		agree[sequence] = repeats.Agreement(a, reference[1][sequence])
	}
	all, call := w.sequences(t)
	if len(all) == 0 || len(all) != len(agree) {
		t.Fatalf("%s: there are %d sequences of draws, with a seed %d", name, len(all), len(agree))
	}
	for sequence, drawn := range all {
		also := []int{call[sequence], unit.WordsAtOnce, unit.UnseededAtOnce}
		if err := (repeats.Draws[string]{Out: drawn, Agree: agree[sequence], Also: also}).Check(); err != nil {
			t.Errorf("%s: %s: %v", name, sequence, err)
		}
	}
	if w.same == nil {
		return
	}
	var drawn []string
	most, n := 0.0, len(all[w.same[0]])
	for _, sequence := range w.same {
		n = min(n, len(all[sequence]))
		most = max(most, agree[sequence])
	}
	for _, sequence := range w.same {
		drawn = append(drawn, all[sequence][:n]...)
	}
	if err := (repeats.Draws[string]{Out: drawn, Agree: most, Also: []int{n}}).Check(); err != nil {
		t.Errorf("%s: %s: %v", name, strings.Join(w.same, " and "), err)
	}
}

// letterTable has 64 words of letters in 4 dimensions: in copies of its words the tokens are
// apart.
var letterTable = sync.OnceValues(func() (*embedding.Table, error) {
	s := embedding.Source{Name: "letters", Dim: 4, Unknown: "aa"}
	rng := noise.Seeded(5, 0)
	for i := range 64 {
		s.Words = append(s.Words, string([]byte{'a' + byte(i/8), 'a' + byte(i%8)}))
		for range s.Dim {
			s.Vectors = append(s.Vectors, float32(noise.Normal(rng)))
		}
	}
	return embedding.New(s)
})

func letterWords(t *testing.T) *embedding.Table {
	t.Helper()
	table, err := letterTable()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// theWord is the input of every place of the ways for words.
const theWord = "cd"

// tokensOf returns the tokens of copies.
func tokensOf(copies string) []string { return strings.Fields(strings.ToLower(copies)) }

// reached notes the kinds of units and of batches that were drawn from.
type reached struct {
	keyed bool // streams have a key, another one for each session
	mu    sync.Mutex
	kinds map[string]bool
}

// see notes how a rewriter reads texts: the type of the batch, and the maps over words.
func (r *reached) see(t release.Texts, rewriter *Rewriter) error {
	of := rewriter.loop.Unit()
	if of.Needs().Spans {
		t.Spans = make([]text.Spans, len(t.Bytes))
	}
	b, err := of.Read(t, Position{})
	if err != nil {
		return err
	}
	kinds := []string{strings.TrimPrefix(fmt.Sprintf("%T", b), "*unit.")}
	if words, ok := of.Facts().Of.(statement.Words); ok {
		kinds = append(kinds, mapsOf(reflect.ValueOf(words))...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, kind := range kinds {
		r.kinds[kind] = true
	}
	return nil
}

// mapsOf returns the names of the maps over words that are in use.
func mapsOf(words reflect.Value) (names []string) {
	for i := range words.NumField() {
		f, name := words.Field(i), words.Type().Field(i).Name
		switch {
		case f.IsZero() || name == "Placeholder":
		case f.Kind() == reflect.String:
			names = append(names, name+" "+f.String())
		default:
			names = append(names, name)
		}
	}
	return names
}

// copyOf copies a stream of lines and notes what it is drawn by.
func (r *reached) copyOf(rewriter *Rewriter, in string, s Stream) (string, error) {
	if err := r.see(release.Texts{Bytes: [][]byte{[]byte(in[:strings.IndexByte(in+"\n", '\n')])}}, rewriter); err != nil {
		return "", err
	}
	var out bytes.Buffer
	_, err := rewriter.Copy(context.Background(), &out, strings.NewReader(in), s)
	return out.String(), err
}

// Every kind of batch and every map over words is drawn from without a seed, and so is every member of the catalogue, for each of its uses.
func TestUnseededDrawsAreIndependent(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	seen := &reached{kinds: map[string]bool{}}
	all := map[string]way{}
	for _, some := range []map[string]way{waysOfWords(seen), waysOfMembers(t, seen), waysOfTexts(t, seen), waysOfVectors(t)} {
		maps.Copy(all, some)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) { all[name].check(t, name) })
	}
	if t.Failed() {
		return
	}
	want := waysInSources(t)
	for _, name := range want {
		if !seen.kinds[name] {
			t.Errorf("no unseeded draw is made by %s: give it a way", name)
		}
	}
	if len(want) < 8 {
		t.Errorf("the sources have the ways %v: the test has lost some", want)
	}
}

// A key takes the place of the secure source: under one key too, equal inputs are drawn
// independently wherever they are.
func TestKeyedDrawsAreIndependent(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	seen, ways := &reached{keyed: true, kinds: map[string]bool{}}, 0
	for _, some := range []map[string]way{waysOfWords(seen), waysOfTexts(t, seen)} {
		for _, name := range slices.Sorted(maps.Keys(some)) {
			if some[name].keyed {
				ways++
				t.Run(name, func(t *testing.T) { some[name].check(t, name) })
			}
		}
	}
	if ways < 11 {
		t.Errorf("%d ways have a key: the test has lost some", ways)
	}
}

// waysInSources returns the types of units that make draws, and the maps over words.
func waysInSources(t *testing.T) (names []string) {
	t.Helper()
	for _, f := range sourcesOf(t, "internal/unit") {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Recv != nil && fn.Name.Name == "Draw" {
				name := strings.TrimPrefix(exprString(fn.Recv.List[0].Type), "*")
				if name != "vectorBatch" && name != "encodedBatch" { // their ways are those of every member
					names = append(names, name)
				}
			}
		}
	}
	names = append(names, "Once "+string(statement.OncePerText), "Once "+string(statement.OncePerScope))
	words := reflect.TypeFor[statement.Words]()
	for i := range words.NumField() {
		if name := words.Field(i).Name; name != "Placeholder" && name != "Once" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Only sources.go knows a seed from the secure source, so no way of drawing has a twin that
// tests with a seed do not run.
func TestSeedsAndSecureSourcesAreOfOneFile(t *testing.T) {
	const sources = "internal/unit/sources.go"
	allowed := map[string][]string{
		"noise.Secure": {sources},
		"noise.Seeded": {sources, "release/expected.go"}, // the last for a figure of public words
		"crand.Read":   nil, "rand.NewChaCha8": nil, "rand.NewPCG": nil, "rand.New": nil,
	}
	files := map[string]*ast.File{}
	for _, folder := range []string{".", "release", "internal/unit", "internal/textcap", "statement"} {
		maps.Copy(files, sourcesOf(t, folder))
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		ast.Inspect(files[name], func(n ast.Node) bool {
			e, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			use := exprString(e)
			if may, known := allowed[use]; known && !slices.Contains(may, name) {
				t.Errorf("%s uses %s: take the sources of %s", name, use, sources)
			}
			if e.Sel.Name == "seed" && name != sources {
				t.Errorf("%s reads a seed (%s): take the sources of %s", name, use, sources)
			}
			return true
		})
		ast.Inspect(files[name], func(n ast.Node) bool { // a seed is passed on, and compared with nil
			if star, ok := n.(*ast.StarExpr); ok && strings.HasSuffix(exprString(star.X), "Seed") && name != sources {
				t.Errorf("%s reads a seed (%s): take the sources of %s", name, exprString(star.X), sources)
			}
			return true
		})
	}
	if files[sources] == nil {
		t.Errorf("there is no %s", sources)
	}
}

// sourcesOf parses the files of a package, by path, without its tests.
func sourcesOf(t *testing.T, folder string) map[string]*ast.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if files[filepath.ToSlash(path)], err = parser.ParseFile(token.NewFileSet(), path, source, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// exprString writes the expressions that signatures are made of.
func exprString(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return exprString(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return "*" + exprString(e.X)
	case *ast.ArrayType:
		return "[]" + exprString(e.Elt)
	}
	return fmt.Sprintf("%T", e)
}
