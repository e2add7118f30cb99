package paths

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// denied is a tree in which nothing below some folder can be read.
type denied struct {
	fstest.MapFS
	reads int
}

func (d *denied) Stat(name string) (fs.FileInfo, error) {
	if strings.Contains(name, "locked/") {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrPermission}
	}
	return d.MapFS.Stat(name)
}

func (d *denied) Lstat(name string) (fs.FileInfo, error) { return d.Stat(name) }

func (d *denied) ReadDir(name string) ([]fs.DirEntry, error) {
	if d.reads++; strings.HasSuffix(name, "locked") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.MapFS.ReadDir(name)
}

func search(tree fs.FS, pattern string) ([]string, error) {
	g := glob{tree: tree, found: map[string]bool{}, seen: map[place]bool{}}
	err := g.find(".", strings.Split(pattern, "/"))
	return slices.Sorted(maps.Keys(g.found)), err
}

// A folder that cannot be read may hold files of the pattern.
func TestFolderThatCannotBeReadIsAnError(t *testing.T) {
	tree := &denied{MapFS: fstest.MapFS{"locked/x.txt": {}, "open/x.txt": {}, "open/sub/y.txt": {}}}
	for _, pattern := range []string{"*/x.txt", "*/sub/*.txt", "*/*.txt", "**/y.txt", "**"} {
		if found, err := search(tree, pattern); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s finds %q (%v)", pattern, found, err)
		}
	}
	if found, err := search(tree, "o*/x.txt"); err != nil || !slices.Equal(found, []string{"open/x.txt"}) {
		t.Errorf("beside it are %q (%v)", found, err)
	}
}

// Many ** reach a folder in many ways, and it is read once for each end of the pattern.
func TestFoldersAreReadOnceForEachEndOfAPattern(t *testing.T) {
	deep := strings.Repeat("d/", 30)
	tree := &denied{MapFS: fstest.MapFS{deep + "x.txt": {}}}
	if found, err := search(tree, strings.Repeat("**/", 12)+"*.txt"); err != nil || !slices.Equal(found, []string{deep + "x.txt"}) || tree.reads > 31*13 {
		t.Errorf("%d folders are read, and %q found (%v)", tree.reads, found, err)
	}
}
