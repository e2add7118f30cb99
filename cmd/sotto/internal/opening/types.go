package opening

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/typed"
)

// Codebook opens the file of a codebook of a type.
func Codebook(ctx context.Context, kind, name string) (*typed.Codebook, error) {
	in, err := cli.OpenInput(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("--type-codebook %s: %s: %w (embedded codebooks: %s)", kind, name, cli.PlainError(err), strings.Join(typed.Codebooks(), ", "))
	}
	defer in.Close()
	c, err := typed.Read(in, filepath.Base(name), kind)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// Kept reads the map of an earlier run, which nobody but its owner may read. Without a file it
// is empty.
func Kept(_ context.Context, name string) (*typed.Map, error) {
	m, err := readKept(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	return m, nil
}

func readKept(name string) (*typed.Map, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return typed.NewMap(), nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file: a map is read and written again")
	case info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/':
		return nil, errors.New("others may read this map of originals: make it yours alone with chmod 600")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return typed.ReadMap(file)
}
