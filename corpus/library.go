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

// Find opens one of [Builtins] by its name, a corpus of the library by its name, or a
// corpus file by its path. If there is none of these, the error wraps fs.ErrNotExist.
//
// The first use of a builtin corpus other than english makes it, which takes seconds,
// and keeps it in the user's cache directory. A kept file is used only if it has the
// digest that the program states.
func Find(nameOrFile string) (*Corpus, error) {
	if nameOrFile == EnglishName {
		return English()
	}
	if f := fieldOf(nameOrFile); f != nil {
		return f.open()
	}
	return Open(corpora.Path(nameOrFile))
}
