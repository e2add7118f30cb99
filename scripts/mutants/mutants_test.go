package main

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sotto-dp/sotto/internal/stage"
)

const root = "../.."

// What every mutant replaces is in the sources exactly once, and the tests
// that catch it exist.
func TestEveryMutantHasItsPlace(t *testing.T) {
	stage.Unraced(t)
	areas, err := load(lists)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]map[string]bool{}
	for _, a := range areas {
		for _, m := range a.mutants {
			mutated := tree{root, map[string]string{}}
			for _, e := range m.edits {
				before := maps.Clone(mutated.changed)
				if err := mutated.make(e); err != nil {
					t.Errorf("%s: %v", m.id, err)
				} else if maps.Equal(before, mutated.changed) {
					t.Errorf("%s: an edit of %s changes nothing", m.id, e.file)
				}
			}
			for _, run := range m.tests {
				if tests[run.pkg] == nil {
					tests[run.pkg] = testsOf(t, filepath.Join(root, run.pkg))
				}
				for _, name := range run.names {
					if !tests[run.pkg][name] {
						t.Errorf("%s: %s has no test %s", m.id, run.pkg, name)
					}
				}
			}
		}
	}
}

// testsOf returns the names of the test functions of a folder.
func testsOf(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				names[f.Name.Name] = true
			}
		}
	}
	return names
}

func TestListIsReadAndApplied(t *testing.T) {
	areas, err := load(fstest.MapFS{"list/one.txt": {Data: []byte(`area One
# a comment

mutant first
	Does this
	and that.
test ./a TestA TestB
test ./b TestC
file x.go
-	one
-		two
+	three
-	four
+
file y.go
-	five
+	six
`)}})
	if err != nil || len(areas) != 1 || len(areas[0].mutants) != 1 {
		t.Fatal(areas, err)
	}
	m := areas[0].mutants[0]
	if m.does != "Does this and that." || strings.Join(m.names(), " ") != "TestA TestB TestC" || len(m.edits) != 3 || m.edits[2].file != "y.go" {
		t.Errorf("read as %+v", m)
	}
	got, err := m.edits[0].apply("zero\n\t\tone\n\t\t\ttwo  \nfour\n")
	if err != nil || got != "zero\n\tthree\nfour\n" {
		t.Errorf("applied: %q, %v", got, err)
	}
	for source, says := range map[string]string{
		"one\n":                  "no longer there",
		"one\ntwo\none\ntwo\n":   "both begin",
		"one\nthree\ntwo\n":      "no longer there",
		"half one\nhalf two\n\n": "no longer there",
	} {
		if _, err := m.edits[0].apply(source); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", source, err, says)
		}
	}
	for _, list := range []string{
		"mutant x\n\tNo area.\ntest ./a T\nfile x\n-a\n+b\n",
		"area A\nmutant x\n\tNo test.\nfile x\n-a\n+b\n",
		"area A\nmutant x\n\tNo edit.\ntest ./a T\n",
		"area A\nmutant x\ntest ./a\n",
		"area A\nmutant x\n\tText.\ntest ./a T\nfile x\n+b\n",
		"area A\nwhat is this\n",
	} {
		if _, err := parse(list); err == nil {
			t.Errorf("accepted: %q", list)
		}
	}
}

// What is replaced is found by the declaration and its tokens, wherever the package has them and however they are
// written.
func TestPlaceIsADeclarationAndItsTokens(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.go":       "package p\n\nfunc (s *set[T]) size() int {\n\t// a comment\n\treturn s.n +\n\t\ts.m\n}\n",
		"b.go":       "package p\n\nvar one, two = 1, 2\n\nfunc twice() { f(); f() }\n",
		"c_linux.go": "package p\n\nfunc system() int { return 1 }\n",
		"d.go":       "package p\n\nfunc system() int { return 2 }\n",
		"a_test.go":  "package p\n\nvar one = 3\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ place, declaration, old, new, want string }{
		{".", "set.size", "return s.n + s.m", "return s.m", "package p\n\nfunc (s *set[T]) size() int {\n\t// a comment\n\treturn s.m\n}\n"},
		{".", "set.size", "s.n", "0", "package p\n\nfunc (s *set[T]) size() int {\n\t// a comment\n\treturn 0 +\n\t\ts.m\n}\n"},
		{".", "two", "1, 2", "2, 1", "package p\n\nvar one, two = 2, 1\n\nfunc twice() { f(); f() }\n"},
		{"d.go", "system", "2", "3", "package p\n\nfunc system() int { return 3 }\n"},
		{".", "system", "2", "3", "both declare system"},
		{".", "twice", "f()", "g()", "is there twice"},
		{".", "twice", "h()", "g()", "is no longer there"},
		{".", "twice", "// only a comment", "g()", "names nothing"},
		{".", "size", "s.n", "0", "no longer declares size"},
	} {
		mutated := tree{folder, map[string]string{}}
		err := mutated.make(edit{c.place, c.declaration, []string{c.old}, []string{c.new}})
		got := ""
		for _, source := range mutated.changed {
			got = source
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s, %q: %q, want %q", c.declaration, c.old, got, c.want)
		}
	}
}

// Mutants that survive, do not build, are caught, or whose tests are skipped
// are distinguished.
func TestMutantIsCaughtOnlyByAFailingTest(t *testing.T) {
	stage.Unraced(t)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.test/m\n\ngo 1.24\n",
		"one.go":      "package m\n\nfunc One() int {\n\treturn 1\n}\n",
		"one_test.go": "package m\n\nimport (\n\t\"os/exec\"\n\t\"testing\"\n)\n\nfunc TestOne(t *testing.T) {\n\tif One() < 1 {\n\t\tt.Error(One())\n\t}\n}\n\nfunc TestNothing(t *testing.T) {}\n\nfunc TestBuilds(t *testing.T) {\n\tif out, err := exec.Command(`go`, `test`, `-run=TestOne`, `.`).CombinedOutput(); err != nil {\n\t\tt.Fatalf(`%s`, out)\n\t}\n}\n\nfunc TestData(t *testing.T) { t.Skip(`set SOTTO_SHARED`) }\n\nfunc TestElsewhere(t *testing.T) { t.Skip() }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	of := func(id, by, line string) mutant {
		return mutant{id: id, tests: []test{{".", []string{by}}}, edits: []edit{{".", "One", []string{"return 1"}, []string{line}}}}
	}
	var log strings.Builder
	results, err := runAll(context.Background(), folder, []mutant{
		of("caught", "TestOne", "return 0"), of("survives", "TestOne", "return 2"), of("other test", "TestNothing", "return 0"), of("no test", "TestAbsent", "return 0"),
		of("no build", "TestOne", "return one"), {id: "no place", tests: []test{{".", []string{"TestOne"}}}, edits: []edit{{".", "One", []string{"return 7"}, nil}}},
		of("no data", "TestData", "return 0"), of("elsewhere", "TestElsewhere", "return 0"), of("built by a test", "TestBuilds", "return 0"),
	}, 1, &log)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"caught", "NOT CAUGHT: TestOne does not fail", "NOT CAUGHT: TestNothing does not fail", "NOT CAUGHT: TestAbsent fails without",
		"NOT CAUGHT: it does not build", "NOT CAUGHT: One of .: \"return 7\" is no longer there", "skipped: needs reference data", "skipped: TestElsewhere skips itself here", "caught"} {
		if got := results[i].String(); !strings.HasPrefix(got, want) {
			t.Errorf("mutant %d: %q, want %q", i, got, want)
		}
	}
}

func TestCopyHoldsWhatGitDoesNotIgnore(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("git", "-C", folder, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git init: %v: %s", err, out)
	}
	for name, text := range map[string]string{"a.go": "a", "sub/b.txt": "b", "ignored.txt": "c", ".gitignore": "ignored.txt\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	copied, remove, err := copyTree(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.go": "a", "sub/b.txt": "b", "ignored.txt": ""} {
		if got, _ := os.ReadFile(filepath.Join(copied, name)); string(got) != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	remove()
	if _, err := os.Stat(copied); !os.IsNotExist(err) {
		t.Errorf("the copy is still there: %v", err)
	}
}
