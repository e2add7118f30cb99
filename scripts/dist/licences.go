package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// licences returns the licences of the modules that the program is built from on any
// platform, and of Go, whose standard library is part of it.
func licences(ctx context.Context) ([]byte, error) {
	modules := map[string]string{} // the folder of each
	for _, platform := range platforms {
		system, arch, _ := strings.Cut(platform, "/")
		list, err := output(ctx, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch},
			"go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/sotto")
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			if name, dir, ok := strings.Cut(line, "\t"); ok {
				modules[name] = dir
			}
		}
	}
	root, err := output(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules["The Go standard library"] = strings.TrimSpace(root)
	var names []string
	for name := range modules {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	for _, name := range names {
		found, err := licenceFiles(modules[name])
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s has no licence in %s", name, modules[name])
		}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "%s: %s\n\n%s\n\n", name, filepath.Base(path), bytes.TrimSpace(data))
		}
	}
	return b.Bytes(), nil
}

// licenceFiles returns the files of a folder that state a licence, sorted.
func licenceFiles(dir string) (found []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		for _, begins := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"} {
			if e.Type().IsRegular() && strings.HasPrefix(name, begins) {
				found = append(found, filepath.Join(dir, e.Name()))
				break
			}
		}
	}
	return found, nil
}
