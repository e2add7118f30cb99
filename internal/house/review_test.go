package house

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
)

const review = "docs/reference/review.md"

// section returns the part of the page for reviewers under a heading.
func section(t *testing.T, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(read(t, review), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("%s has no section %s", review, heading)
	}
	part, _, _ := strings.Cut(rest, "\n## ")
	return part
}

// aside are folders of tests, tools of the repository and generators of shipped files.
var aside = regexp.MustCompile(`^(scripts|lab|tools|corpora|docs|attack/measured|internal/(house|stage|refdata|postgrestest|gen|writing/modeltest))/|/(gen|generate|oracle|figures|testdata)/`)

// opening are the selectors that let input in.
var opening = map[string][]string{
	"os": {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadFile", "ReadDir", "DirFS", "Stdin"}, "r": {"Body"}, "request": {"Body"}, "req": {"Body"}, "syscall": {"Open"}, "ioutil": {"ReadFile", "ReadAll"},
}

// Every file that opens a file, reads standard input or the body of a request is on the
// page, which says what it reads and whether that is private.
func TestReviewListsEveryPlaceWhereInputEnters(t *testing.T) {
	listed := regexp.MustCompile("`([\\w/.-]+\\.go)`").FindAllStringSubmatch(section(t, "Where input enters"), -1)
	var page []string
	for _, m := range listed {
		page = append(page, m[1])
	}
	var found []string
	for _, f := range sources(t) {
		if aside.MatchString(f.path) {
			continue
		}
		ast.Inspect(f.file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && slices.Contains(opening[x.Name], s.Sel.Name) && !slices.Contains(found, f.path) {
					found = append(found, f.path)
				}
			}
			return true
		})
	}
	if len(found) < 20 {
		t.Fatalf("%d files", len(found))
	}
	for _, name := range found {
		if !slices.Contains(page, name) {
			t.Errorf("%s opens something, and is not in the table of %s: say what it reads, and whether that is private", name, review)
		}
	}
	for _, name := range page {
		if !slices.Contains(found, name) {
			t.Errorf("%s is in the table of %s, and opens nothing", name, review)
		}
	}
}

// The assumptions that claims list are explained on the page, with code and a test.
func TestReviewExplainsEveryAssumption(t *testing.T) {
	table := section(t, "Assumptions")
	names := privacy.Assumption(1<<8 - 1).Names()
	for _, name := range names {
		row := regexp.MustCompile("(?m)^\\| `" + name + "` \\|.*\\.go`.*`Test.*$").FindString(table)
		if row == "" {
			t.Errorf("%s explains %s without code and a test, or not at all", review, name)
			continue
		}
		constant := "" // length-revealed is LengthRevealed
		for part := range strings.SplitSeq(name, "-") {
			constant += strings.ToUpper(part[:1]) + part[1:]
		}
		for _, m := range regexp.MustCompile("`([\\w/-]+\\.go)`").FindAllStringSubmatch(row, -1) {
			if !slices.Contains([]string{"privacy/claim.go", "statement/statement.go"}, m[1]) && !strings.Contains(read(t, m[1]), "privacy."+constant) {
				t.Errorf("%s says that %s is claimed in %s, which does not name privacy.%s", review, name, m[1], constant)
			}
		}
	}
	if len(names) < 6 {
		t.Errorf("claims know %q", names)
	}
}

// The tests, files and theorems that the page names are there.
func TestReviewNamesWhatIsThere(t *testing.T) {
	page := read(t, review)
	var all strings.Builder
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, "_test.go") {
			all.WriteString(read(t, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(page, -1)
	for _, m := range tests {
		if !strings.Contains(all.String(), "\nfunc "+m[1]+"(") {
			t.Errorf("%s names %s, which is no test", review, m[1])
		}
	}
	files := regexp.MustCompile("`([a-z][\\w-]*(?:/[\\w.-]+)+)`").FindAllStringSubmatch(page, -1)
	for _, m := range files {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("%s names %s, which is not there", review, m[1])
		}
	}
	for _, m := range regexp.MustCompile("`([\\w/]+\\.go)` \\(`(\\w+)`\\)").FindAllStringSubmatch(page, -1) {
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + m[2] + `\(|^\t` + m[2] + `\(`).MatchString(read(t, m[1])) {
			t.Errorf("%s names %s in %s, which is not there", review, m[2], m[1])
		}
	}
	proofs := theoremsIn(t, review, "", nil)
	for _, m := range regexp.MustCompile("`([a-z_]+)\\.([a-z_]+)`").FindAllStringSubmatch(section(t, "From a guarantee to its code"), -1) {
		if !strings.Contains(read(t, "proofs/"+m[1]+".v"), "\nTheorem "+m[2]) {
			t.Errorf("%s names the theorem %s.%s, which is not there", review, m[1], m[2])
		}
		proofs[m[1]] = true
	}
	if len(tests) < 15 || len(files) < 40 || len(proofs) < 4 {
		t.Errorf("%d tests, %d files, %d files of theorems are named", len(tests), len(files), len(proofs))
	}
}
