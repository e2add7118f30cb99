package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

func TestTestsOfStagesAreFound(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a/a_test.go":        "package a\nfunc TestOne(t *testing.T) { stage.Needs(t, stage.Kills) }\nfunc TestTwo(t *testing.T) {}\nfunc TestThree(t *testing.T) { t.Run(``, func(t *testing.T) { stage.Needs(t, stage.Kills) }) }\n",
		"a/b_test.go":        "package a_test\nfunc TestFour(t *testing.T) { if stage.Runs(stage.Figures) { _ = 1 } }\n",
		"b/c_test.go":        "package b\nimport \"os/exec\"\nfunc TestFive(t *testing.T) { stage.Needs(t, stage.Postgres); exec.Command(``) }\n",
		"c/d_test.go":        "package c\nimport \"os/exec\"\nfunc TestSix(t *testing.T) { stage.Needs(t, stage.Postgres); stage.Sources(t, nil, `.`); exec.Command(``) }\n",
		"d/e_test.go":        "package d\nimport \"os/exec\"\nfunc helper() { exec.Command(``) }\n",
		"d/f_test.go":        "package d\nfunc TestSeven(t *testing.T) { stage.Needs(t, stage.Postgres) }\n",
		"m/go.mod":           "module m\n",
		"m/m_test.go":        "package m\nfunc TestOther(t *testing.T) { stage.Needs(t, stage.Kills) }\n",
		"testdata/x_test.go": "not Go",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := find(folder)
	if err != nil {
		t.Fatal(err)
	}
	if kills := found[stage.Kills]; len(kills) != 1 || kills[0].folder != "a" || strings.Join(kills[0].tests, " ") != "TestOne TestThree" {
		t.Errorf("kills: %v", kills)
	}
	ran := map[string]bool{}
	for _, p := range slices.Concat(found[stage.Kills], found[stage.Postgres]) {
		ran[p.folder] = p.programs
	}
	if want := map[string]bool{"a": false, "b": true, "c": false, "d": true}; !maps.Equal(ran, want) {
		t.Errorf("programs are run by the tests of %v, want %v", ran, want)
	}
	if figures := found[stage.Figures]; len(figures) != 1 || strings.Join(figures[0].tests, " ") != "TestFour" {
		t.Errorf("figures: %v", figures)
	}
}

func TestStagesAreChosen(t *testing.T) {
	all := len(stage.All)
	for _, c := range []struct {
		but      bool
		names    []string
		thorough bool
		want     int
	}{
		{want: all - 1}, {thorough: true, want: all}, {names: []string{"kills", "thorough"}, want: 2},
		{but: true, names: []string{"kills"}, want: all - 2}, {but: true, names: []string{"kills"}, thorough: true, want: all - 1},
	} {
		if got, err := chosen(c.but, c.names, c.thorough); err != nil || len(got) != c.want {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	if _, err := chosen(true, []string{"kill"}, false); err == nil {
		t.Error("a stage that does not exist is left out")
	}
}

// A test that names its stage by anything but stage.Needs(t, stage.Name) or stage.Runs(stage.Name) would run nowhere.
func TestEveryUseOfAStageIsFound(t *testing.T) {
	stage.Unraced(t)
	found, err := find("../..")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, packages := range found {
		for _, p := range packages {
			n += len(p.tests)
		}
	}
	uses := 0
	err = filepath.WalkDir("../..", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") || strings.Contains(path, "scripts/stage/") || strings.Contains(path, "internal/stage/") {
			return err
		}
		data, err := os.ReadFile(path)
		uses += strings.Count(string(data), "stage.Needs(") + strings.Count(string(data), "stage.Runs(")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if uses != n {
		t.Errorf("%d calls of stage.Needs and stage.Runs in the sources, %d found in tests: call it from the test itself, once, with a constant", uses, n)
	}
}
