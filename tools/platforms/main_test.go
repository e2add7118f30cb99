package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fault in a file, a test or a number of one platform is found there, and nowhere else.
func TestFaultsAreFoundOnTheirPlatform(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module m\n\ngo 1.26\n",
		"main.go":         "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(width) }\n",
		"main_unix.go":    "//go:build unix\n\npackage main\n\nconst width = 1 << 40\n",
		"main_windows.go": "package main\n\nconst width = undeclared\n",
		"a_darwin_test.go": "package main\n\nimport \"testing\"\n\n" +
			"func TestA(t *testing.T) { var unused int }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	t.Setenv("GOWORK", "off")
	for platform, want := range map[string]string{
		"linux/amd64": "", "linux/386": "overflows", "windows/amd64": "undeclared", "darwin/arm64": "unused",
		"plan9/amd64": "width", "sunos": "OS/ARCH",
	} {
		_, faults, err := check(platform, []string{"./..."})
		if err != nil {
			faults = []string{err.Error()}
		}
		all := strings.Join(faults, "\n")
		if (want == "") != (all == "") || !strings.Contains(all, want) {
			t.Errorf("%s: %q, want %q", platform, all, want)
		}
	}
}
