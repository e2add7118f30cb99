package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// creates are the calls that make or fill a file. Programs write their results
// through this package, so that nothing is seen half-written.
var creates = regexp.MustCompile(`os\.(WriteFile|Create|CreateTemp|O_CREATE)\b`)

// others create files too, each for its own reason.
var others = map[string]string{
	"files/atomicfile/names.go":                    "this package",
	"files/atomicfile/mode.go":                     "this package",
	"cmd/sotto/internal/cli/lock.go":               "an empty file that is locked",
	"cmd/sotto/internal/corpora/corpuswrite.go":    "texts as they come, which a later run continues",
	"cmd/sotto/internal/release/kept.go":           "a file without a name, for what waits",
	"files/runkey/keyfile.go":                      "a key, 0600 for good",
	"ledger/sqlite/sqlite.go":                      "a database, 0600 for good",
	"run/log.go":                                   "the record of a run, which grows line by line",
	"internal/postgrestest":                        "a test's server",
	"scripts":                                      "measurements",
	"tools/modproxy":                               "packs modules for a test",
	"cmd/sotto/internal/server/playground/figures": "generates code",
	"audit/catalogue":                              "generates documents",
	"internal/wordclass/gen":                       "generates code",
	"embedding/builtin/gen":                        "generates a table",
	"embedding/model2vec/gen":                      "generates a folder",
	"mechanism/internal/shipped/gen":               "generates figures",
	"internal/gen":                                 "generates code",
	"attack/measured/generate":                     "generates figures",
}

func TestFilesAreCreatedHere(t *testing.T) {
	root := filepath.Join("..", "..")
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil || !creates.Match(source) {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		for other := range others {
			if name == other || strings.HasPrefix(name, other+"/") {
				used[other] = true
				return nil
			}
		}
		t.Errorf("%s creates files: write them with files/atomicfile", name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for other := range others {
		if !used[other] {
			t.Errorf("%s creates no file: take it off the list", other)
		}
	}
}
