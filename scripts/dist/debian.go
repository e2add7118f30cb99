package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// debian returns the package for an architecture, which Debian names as Go does.
func (r *release) debian(ctx context.Context, arch string, program []byte) ([]byte, error) {
	scratch, err := os.MkdirTemp("", "deb-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	list := []file{{"usr/bin/sotto", program, true}}
	add := func(name string, data []byte) { list = append(list, file{name: name, data: data}) }
	for _, f := range r.texts {
		switch f.name {
		case "LICENSE":
			add("usr/share/doc/sotto/copyright", f.data)
		case "README.md", "LICENSES-OF-MODULES":
			add("usr/share/doc/sotto/"+f.name, f.data)
		case "CHANGELOG.md":
			data, err := gzipped(f.data)
			if err != nil {
				return nil, err
			}
			add("usr/share/doc/sotto/changelog.gz", data)
		}
	}
	for _, f := range r.pages {
		data := f.data
		name := debianPath(f.name)
		if strings.HasPrefix(name, "usr/share/man/") {
			if data, err = gzipped(data); err != nil {
				return nil, err
			}
		}
		add(name, data)
	}
	type fileInfo struct {
		Owner string    `json:"owner"`
		Group string    `json:"group"`
		Mode  int64     `json:"mode"`
		MTime time.Time `json:"mtime"`
	}
	type content struct {
		Source      string   `json:"src"`
		Destination string   `json:"dst"`
		Info        fileInfo `json:"file_info"`
	}
	var contents []content
	for i, f := range list {
		source := filepath.Join(scratch, fmt.Sprintf("%d-%s", i, path.Base(f.name)))
		if err := os.WriteFile(source, f.data, 0o600); err != nil {
			return nil, err
		}
		contents = append(contents, content{source, path.Join("/", f.name), fileInfo{"root", "root", f.mode(), r.when}})
	}
	// The configuration is YAML, of which JSON is a part.
	config, err := json.Marshal(map[string]any{
		"name": "sotto", "arch": arch, "platform": "linux", "version": r.version, "section": "text", "priority": "optional",
		"maintainer": "sotto-dp <sotto-dp@users.noreply.github.com>", "homepage": "https://github.com/sotto-dp/sotto", "license": "Apache-2.0",
		"description": "private copies of text under differential privacy\nsotto rewrites text, vectors and corpora, and recomputes the guarantee of each release.",
		"mtime":       r.when, "contents": contents,
	})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(scratch, "nfpm.yaml"), config, 0o600); err != nil {
		return nil, err
	}
	target := filepath.Join(scratch, "sotto.deb")
	if _, err := output(ctx, nil, filepath.Join(r.tools, "nfpm"), "package", "--config", filepath.Join(scratch, "nfpm.yaml"), "--packager", "deb", "--target", target); err != nil {
		return nil, err
	}
	return os.ReadFile(target)
}

// debianPath returns where a page or completion is installed.
func debianPath(name string) string {
	base := path.Base(name)
	switch {
	case strings.HasPrefix(name, "man/"):
		return "usr/share/man/man" + path.Ext(base)[1:] + "/" + base + ".gz"
	case base == "sotto.bash":
		return "usr/share/bash-completion/completions/sotto"
	case base == "_sotto":
		return "usr/share/zsh/vendor-completions/_sotto"
	}
	return "usr/share/fish/vendor_completions.d/" + base
}
