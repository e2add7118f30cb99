package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
)

// sources are the files of the Python package, by their path with slashes.
type sources struct {
	module map[string][]byte // of sotto/, without the program
	beside map[string][]byte // the rest of a source distribution
}

// needsRuntime is the part of the metadata that says what the package needs.
const needsRuntime = ">=3.9"

// readPackage reads the package in a folder of the repository. It takes the files that
// are part of the package by their extension, so that nothing else gets in.
func readPackage(folder string) (s sources, err error) {
	s = sources{map[string][]byte{}, map[string][]byte{}}
	for _, dir := range []string{"sotto", "tests"} {
		into := s.module
		if dir == "tests" {
			into = s.beside
		}
		err := filepath.WalkDir(filepath.Join(folder, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if d.Name() == "bin" || d.Name() == "__pycache__" {
					return filepath.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(name, ".py") && d.Name() != "py.typed" {
				return nil
			}
			inside, err := filepath.Rel(folder, name)
			if err != nil {
				return err
			}
			into[filepath.ToSlash(inside)], err = os.ReadFile(name)
			return err
		})
		if err != nil {
			return s, err
		}
	}
	for _, name := range []string{"pyproject.toml", "README.md"} {
		if s.beside[name], err = os.ReadFile(filepath.Join(folder, name)); err != nil {
			return s, err
		}
	}
	if s.beside["LICENSE"], err = os.ReadFile(filepath.Join(folder, "..", "LICENSE")); err != nil {
		return s, err
	}
	if s.beside[verifier], err = os.ReadFile(filepath.Join(folder, "..", "verify", verifier)); err != nil {
		return s, err
	}
	return s, s.checkVersion()
}

// verifier is a module of its own in the wheel: it imports nothing of the package.
const verifier = "sotto_verify.py"

var pythonVersion = regexp.MustCompile(`(?m)^__version__ = "([^"]*)"$`)

// checkVersion compares the version of the package with that of the program.
func (s sources) checkVersion() error {
	m := pythonVersion.FindSubmatch(s.module["sotto/_version.py"])
	if m == nil || string(m[1]) != sotto.Version {
		return fmt.Errorf("sotto/_version.py says %q, the program is of version %s", m, sotto.Version)
	}
	return nil
}

// metadata returns the METADATA of a wheel, which is the PKG-INFO of a source
// distribution. more are further lines of the header.
func (s sources) metadata(more ...string) []byte {
	lines := []string{
		"Metadata-Version: 2.1",
		"Name: sotto",
		"Version: " + sotto.Version,
		"Summary: Private copies of text under differential privacy, with a statement of what holds",
		"License-File: LICENSE",
		"Classifier: Programming Language :: Python :: 3",
		"Classifier: Typing :: Typed",
		"Requires-Python: " + needsRuntime,
		"Provides-Extra: all",
		"Requires-Dist: numpy; extra == \"all\"",
		"Requires-Dist: pandas; extra == \"all\"",
		"Requires-Dist: scikit-learn; extra == \"all\"",
		"Requires-Dist: tqdm; extra == \"all\"",
		"Description-Content-Type: text/markdown",
	}
	return []byte(strings.Join(append(lines, more...), "\n") + "\n\n" + string(s.beside["README.md"]))
}

// file is one file of an archive.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// sorted returns the files of a map, in order.
func sorted(files map[string][]byte, under string) (list []file) {
	for name, data := range files {
		list = append(list, file{path.Join(under, name), data, 0o644})
	}
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list
}
