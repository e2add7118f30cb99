package paths

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOnlyThePatternOfANameIsMatched(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"raw[1]/a.csv", "raw[1]/b.csv", "raw1/c.csv", "x[1].csv", "x1.csv", "sub/y.csv"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string][]string{
		"raw[1]/*.csv":      {"raw[1]/a.csv", "raw[1]/b.csv"},
		"raw[1]/a.csv":      {"raw[1]/a.csv"},
		"raw*/*.csv":        {"raw1/c.csv", "raw[1]/a.csv", "raw[1]/b.csv"},
		"x[1].csv":          {"x[1].csv"},
		"x*.csv":            {"x1.csv", "x[1].csv"},
		"./sub/*":           {"./sub/y.csv"},
		here + "/raw[1]/b*": {here + "/raw[1]/b.csv"},
		"nothing*":          nil,
		"absent":            nil,
	} {
		for i := range want {
			want[i] = filepath.FromSlash(want[i])
		}
		if got, err := Expand(pattern); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s gives %q (%v), want %q", pattern, got, err, want)
		}
	}
	if _, err := Expand("raw[1]/**/[.csv"); err == nil {
		t.Error("a broken pattern with ** is taken")
	}
	if _, err := Expand("raw[1]/[.csv"); err == nil {
		t.Error("a broken pattern is taken")
	}
}

func TestFoldersBelowAPattern(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in/a.txt", "in/.hidden.txt", "in/._1.txt", "in/x/a.txt", "in/x/y/b.txt", "in/x/y/c.csv", "in/.git/d.txt", "in/z.txt/e.txt", "in/w/x/f.txt"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	linked := os.Symlink("..", "in/x/up") == nil
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string][]string{
		"in/**/*.txt":     {"a.txt", "w/x/f.txt", "x/a.txt", "x/y/b.txt", "z.txt/e.txt"},
		"in/**":           {"a.txt", "w/x/f.txt", "x/a.txt", "x/y/b.txt", "x/y/c.csv", "z.txt/e.txt"},
		"in/**/x/*":       {"w/x/f.txt", "x/a.txt"},
		"in/**/**/b.*":    {"x/y/b.txt"},
		"in/?/**/?.txt":   {"w/x/f.txt", "x/a.txt", "x/y/b.txt"},
		"in/**/.*.txt":    {"._1.txt", ".hidden.txt"},
		"in/.git/**":      {"d.txt"},
		"in/x/**/nothing": nil,
		"in/**/../../*":   {"a.txt"},
		"no/**":           nil,
	} {
		for _, before := range []string{"", "./", here + "/"} {
			found, err := Find(before + pattern)
			var got []string
			for _, f := range found {
				got = append(got, f.Below)
				if _, err := os.Lstat(f.Name); err != nil || !filepath.IsLocal(filepath.FromSlash(f.Below)) {
					t.Errorf("%s finds %q, %q below it: %v", pattern, f.Name, f.Below, err)
				}
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s finds %q (%v), want %q; with a link: %v", before+pattern, got, err, want, linked)
			}
		}
	}
	for pattern, want := range map[string]string{"in/*.txt": "in/a.txt", "in/.*.txt": "in/._1.txt", "in/x/y/*": "in/x/y/b.txt"} {
		found, err := Find(pattern)
		if err != nil || len(found) == 0 || found[0].Name != filepath.FromSlash(want) || found[0].Below != filepath.Base(want) {
			t.Errorf("%s finds %q (%v), want %s first", pattern, found, err, want)
		}
	}
	for folder, want := range map[string]bool{"in": true, "in/out": true, "in/x": true, "out": false, ".": false, "in2": false} {
		if Reaches("in/**/*.txt", folder) != want || Reaches("in/*.txt", folder) || !Reaches("**", folder) {
			t.Errorf("%s is among what a pattern reads: want %v", folder, want)
		}
	}
}
