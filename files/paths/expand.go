package paths

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Found is a file that a name or pattern names.
type Found struct {
	Name string
	// Below is its path below the folders that the pattern writes out, with slashes, if the
	// pattern has the element **; otherwise its last element.
	Below string
}

// Expand returns the names of the files that [Find] finds.
func Expand(name string) ([]string, error) {
	found, err := Find(name)
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = f.Name
	}
	return names, err
}

// Find returns the files that match a name or pattern, in lexical order. The name of an
// existing file is that file, whatever characters it holds. The leading folders of a pattern
// that exist are taken literally, and only the rest is matched (path.Match, element by element).
// As in a shell, only an element that begins with a dot matches names that do. An element ** is
// any number of folders, as the last one all files below them; links to folders are not
// followed there, and folders are not among the files. Find returns nothing if nothing matches.
func Find(name string) ([]Found, error) {
	if _, err := os.Lstat(name); err == nil {
		return []Found{{name, filepath.Base(name)}}, nil
	} else if !errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `*?[`) {
		return nil, err
	}
	if !strings.ContainsAny(name, `*?[\`) {
		return nil, nil
	}
	folder, rest := literal(filepath.ToSlash(name))
	if _, err := path.Match(rest, ""); err != nil {
		return nil, err
	}
	g := glob{tree: os.DirFS(orDot(folder)), found: map[string]bool{}, seen: map[place]bool{}}
	elements := slices.DeleteFunc(strings.Split(rest, "/"), func(e string) bool { return e == "" })
	g.deep = slices.Contains(elements, deep)
	if err := g.find(".", elements); err != nil {
		return nil, err
	}
	var found []Found
	for f := range g.found {
		one := Found{filepath.FromSlash(folder + f), path.Base(f)}
		if g.deep {
			one.Below = f
		}
		found = append(found, one)
	}
	slices.SortFunc(found, func(a, b Found) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// Reaches reports whether a pattern with ** looks for files in a folder.
func Reaches(pattern, folder string) bool {
	if _, err := os.Lstat(pattern); err == nil {
		return false
	}
	written, rest := literal(filepath.ToSlash(pattern))
	if !slices.Contains(strings.Split(rest, "/"), deep) {
		return false
	}
	below, err := filepath.Rel(resolve(orDot(written)), resolve(folder))
	return err == nil && filepath.IsLocal(below)
}

// deep is the element of a pattern that matches any number of folders.
const deep = "**"

// glob finds the files of a pattern below a folder.
type glob struct {
	tree  fs.FS
	deep  bool // the pattern has **
	found map[string]bool
	seen  map[place]bool
}

// place is where a pattern is looked for: a folder, and how many of its elements are left.
type place struct {
	folder string
	left   int
}

// find adds the files of a folder, or below it, that match the elements of a pattern. Several **
// reach a folder in many ways, and it is read once for each end of the pattern.
func (g *glob) find(folder string, elements []string) error {
	at := place{folder, len(elements)}
	if g.seen[at] {
		return nil
	}
	g.seen[at] = true
	first, rest := elements[0], elements[1:]
	if !strings.ContainsAny(first, `*?[\`) {
		return g.take(path.Join(folder, first), rest)
	}
	entries, err := fs.ReadDir(g.tree, folder)
	if err != nil {
		return err
	}
	if first == deep && len(rest) > 0 {
		if err := g.find(folder, rest); err != nil {
			return err
		}
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		switch matches, err := path.Match(first, e.Name()); {
		case err != nil:
			return err
		case !matches || strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(first, "."):
			continue
		case first == deep && e.IsDir():
			if err := g.find(name, elements); err != nil {
				return err
			}
			continue
		case first == deep && len(rest) > 0:
			continue
		}
		if err := g.take(name, rest); err != nil {
			return err
		}
	}
	return nil
}

// take adds a name that matches, or looks for the rest of the pattern in it.
func (g *glob) take(name string, rest []string) error {
	info, err := fs.Stat(g.tree, name)
	switch {
	case err != nil && len(rest) == 0:
		_, link := fs.Lstat(g.tree, name)
		if link == nil { // a link to nothing, which is an error when it is opened
			g.found[name] = true
		}
		return unlessAbsent(link)
	case err != nil:
		return unlessAbsent(err)
	case len(rest) > 0 && info.IsDir():
		return g.find(name, rest)
	case len(rest) == 0 && !(g.deep && info.IsDir()):
		g.found[name] = true
	}
	return nil
}

// unlessAbsent returns an error of a name that a folder may have: one that cannot be read may hold
// files of the pattern. A name below a file, or above the folders of the pattern, matches nothing.
func unlessAbsent(err error) error {
	for _, absent := range []error{fs.ErrNotExist, fs.ErrInvalid, syscall.ENOTDIR, syscall.ELOOP} {
		if errors.Is(err, absent) {
			return nil
		}
	}
	return err
}

// literal splits a pattern after the longest run of leading folders that exist.
// The folder ends in a slash, or is empty.
func literal(pattern string) (folder, rest string) {
	rest = pattern
	for {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return folder, rest
		}
		next := folder + rest[:i+1]
		if info, err := os.Stat(next); err != nil || !info.IsDir() {
			return folder, rest
		}
		folder, rest = next, strings.TrimLeft(rest[i+1:], "/")
	}
}

func orDot(folder string) string {
	if folder == "" {
		return "."
	}
	return folder
}
