package stage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listing has the folder and the sources of each package of this checkout, in lines.
const listing = `{{with .Module}}{{if .Main}}{{$d := $.Dir}}{{$d}}
{{range $.GoFiles}}{{$d}}/{{.}}
{{end}}{{range $.SFiles}}{{$d}}/{{.}}
{{end}}{{range $.EmbedFiles}}{{$d}}/{{.}}
{{end}}{{end}}{{end}}`

// Sources looks at the files that a test's programs are built from: packages, with all that they
// import, as `go list` takes them after such flags as -test, in an environment with these additions.
// The cache of go test sees what a test looks at, and runs it again when that changes. What is
// not built, such as a script, the test looks at by [LooksAt]. A test that runs programs and calls
// neither is run every time.
func Sources(t testing.TB, environment []string, list ...string) {
	t.Helper()
	files, err := sources(environment, list)
	if err != nil {
		t.Fatal(err)
	}
	LooksAt(t, files...)
}

// sources returns names relative to this folder: another checkout has the same.
func sources(environment, list []string) (files []string, err error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", listing}, list...)...)
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", strings.Join(list, " "), err)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for file := range strings.Lines(string(out)) {
		if strings.Contains(file, "//") {
			continue // of the cache: the main function of tests
		}
		relative, err := filepath.Rel(here, strings.TrimSuffix(file, "\n"))
		if err != nil {
			return nil, err
		}
		files = append(files, relative)
	}
	return files, nil
}

// LooksAt looks at the files of patterns, each of which has some: at none where a test runs itself.
func LooksAt(t testing.TB, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no such file (%v)", pattern, err)
		}
		for _, file := range files {
			if _, err := os.Stat(file); err != nil {
				t.Fatal(err)
			}
		}
	}
}
