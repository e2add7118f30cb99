package choose

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/sotto-dp/sotto/corpora/internal/grammar"
)

// Fields returns the names of the fields in a folder, in order.
func Fields(folder fs.FS) (names []string, err error) {
	entries, err := fs.ReadDir(folder, ".")
	for _, e := range entries {
		if _, err := fs.Stat(folder, e.Name()+"/about.txt"); e.IsDir() && err == nil {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// All chooses the texts of a field, as many as its about.txt says.
func All(ctx context.Context, g *grammar.Grammar) ([]string, error) {
	want, err := strconv.Atoi(g.About("texts"))
	if err != nil {
		return nil, fmt.Errorf("about.txt: want a line \"texts: 20000\"")
	}
	chosen, err := Texts(ctx, g, want)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(chosen.Texts))
	for i, t := range chosen.Texts {
		texts[i] = t.Text
	}
	return texts, nil
}

// Source returns the digest of all files of a field, with their names.
func Source(folder fs.FS, name string) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(folder, name, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, path)
		fmt.Fprintf(h, "%s %d\n", path, len(data))
		h.Write(data)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
