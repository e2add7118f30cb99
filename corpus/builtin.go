package corpus

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Builtin describes a corpus that the program has under a name.
type Builtin struct {
	Name     string `json:"name"`
	Field    string `json:"field"`    // what its texts are
	Language string `json:"language"` // BCP 47
	Texts    int    `json:"texts"`
	SHA256   string `json:"sha256"` // Digest
}

// Builtins describes the corpora that the program has, english first.
func Builtins() []Builtin {
	all := []Builtin{{EnglishName, "General English", "en", englishTexts, EnglishDigest}}
	for _, f := range fields() {
		all = append(all, f.Builtin)
	}
	return all
}

// IsBuiltin reports whether the program has a corpus of this name.
func IsBuiltin(name string) bool { return name == EnglishName || fieldOf(name) != nil }

// Samples returns n texts of a builtin corpus, evenly spaced, without opening it.
func (b Builtin) Samples(n int) ([]string, error) {
	f := fieldOf(b.Name)
	if f == nil {
		c, err := English()
		if err != nil {
			return nil, err
		}
		return spaced(n, c.Len(), c.Text), nil
	}
	texts, err := f.texts()
	if err != nil {
		return nil, err
	}
	return spaced(n, len(texts), func(i int) string { return texts[i] }), nil
}

func spaced(n, of int, text func(i int) string) (some []string) {
	for i := range min(n, of) {
		some = append(some, text((2*i+1)*of/(2*n)))
	}
	return some
}

// fieldFiles has the texts of each field, one per line, compressed, and fields.json.
//
//go:embed fields
var fieldFiles embed.FS

// Field is an entry of fields.json, which corpora/gen writes.
type Field struct {
	Builtin
	Encoder Kind `json:"encoder"`
	// File is Corpus.FileDigest: it covers the stored clusters too.
	File string `json:"file"`
	// Source is the digest of the frames and lists.
	Source string `json:"source"`
}

// field is a corpus of a field, which is made at most once.
type field struct {
	Field
	mu     sync.Mutex
	corpus *Corpus
	build  func() (*Corpus, error)
}

var fields = sync.OnceValue(func() []*field {
	data, err := fieldFiles.ReadFile("fields/fields.json")
	var all []*field
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		panic("corpus: fields.json: " + err.Error()) // it is part of the program
	}
	for _, f := range all {
		f.build = f.make
	}
	return all
})

func fieldOf(name string) *field {
	for _, f := range fields() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// open returns the corpus: from the user's cache, or else made from its texts, which takes
// some seconds, and then cached. Both must have the digest that the program states.
func (f *field) open() (*Corpus, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.corpus != nil {
		return f.corpus, nil
	}
	path := f.path()
	if path != "" {
		if c, err := Open(path); err == nil && c.FileDigest() == f.File {
			f.corpus = c
			return c, nil
		}
	}
	c, err := f.build()
	if err != nil {
		return nil, err
	}
	if c.FileDigest() != f.File || c.Digest() != f.SHA256 {
		return nil, fmt.Errorf("corpus: the corpus %s must have the digest %.12s, got %.12s", f.Name, f.File, c.FileDigest())
	}
	// Without a cache the next start makes it again.
	if path != "" && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		_ = c.WriteFile(path)
	}
	f.corpus = c
	return c, nil
}

// path returns where the user's cache keeps the corpus, "" for nowhere.
func (f *field) path() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "sotto", "corpora", f.Name+Extension)
}

// IsMade reports whether the corpus of a field is in the user's cache. If not, Find makes
// it, which takes some seconds. Other names need no making.
func IsMade(name string) bool {
	f := fieldOf(name)
	if f == nil {
		return true
	}
	_, err := os.Stat(f.path())
	return err == nil
}

// make builds the corpus from its texts.
func (f *field) make() (*Corpus, error) {
	texts, err := f.texts()
	if err != nil {
		return nil, err
	}
	return BuildField(f.Name, f.Encoder, texts)
}

func (f *field) texts() ([]string, error) {
	packed, err := fieldFiles.ReadFile("fields/" + f.Name + ".texts")
	if err != nil {
		return nil, err
	}
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	lines, err := reader.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("corpus: the texts of %s are damaged: %w", f.Name, err)
	}
	return strings.Split(strings.TrimSuffix(string(lines), "\n"), "\n"), nil
}

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
