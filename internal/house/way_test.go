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
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/internal/stage"
)

// What a word and a request may run through, in files and packages of the core: those with code that runs more often for
// two than for one. So the search for the word's neighbours counts, and the opening of the mechanism, which the
// first one finds closed, does not. The limits are what is true, with a few files more for what is done now and then,
// such as new random words and a look whether a file has changed; what is meant is in brackets.
var ways = []struct {
	name            string
	files, packages int
	run             func(t *testing.T, program string, words []string, env []string)
}{
	{"a word", 57, 22, runWord},             // (30 and 12)
	{"an HTTP request", 75, 28, runRequest}, // (50 and 20)
}

// words are drawn one after the other: the first opens what the second finds open.
var words = []string{"doctor", "nurse"}

// A word and a request run through few files and packages. Coverage counts them: nothing that is only read about.
func TestWaysAreShort(t *testing.T) {
	stage.Needs(t, stage.Figures)
	program := filepath.Join(t.TempDir(), "sotto")
	build := exec.Command("go", "build", "-cover", "-covermode=count", "-coverpkg="+module+"/...", "-o", program, "./cmd/sotto")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			var covered [2]map[string]int
			for i := range covered {
				folder := t.TempDir()
				way.run(t, program, words[:i+1], append(os.Environ(), "GOCOVERDIR="+folder))
				covered[i] = blocks(t, folder)
			}
			files, packages := map[string]bool{}, map[string][]string{}
			for block, times := range covered[1] {
				file, _, _ := strings.Cut(block, ":")
				if times > covered[0][block] && !files[file] {
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
func blocks(t *testing.T, folder string) map[string]int {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+folder, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 {
			if found[fields[0]], err = strconv.Atoi(fields[2]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return found
}

func runWord(t *testing.T, program string, words []string, env []string) {
	c := exec.Command(program, "rewrite", "-e", "8")
	c.Env = env
	const often = 200_000 // so that the second comes in batches of its own
	var in strings.Builder
	for _, word := range words {
		in.WriteString(strings.Repeat(word+"\n", often))
	}
	c.Stdin = strings.NewReader(in.String())
	out, err := c.Output()
	if err != nil || bytes.Count(out, []byte("\n")) != often*len(words) {
		t.Fatalf("%v, %d bytes", err, len(out))
	}
}

var served = regexp.MustCompile(`"address":"([^"]+)"`)

func runRequest(t *testing.T, program string, words []string, env []string) {
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
	for _, word := range words {
		url := "http://" + address + "/v1/rewrite"
		r, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(`{"texts":["`+word+`"],"epsilon":8}`))
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
			t.Fatalf("%s: %s", url, answer.Status)
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // an interrupted service ends with a status of its own
}
