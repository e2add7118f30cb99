package sotto_test

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxWay is the most files that a word may pass.
const maxWay = 30

// The picture names files that exist, as many as it says, and packages that import
// only those below them.
func TestWayOfAWordIsAsDrawn(t *testing.T) {
	page, err := os.ReadFile("docs/reference/way.md")
	if err != nil {
		t.Fatal(err)
	}
	_, picture, ok := strings.Cut(string(page), "```mermaid\n")
	picture, _, closed := strings.Cut(picture, "```")
	if !ok || !closed {
		t.Fatal("docs/reference/way.md has no picture")
	}
	var files, packages []string
	for _, m := range regexp.MustCompile(`\["([\w/-]+\.go)`).FindAllStringSubmatch(picture, -1) {
		name := m[1]
		if _, err := os.Stat(name); err != nil || slices.Contains(files, name) {
			t.Errorf("%s is not there, or twice in the picture (%v)", name, err)
		}
		files = append(files, name)
		if p := path.Join("github.com/sotto-dp/sotto", path.Dir(name)); !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
	}
	said := regexp.MustCompile(`\*\*(\d+) files\*\*`).FindAllStringSubmatch(string(page), -1)
	if len(said) != 1 || said[0][1] != strconv.Itoa(len(files)) || len(files) > maxWay {
		t.Errorf("the picture has %d files, the page says %q, and %d is the most", len(files), said, maxWay)
	}
	if strings.Count(picture, ".go") != len(files) {
		t.Errorf("%d files are named in the picture, %d of them as nodes", strings.Count(picture, ".go"), len(files))
	}
	out, err := exec.Command("go", append([]string{"list", "-f", `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`}, packages...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		at := slices.Index(packages, fields[0])
		for _, above := range packages[:at] {
			if slices.Contains(fields[1:], above) {
				t.Errorf("%s depends on %s, which is above it in the picture", fields[0], above)
			}
		}
	}
}
