package paths

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOneFileUnderTwoNamesIsFound(t *testing.T) {
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	try := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	try(os.MkdirAll(at("folder", "within"), 0o755))
	try(os.WriteFile(at("file"), []byte("x"), 0o600))
	try(os.WriteFile(at("other"), []byte("x"), 0o600))
	try(os.Link(at("file"), at("hard")))
	try(os.Symlink("file", at("soft")))
	try(os.Symlink("absent", at("dangling")))
	try(os.Symlink(at("folder"), at("way")))
	opened, err := os.Stat(at("file"))
	try(err)

	read := func(name string) Use { return Use{Flag: "FILE", Name: name} }
	texts := func(name string) Use { return Use{Flag: "FILE", Name: name, Texts: true} }
	write := func(name string) Use { return Use{Flag: "-o", Name: name, Writes: true} }
	for _, c := range []struct {
		what string
		uses []Use
		same bool
	}{
		{"read and written", []Use{read(at("file")), write(at("file"))}, true},
		{"written and read", []Use{write(at("file")), read(at("file"))}, true},
		{"a roundabout name", []Use{read(at("folder", "..", "file")), write(at("file"))}, true},
		{"a hard link", []Use{read(at("file")), write(at("hard"))}, true},
		{"a symbolic link", []Use{read(at("soft")), write(at("file"))}, true},
		{"written twice", []Use{write(at("hard")), write(at("soft"))}, true},
		{"absent, written twice", []Use{write(at("absent")), write(at("absent"))}, true},
		{"absent, through a link to it", []Use{write(at("dangling")), write(at("absent"))}, true},
		{"absent, in a folder behind a link", []Use{write(at("way", "new")), write(at("folder", "new"))}, true},
		{"absent, in a folder that is absent", []Use{write(at("no", "new")), write(at("folder", "..", "no", "new"))}, true},
		{"an open file", []Use{read(at("hard")), {Name: "standard output", Info: opened, Writes: true}}, true},
		{"remote", []Use{read("gs://b/x"), write("gs://b/x")}, true},
		{"read twice", []Use{read(at("file")), read(at("hard")), read(at("file"))}, false},
		{"texts given twice", []Use{texts(at("file")), texts(at("file"))}, true},
		{"texts given twice, by links", []Use{texts(at("soft")), texts(at("other")), texts(at("hard"))}, true},
		{"texts that are read as public too", []Use{texts(at("hard")), {Flag: "--labels", Name: at("soft"), Public: true}}, true},
		{"public, then read as texts", []Use{{Flag: "--labels", Name: at("file"), Public: true}, texts(at("hard"))}, true},
		{"texts that another use reads", []Use{read(at("file")), texts(at("hard"))}, false},
		{"two files of texts, one of them public", []Use{texts(at("file")), {Flag: "--labels", Name: at("other"), Public: true}}, false},
		{"two files of one content", []Use{read(at("file")), write(at("other"))}, false},
		{"two absent files", []Use{write(at("absent")), write(at("absent2"))}, false},
		{"a device", []Use{write(os.DevNull), write(os.DevNull), read(os.DevNull)}, false},
		{"a directory", []Use{write(at("folder")), read(at("folder"))}, false},
	} {
		err := Check(c.uses)
		var conflict *ConflictError
		if errors.As(err, &conflict) != c.same || (err != nil) != c.same {
			t.Errorf("%s: %v", c.what, err)
		}
		if conflict != nil && !conflict.A.Writes && conflict.B.Writes {
			t.Errorf("%s: the use that writes is not named first: %v", c.what, err)
		}
	}
}
