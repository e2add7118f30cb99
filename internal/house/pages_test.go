package house

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kinds are the folders of docs. A page is of one kind, so that nobody searches a task
// among results.
var kinds = []string{"howto", "reference", "results", "decisions"}

// link is a Markdown link: its target is a path, a fragment of a page, or both.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestEveryPageIsInTheIndex(t *testing.T) {
	index, err := os.ReadFile("docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = filepath.WalkDir("docs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name = filepath.ToSlash(strings.TrimPrefix(name, "docs"+string(filepath.Separator)))
		folder := path.Dir(name)
		if name == "README.md" {
			return nil
		}
		if !slices.Contains(kinds, folder) {
			t.Errorf("docs/%s is in none of the folders %v", name, kinds)
		}
		if folder != "decisions" && strings.HasSuffix(name, ".md") {
			seen++
			if !strings.Contains(string(index), "]("+name+")") {
				t.Errorf("docs/README.md has no link to %s", name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Errorf("only %d pages were found", seen)
	}
}

func TestLinksOfPagesResolve(t *testing.T) {
	checked := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || name != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".md") {
			return nil
		}
		page, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(string(page), -1) {
			if strings.Contains(m[1], ":") {
				continue // an address
			}
			checked++
			if problem := unresolved(name, m[1]); problem != "" {
				t.Errorf("%s: (%s): %s", name, m[1], problem)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 100 {
		t.Errorf("only %d links were found", checked)
	}
}

// unresolved returns what is wrong with a link of a page, "" if nothing is.
func unresolved(page, target string) string {
	file, fragment, _ := strings.Cut(target, "#")
	if file == "" {
		file = page
	} else {
		file = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
	}
	if _, err := os.Stat(file); err != nil {
		return "no such file"
	}
	if fragment == "" {
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "is no page"
	}
	if !slices.Contains(anchors(string(text)), fragment) {
		return "the page has no such heading"
	}
	return ""
}

// anchors returns the fragments of a page's headings, as GitHub makes them.
func anchors(page string) (all []string) {
	dropped := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for line := range strings.Lines(page) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			text := dropped.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			all = append(all, strings.ReplaceAll(text, " ", "-"))
		}
	}
	return all
}

func TestAnchorsAreThoseOfGitHub(t *testing.T) {
	got := anchors("# Which unit do I need?\ntext # no\n## `a`, (b) c_d\n")
	if want := []string{"which-unit-do-i-need", "a-b-c_d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
