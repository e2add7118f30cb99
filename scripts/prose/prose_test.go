// Package prose checks the repository's prose against a list of phrases to avoid.
package prose

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// skipped are the places that are not scanned, by prefix, with the reason.
var skipped = map[string]string{
	".git":               "not the project's text",
	"scripts/prose":      "holds the list",
	"lab":                "its rows are bound to a digest of its code",
	"mechanism/catalog/": "notes are pinned by digest; .go files are scanned",
	"CHANGELOG.md":       "describes past versions",
}

// quoted are places in which a phrase is somebody else's, by file.
var quoted = map[string]string{
	"README.md":                   "so many",   // a text of the corpus
	"docs/results/whole-texts.md": "stand for", // questions of TREC
	"docs/results/fields.md":      "stand for", // the same
}

// gap is what may be between two words of a phrase: white space within a paragraph.
const gap = `(?:[ \t]+\n?[ \t]*|\n[ \t]*)`

// entry is a line of the list.
type entry struct {
	phrase *regexp.Regexp
	begins string // what every match begins with, in lower case: most texts need no search
	plain  string
}

// literal is the begin of a phrase in which no character has another meaning.
var literal = regexp.MustCompile(`^(\\b)?([a-z]+)( |\\b|$)`)

func list(t *testing.T) (entries []entry) {
	f, err := os.Open("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // read only
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		phrase, plain, ok := strings.Cut(line, "\t")
		if !ok || plain == "" {
			t.Fatalf("%q has no plain words", line)
		}
		begins := ""
		if m := literal.FindStringSubmatch(phrase); m != nil && !strings.Contains(phrase, "|") {
			begins = m[2]
		}
		entries = append(entries, entry{regexp.MustCompile("(?i)" + strings.ReplaceAll(phrase, " ", gap)), begins, plain})
	}
	return entries
}

// passage is prose that begins on a line of a file.
type passage struct {
	line int
	text string
}

// find returns "line: phrase: plain words" for every phrase in a passage.
func (p passage) find(entries []entry) (found []string) {
	lower := strings.ToLower(p.text)
	for _, e := range entries {
		if !strings.Contains(lower, e.begins) {
			continue
		}
		for _, at := range e.phrase.FindAllStringIndex(p.text, -1) {
			line := p.line + strings.Count(p.text[:at[0]], "\n")
			found = append(found, fmt.Sprintf("%d: %q: write %s", line, p.text[at[0]:at[1]], e.plain))
		}
	}
	return found
}

// goPassages returns the comments of a Go file and, outside tests, its string literals.
func goPassages(name string, data []byte) ([]passage, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, data, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var passages []passage
	for _, group := range file.Comments {
		lines := strings.Split(string(data[files.Position(group.Pos()).Offset:files.Position(group.End()).Offset]), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimPrefix(strings.TrimSpace(line), "//")
		}
		passages = append(passages, passage{files.Position(group.Pos()).Line, strings.Join(lines, "\n")})
	}
	if strings.HasSuffix(name, "_test.go") {
		return passages, nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			passages = append(passages, passage{files.Position(l.Pos()).Line, l.Value})
		}
		return true
	})
	return passages, nil
}

// passagesOf returns the prose of a file, none if it holds no prose.
func passagesOf(name string, data []byte) ([]passage, error) {
	switch {
	case strings.HasSuffix(name, ".go"):
		return goPassages(name, data)
	case strings.HasSuffix(name, ".md"):
		return []passage{{1, string(data)}}, nil
	}
	return nil, nil
}

func skip(name string) bool {
	for prefix := range skipped {
		if name == prefix || strings.HasPrefix(name, strings.TrimSuffix(prefix, "/")+"/") {
			return !strings.HasPrefix(name, "mechanism/catalog/") || !strings.HasSuffix(name, ".go")
		}
	}
	return strings.Contains(name, "node_modules") || strings.Contains(name, "/dist/")
}

func TestNoPhraseOfTheListOccurs(t *testing.T) {
	entries := list(t)
	scanned := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if name != "mechanism/catalog" && name != "." && skip(name) {
				return filepath.SkipDir
			}
			return nil
		}
		if skip(name) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		passages, err := passagesOf(name, data)
		if err != nil {
			return err
		}
		if len(passages) > 0 {
			scanned++
		}
		for _, p := range passages {
			for _, found := range p.find(entries) {
				if q := quoted[name]; q == "" || !strings.Contains(found, q) {
					t.Errorf("%s:%s", name, found)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if scanned < 100 {
		t.Errorf("only %d files were scanned", scanned)
	}
}

func TestFindReportsLineAndPlainWords(t *testing.T) {
	const file = "package p\n\n// F is told of\n// so\n// many bytes.\nfunc F() error { return errors.New(\"stands for\") }\n"
	passages, err := goPassages("p.go", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	entries := []entry{{regexp.MustCompile(`so\s+many`), "so", `"N"`}, {regexp.MustCompile(`stands\s+for`), "", `"means"`}}
	var found []string
	for _, p := range passages {
		found = append(found, p.find(entries)...)
	}
	if want := []string{"4: \"so\\n many\": write \"N\"", `6: "stands for": write "means"`}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}
