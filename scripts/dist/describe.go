package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/scripts/internal/program"
)

// describe builds the program for this machine, and gets its version, manual pages and
// completions from it.
func describe(ctx context.Context, folder, scratch string) (*release, error) {
	r := &release{folder: folder, version: sotto.Version, tools: scratch}
	if err := r.history(ctx); err != nil {
		return nil, err
	}
	// A bill of materials has the digest of the program that wrote it.
	env := []string{"GOWORK=off", "CGO_ENABLED=0"}
	if _, err := output(ctx, env, "go", "-C", "tools", "build", "-trimpath", "-buildvcs=false", "-o", r.tools+"/",
		"github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod", "github.com/goreleaser/nfpm/v2/cmd/nfpm"); err != nil {
		return nil, err
	}
	executable := filepath.Join(scratch, "sotto")
	if err := program.Build(ctx, executable, runtime.GOOS, runtime.GOARCH, r.commit); err != nil {
		return nil, err
	}
	said, err := output(ctx, nil, executable, "version", "--json")
	if err != nil {
		return nil, err
	}
	var about struct{ Version, Commit string }
	if err := json.Unmarshal([]byte(said), &about); err != nil {
		return nil, err
	}
	if about.Version != r.version || about.Commit != r.commit {
		return nil, fmt.Errorf("the program says that it is %s of commit %q, not %s of %q", about.Version, about.Commit, r.version, r.commit)
	}
	if err := r.checkTag(ctx); err != nil {
		return nil, err
	}
	if err := r.ask(ctx, executable); err != nil {
		return nil, err
	}
	return r, r.read(ctx)
}

// history finds the commit and its time. Without a history SOURCE_DATE_EPOCH gives the
// time.
func (r *release) history(ctx context.Context) error {
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	var err error
	if r.commit, err = program.Commit(ctx); err != nil {
		return err
	}
	if r.commit != "" && seconds == "" {
		if seconds, err = output(ctx, nil, "git", "log", "-1", "--format=%ct"); err != nil {
			return err
		}
	}
	if seconds == "" {
		return errors.New("there is no history: set SOURCE_DATE_EPOCH to the time of the release")
	}
	n, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64)
	r.when = time.Unix(n, 0).UTC()
	return err
}

// checkTag refuses a commit that is tagged as another version than its program says.
func (r *release) checkTag(ctx context.Context) error {
	if r.commit == "" {
		return nil
	}
	tags, err := output(ctx, nil, "git", "tag", "--points-at", "HEAD", "--list", "v*")
	if err != nil {
		return err
	}
	for _, tag := range strings.Fields(tags) {
		if tag != "v"+r.version {
			return fmt.Errorf("the commit is tagged %s, and sotto.Version is %s", tag, r.version)
		}
	}
	return nil
}

// ask reads manual pages and completions from the program.
func (r *release) ask(ctx context.Context, program string) error {
	names, err := output(ctx, nil, program, "manual")
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(names) {
		page, err := output(ctx, nil, program, "manual", "--date", r.when.Format(time.DateOnly), name)
		if err != nil {
			return err
		}
		r.pages = append(r.pages, file{name: "man/" + name, data: []byte(page)})
	}
	for shell, name := range map[string]string{"bash": "sotto.bash", "zsh": "_sotto", "fish": "sotto.fish"} {
		script, err := output(ctx, nil, program, "completion", shell)
		if err != nil {
			return err
		}
		r.pages = append(r.pages, file{name: "completions/" + name, data: []byte(script)})
	}
	return nil
}

// documents are the files of the sources that every archive has.
var documents = []string{"LICENSE", "README.md", "CHANGELOG.md", "verify/sotto_verify.py"}

// read reads the documents of the release.
func (r *release) read(ctx context.Context) error {
	for _, name := range documents {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.texts = append(r.texts, file{name: path.Base(name), data: data})
	}
	licences, err := licences(ctx)
	r.texts = append(r.texts, file{name: "LICENSES-OF-MODULES", data: licences})
	return err
}
