package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// module is one that the program is built from.
type module struct{ path, version, folder string }

// modules returns the modules that the program is built from on any platform.
func modules(ctx context.Context) ([]module, error) {
	found := map[module]bool{}
	for _, platform := range platforms {
		system, arch, _ := strings.Cut(platform, "/")
		list, err := output(ctx, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch},
			"go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/sotto")
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			if f := strings.Split(line, "\t"); len(f) == 3 {
				found[module{f[0], f[1], f[2]}] = true
			}
		}
	}
	return slices.Collect(maps.Keys(found)), nil
}

// licences returns the licences of the modules, and of Go, whose standard library is part
// of the program.
func licences(ctx context.Context) ([]byte, error) {
	list, err := modules(ctx)
	if err != nil {
		return nil, err
	}
	modules := map[string]string{} // the folder of each
	for _, m := range list {
		modules[m.path+" "+m.version] = m.folder
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
