package embedding

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/internal/library"
)

// Extension is the extension of a table file.
const Extension = ".sotto"

var tables = library.Kind{Folder: "embeddings", Extension: Extension}

// Library returns the folder of imported tables: $SOTTO_HOME/embeddings, or
// sotto/embeddings in the user's configuration directory.
func Library() (string, error) { return tables.Dir() }

// Import writes a table to the library under a name and returns the file's path.
func Import(t *Table, name string) (string, error) {
	if !library.CanName(name) {
		return "", fmt.Errorf("embedding: name must be up to 40 letters, digits, dots, dashes and underscores, got %q", name)
	}
	dir, err := Library()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := t.Hold(); err != nil {
		return "", err
	}
	named := &Table{name: name, words: t.words, unknown: t.unknown, dim: t.dim, step: t.step, vectors: vectors{held: t.components()}, counts: t.counts, rules: t.rules, subwords: t.subwords}
	path := filepath.Join(dir, name+Extension)
	return path, WriteFile(path, named)
}

// List returns the names of the imported tables, sorted.
func List() ([]string, error) { return tables.List() }

// Find opens an imported table by its name, or a vector file by its path. The
// error wraps fs.ErrNotExist if there is neither.
func Find(nameOrFile string) (*Table, error) { return Open(tables.Path(nameOrFile)) }

// FindWords is Find by [OpenWords].
func FindWords(nameOrFile string) (*Table, error) { return OpenWords(tables.Path(nameOrFile)) }
