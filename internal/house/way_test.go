package house

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/internal/stage"
)

// What a word and a request may run through, in files and packages of the core. It is what a run with the word or the
// request covers beyond one without: also the first search for the word's neighbours, and for a request the opening
// of its mechanism. The limits are what is true; what is meant is in brackets.
var ways = []struct {
	name            string
	files, packages int
	run             func(t *testing.T, program string, data bool, env []string)
}{
	{"a word", 56, 22, runWord},             // (30 and 12)
	{"an HTTP request", 88, 32, runRequest}, // (50 and 20)
}

// A word and a request run through few files and packages. Coverage counts them: nothing that is only read about.
func TestWaysAreShort(t *testing.T) {
	stage.Needs(t, stage.Figures)
	program := filepath.Join(t.TempDir(), "sotto")
	build := exec.Command("go", "build", "-cover", "-coverpkg="+module+"/...", "-o", program, "./cmd/sotto")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			var covered [2]map[string]bool
			for i, data := range []bool{false, true} {
				folder := t.TempDir()
				way.run(t, program, data, append(os.Environ(), "GOCOVERDIR="+folder))
				covered[i] = blocks(t, folder)
			}
			files, packages := map[string]bool{}, map[string][]string{}
			for block := range covered[1] {
				file, _, _ := strings.Cut(block, ":")
				if !covered[0][block] && !files[file] {
					files[file] = true
					pkg := below(path.Dir(file))
					packages[pkg] = append(packages[pkg], path.Base(file))
				}
			}
			t.Logf("%d files, %d packages: %v", len(files), len(packages), packages)
			if len(files) > way.files || len(packages) > way.packages {
				t.Errorf("%s runs through %d files of %d packages, at most %d of %d: %v", way.name, len(files), len(packages), way.files, way.packages, packages)
			}
			if len(files) < 10 {
				t.Errorf("coverage sees %d files", len(files))
			}
		})
	}
}

// blocks returns the blocks of source that a run covered.
func blocks(t *testing.T, folder string) map[string]bool {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+folder, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[2] != "0" {
			found[fields[0]] = true
		}
	}
	return found
}

func runWord(t *testing.T, program string, data bool, env []string) {
	c := exec.Command(program, "rewrite", "-e", "8")
	c.Env = env
	if data {
		c.Stdin = strings.NewReader("doctor\n")
	}
	out, err := c.Output()
	if err != nil || data != (len(bytes.TrimSpace(out)) > 0) {
		t.Fatalf("%v, %d bytes", err, len(out))
	}
}

var served = regexp.MustCompile(`"address":"([^"]+)"`)

func runRequest(t *testing.T, program string, data bool, env []string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, "serve", "--listen", "127.0.0.1:0")
	c.Env = env
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	log, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var address string
	lines := bufio.NewScanner(log)
	for address == "" && lines.Scan() {
		if m := served.FindStringSubmatch(lines.Text()); m != nil {
			address = m[1]
		}
	}
	if address == "" {
		t.Fatal("the service says no address")
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	paths := []string{""} // a probe, which every service gets
	if data {
		paths = append(paths, `{"texts":["doctor"],"epsilon":8}`)
	}
	for _, body := range paths {
		method, url := "GET", "http://"+address+"/healthz"
		if body != "" {
			method, url = "POST", "http://"+address+"/v1/rewrite"
		}
		r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s %s: %s", method, url, answer.Status)
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // an interrupted service ends with a status of its own
}
