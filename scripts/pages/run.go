package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// A runner runs pages, each in a folder of its own.
type runner struct {
	root  string // of the repository
	temp  string // holds the folders
	bin   string // has the program sotto
	large bool   // run the blocks that are too large for the test, too
	data  string // folder of data sets for these; "" means none
	// postgres is the environment of clients of a PostgreSQL server. Without it the
	// blocks that need one are left out.
	postgres []string
}

// newRunner builds the program in temp, an empty folder.
func newRunner(ctx context.Context, root, temp string) (*runner, error) {
	r := &runner{root: root, temp: temp, bin: filepath.Join(temp, "bin")}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", r.bin+string(filepath.Separator), "./cmd/sotto")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return r, nil
}

// errNoCheckout is the error of a page that runs in a clone, where git knows of none.
var errNoCheckout = errors.New("the sources are in no checkout of git")

// run runs a page. Its commands must succeed, print what the page shows, and write nothing
// else to standard error.
func (r *runner) run(ctx context.Context, p page) error {
	folder := filepath.Join(r.temp, strings.NewReplacer("/", "-", ".md", "").Replace(p.name))
	work, out := filepath.Join(folder, "work"), filepath.Join(folder, "out")
	for _, d := range []string{work, out} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	if p.clone {
		if err := clone(ctx, work, r.root); err != nil {
			return err
		}
	}
	if err := r.lay(work); err != nil {
		return err
	}
	sh, shown := p.script(r.large, r.postgres != nil, out)
	// Pages name the usual port. A test must not meet another service there.
	port, err := freePort()
	if err != nil {
		return err
	}
	sh = strings.ReplaceAll(sh, ":8080", fmt.Sprintf(":%d", port))
	env, err := r.environment(ctx, folder)
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", sh)
	cmd.Dir, cmd.Env, cmd.Stderr = work, append(env, r.postgres...), &stderr
	printed, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w: it prints\n%s\n%s", p.name, err, printed[max(0, len(printed)-1000):], stderr.Bytes())
	}
	if complaint := noted(stderr.String()); complaint != "" {
		return fmt.Errorf("%s: standard error has\n%s", p.name, complaint)
	}
	var wrong []error
	for i, t := range shown {
		got, err := os.ReadFile(filepath.Join(out, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		if !t.matches(strings.ReplaceAll(string(got), fmt.Sprintf(":%d", port), ":8080")) {
			wrong = append(wrong, fmt.Errorf("%s:%d: the page shows\n%sbut its command prints\n%s", p.name, t.line, t.want, got))
		}
	}
	return errors.Join(wrong...)
}

// lay puts links to the data sets into a folder, under the names that pages use.
func (r *runner) lay(work string) error {
	if r.data == "" {
		return nil
	}
	sets, err := os.ReadDir(r.data)
	if err != nil {
		return err
	}
	for _, s := range sets {
		if err := os.Symlink(filepath.Join(r.data, s.Name()), filepath.Join(work, s.Name())); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}

// environment is that of a page's commands: the program is in the path, and what programs
// keep for the user is in the page's folder, except for Go's own caches.
func (r *runner) environment(ctx context.Context, folder string) ([]string, error) {
	env := os.Environ()
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		value, err := exec.CommandContext(ctx, "go", "env", name).Output()
		if err != nil {
			return nil, err
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	return append(env,
		"PATH="+r.bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"GOFLAGS=-trimpath",
		"DATA="+r.data,
		"SOTTO_HOME=",
		"XDG_CONFIG_HOME="+filepath.Join(folder, "config"),
		"XDG_CACHE_HOME="+filepath.Join(folder, "cache")), nil
}

// expected begins lines of standard error in which programs report what they did.
var expected = regexp.MustCompile(`^(go: downloading |sotto: (done|note|warning): )`)

// noted returns standard error without the lines that are expected.
func noted(stderr string) (rest string) {
	for line := range strings.Lines(stderr) {
		if !expected.MatchString(line) {
			rest += line
		}
	}
	return rest
}

// clone copies the files of a checkout that git does not ignore.
func clone(ctx context.Context, to, root string) error {
	names, err := exec.CommandContext(ctx, "git", "-C", root, "ls-files", "-z", "--deduplicate", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return errNoCheckout
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		from := filepath.Join(root, name)
		info, err := os.Stat(from)
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted and not committed
		}
		if err != nil {
			return err
		}
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), data, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}

// freePort returns a port that nobody listens on. It is below those that systems give to
// clients, so that no connection takes it in the meantime.
func freePort() (int, error) {
	for i := range 10000 {
		port := 10000 + (os.Getpid()+i*97)%20000
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("no port is free")
}
