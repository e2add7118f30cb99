package sotto_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/text/fault"
)

// kinded are the types of errors that may depend on a record. Each has a FaultKind; that of
// an InputError is its field Kind.
var kinded = []string{"InputError", "FieldError", "SpanError", "spansError", "UnknownTypeError", "TokenError", "parquet.Error", "BudgetError", "longTextError"}

// unkinded are the other errors that the packages which read records make: their number in
// each file, and why they depend on no record. A new one that does takes a kind.
var unkinded = map[string]struct {
	errors int
	why    string
}{
	"config.go":                       {1, "parameters"},
	"conflict.go":                     {1, "parameters"},
	"embedder.go":                     {9, "parameters"},
	"embedexplain.go":                 {1, "the mechanism"},
	"explain.go":                      {2, "the mechanism, and a word that is shown, not released"},
	"files.go":                        {2, "the kind of a public file"},
	"marks.go":                        {7, "parameters"},
	"member.go":                       {2, "parameters"},
	"openwords.go":                    {2, "parameters"},
	"texts.go":                        {10, "parameters, the model, and the encoder"},
	"words.go":                        {4, "parameters"},
	"internal/unit/typedbatch.go":     {1, "a fault of a mechanism: the number of its outputs"},
	"statement/marks.go":              {7, "a report"},
	"internal/textcap/cap.go":         {5, "parameters"},
	"internal/textcap/search.go":      {1, "parameters"},
	"internal/unit/corpus.go":         {1, "a fault of a mechanism: the number of its outputs"},
	"internal/unit/model.go":          {1, "what longTextError wraps"},
	"internal/unit/replacer.go":       {1, "a fault of a mechanism: the number of its outputs"},
	"internal/unit/unknown.go":        {5, "parameters"},
	"internal/unit/batch.go":          {2, "the caller's replacements"},
	"release/loop.go":                 {10, "parameters, and an encoder that returns too few vectors"},
	"release/pending.go":              {2, "a scope, and a batch that the caller drew before"},
	"release/pool.go":                 {4, "parameters"},
	"release/records.go":              {3, "the number of records, and two errors with a kind that it wraps"},
	"release/run.go":                  {1, "parameters"},
	"release/vectors.go":              {4, "parameters"},
	"statement/counts.go":             {1, "counts that are not written at all"},
	"statement/verify.go":             {17, "a report"},
	"statement/probes.go":             {1, "a report"},
	"reopen.go":                       {2, "a report"},
	"statement/reported.go":           {5, "a report"},
	"statement/words.go":              {1, "a report"},
	"retrievedexplain.go":             {1, "the mechanism"},
	"text/batch.go":                   {1, "the caller's arguments"},
	"text/errors.go":                  {2, "the caller's calls"},
	"text/internal/records/splice.go": {1, "the caller's arguments"},
	"text/table.go":                   {1, "the caller's arguments"},
	"text/parquet/batch.go":           {1, "the caller's arguments"},
	"text/parquet/fault.go":           {1, "a file that the system cannot read"},
	"text/parquet/table.go":           {2, "the caller's arguments"},
}

// errorsOf returns the errors that a file makes: the names of types, and of functions that
// return one, with the literals of InputError that have no kind.
func errorsOf(t *testing.T, path string) (made []string, without int) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	name := func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.Ident:
			return e.Name
		case *ast.SelectorExpr:
			if x, ok := e.X.(*ast.Ident); ok {
				return x.Name + "." + e.Sel.Name
			}
		}
		return ""
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f := name(n.Fun); slices.Contains([]string{"errors.New", "fmt.Errorf", "privacy.Bad", "privacy.Wrong", "privacy.Missing", "privacy.Unwanted"}, f) {
				made = append(made, f)
			}
		case *ast.CompositeLit:
			of := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name(n.Type), "text."), "release."), "fault.")
			if of == "Error" {
				of = file.Name.Name + ".Error"
			}
			if !strings.HasSuffix(of, "Error") {
				break
			}
			made = append(made, of)
			if of == "InputError" && !slices.ContainsFunc(n.Elts, func(e ast.Expr) bool {
				field, ok := e.(*ast.KeyValueExpr)
				return ok && name(field.Key) == "Kind"
			}) {
				without++
			}
		}
		return true
	})
	return made, without
}

// Every error that may depend on a record has a kind, whichever reader makes it.
func TestErrorsThatDependOnARecordHaveAKind(t *testing.T) {
	left := map[string]bool{}
	for path := range unkinded {
		left[path] = true
	}
	for _, dir := range []string{".", "internal/textcap", "internal/unit", "release", "statement", "text", "text/internal/jsonfield", "text/internal/records", "text/parquet"} {
		paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatal(err, dir)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			made, without := errorsOf(t, path)
			if without > 0 {
				t.Errorf("%s makes %d errors of the input without a kind", path, without)
			}
			others := slices.DeleteFunc(made, func(name string) bool { return slices.Contains(kinded, name) })
			listed := unkinded[filepath.ToSlash(path)]
			delete(left, filepath.ToSlash(path))
			if len(others) != listed.errors {
				t.Errorf("%s makes %d errors without a kind, want %d: one that may depend on a record takes a type with a kind, any other is counted here with a reason (%v)", path, len(others), listed.errors, others)
			}
		}
	}
	for path := range left {
		t.Errorf("%s is gone: take it off the list", path)
	}
}

// SECURITY.md lists the kinds, all of them and no others.
func TestSecurityListsWhatAnErrorReveals(t *testing.T) {
	page, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(page), "ended with an error")
	if !ok {
		t.Fatal("SECURITY.md has no list of errors")
	}
	list, _, _ = strings.Cut(list, "\n- ")
	var listed []fault.Kind
	for _, m := range regexp.MustCompile("(?m)^  - `([a-z]+)`: ").FindAllStringSubmatch(list, -1) {
		listed = append(listed, fault.Kind(m[1]))
	}
	if !slices.Equal(listed, fault.Kinds()) {
		t.Errorf("SECURITY.md lists the errors %v, the readers have %v", listed, fault.Kinds())
	}
}
