package corpus

import "github.com/sotto-dp/sotto/internal/library"

// Extension is the extension of a corpus file.
const Extension = ".corpus"

var corpora = library.Kind{Folder: "corpora", Extension: Extension}

// Library returns the folder of the user's corpora: $SOTTO_HOME/corpora, or sotto/corpora
// in the user's configuration directory.
func Library() (string, error) { return corpora.Dir() }

// List returns the names of the corpora in the library, in order.
func List() ([]string, error) { return corpora.List() }

// CanName reports whether name is a valid name of a corpus: up to 40 letters, digits,
// dots, dashes and underscores, beginning with a letter or a digit.
func CanName(name string) bool { return library.CanName(name) }
