// Package paths checks the file names of a command line before anything is
// opened: it expands patterns, and detects a command that would write a file
// that it also reads, write one file twice, or read one file as two things of
// which one is private.
package paths

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Use is one file that a command reads or writes.
type Use struct {
	Flag   string // the flag or argument that names the file
	Name   string // the name as it was given
	Writes bool   // the file is written, or both read and written
	Texts  bool   // the file holds private texts, each of which is read once
	Public bool   // the file is read as public
	// Info, if not nil, identifies a file that is already open, such as standard
	// output. Name is then only shown.
	Info fs.FileInfo
}

// ConflictError reports two uses of one file, one of which writes it or reads private texts.
type ConflictError struct{ A, B Use }

func (e *ConflictError) Error() string {
	why := ""
	switch {
	case e.A.Writes || e.B.Writes:
	case e.A.Public || e.B.Public:
		why = ", read as texts and as public"
	default:
		why = ", whose texts would count twice"
	}
	return fmt.Sprintf("%s and %s are the same file%s", e.A, e.B, why)
}

func (u Use) String() string {
	if u.Info != nil {
		return u.Name
	}
	return u.Flag + " " + u.Name
}

// file identifies a file: by its FileInfo if it exists, and by its resolved
// path.
type file struct {
	use  Use
	info fs.FileInfo // nil where there is no such file
	path string      // empty where use.Info is set
}

// Check returns a *ConflictError for the first use that writes a file of another use, or that
// has the private texts of a file which another use has too, or reads as public. Symbolic links
// are followed and hard links are recognised. Pipes, devices and directories may be used more
// than once.
func Check(uses []Use) error {
	var files []file
	byPath := map[string]int{} // index into files of the first use, or of the first that writes
	for _, u := range uses {
		f := file{use: u, info: u.Info}
		if u.Info == nil {
			f = identify(u)
		}
		if f.info != nil && !f.info.Mode().IsRegular() {
			continue
		}
		if f.path != "" {
			if i, ok := byPath[f.path]; !ok {
				byPath[f.path] = len(files)
			} else if first := files[i]; exclude(first.use, u) {
				return conflict(first.use, u)
			}
		}
		files = append(files, f)
	}
	// Different paths can still lead to one file that exists: hard links, bind
	// mounts, file systems that ignore case.
	for i, a := range files {
		if !a.use.Writes || a.info == nil {
			continue
		}
		for j, b := range files {
			if i != j && b.info != nil && os.SameFile(a.info, b.info) {
				return conflict(a.use, b.use)
			}
		}
	}
	return checkTexts(files)
}

// exclude reports whether one file cannot have both uses.
func exclude(a, b Use) bool {
	return a.Writes || b.Writes || a.Texts && b.Texts || a.Texts && b.Public || a.Public && b.Texts
}

// checkTexts is Check for files that exist and are only read. Few of many share size and time.
func checkTexts(files []file) error {
	type shape struct {
		size, changed int64
	}
	alike := map[shape][]file{}
	for _, f := range files {
		if f.info == nil {
			continue
		}
		key := shape{f.info.Size(), f.info.ModTime().UnixNano()}
		for _, other := range alike[key] {
			if exclude(other.use, f.use) && os.SameFile(other.info, f.info) {
				return conflict(other.use, f.use)
			}
		}
		alike[key] = append(alike[key], f)
	}
	return nil
}

// conflict names the use that writes first.
func conflict(a, b Use) error {
	if !a.Writes && b.Writes {
		a, b = b, a
	}
	return &ConflictError{a, b}
}

func identify(u Use) file {
	if strings.Contains(u.Name, "://") { // a remote file has its name only
		return file{use: u, path: u.Name}
	}
	f := file{use: u, path: resolve(u.Name)}
	if info, err := os.Stat(u.Name); err == nil {
		f.info = info
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // file systems that ignore case
		f.path = strings.ToLower(f.path)
	}
	return f
}

// Same reports whether two names refer to one file or folder, even if it does not exist.
func Same(a, b string) bool {
	x, y := identify(Use{Name: a}), identify(Use{Name: b})
	return strings.TrimSuffix(x.path, "/") == strings.TrimSuffix(y.path, "/") || x.info != nil && y.info != nil && os.SameFile(x.info, y.info)
}

// resolve returns the absolute path of a name without symbolic links. The end of
// the path need not exist.
func resolve(name string) string {
	path, err := filepath.Abs(name)
	if err != nil {
		path = filepath.Clean(name)
	}
	for range 40 { // as many links as Linux follows
		if whole, err := filepath.EvalSymlinks(path); err == nil {
			return whole
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolve(parent), filepath.Base(path))
}
