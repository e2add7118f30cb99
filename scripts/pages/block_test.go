package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseFindsBlocksAndTheirMarks(t *testing.T) {
	p, err := parse("p.md", "# Title\n<!-- clone -->\ntext\n    no block: a paragraph goes on\n\n    one\n\n      two\n\n"+
		"<!-- large: make pages-large -->\n\n    three\n\n<!-- shape -->\n```json\n{}\n```\n1. item\n\n   ```console\n   $ four\n   4\n   ```\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []block{
		{line: 6, lang: "sh", text: "one\n\n  two\n"},
		{line: 12, lang: "sh", text: "three\n", target: "pages-large"},
		{line: 16, lang: "json", text: "{}\n", shape: true},
		{line: 21, lang: "console", text: "$ four\n4\n"},
	}
	if !slices.Equal(p.blocks, want) || !p.clone {
		t.Errorf("got %+v, want %+v in a clone", p, want)
	}
	var run, large []int
	for i, b := range p.blocks {
		if b.runs(false, false) {
			run = append(run, i)
		}
		if b.runs(true, false) {
			large = append(large, i)
		}
	}
	if !slices.Equal(run, []int{0, 3}) || !slices.Equal(large, []int{0, 1, 3}) {
		t.Errorf("the blocks %v run, and %v with the large ones", run, large)
	}
}

func TestParseRefusesBlocksThatNothingRuns(t *testing.T) {
	for markdown, want := range map[string]string{
		"```\nls\n```\n":                    "p.md:1: the fence says",
		"```bash\nls\n```\n":                "p.md:1: the fence says",
		"```json\n{}\n```\n":                "p.md:1: nothing runs this block",
		"```go\nx\n```\n":                   "p.md:1: a block of Go needs",
		"```sh\nls\n":                       "p.md:1: the fence is not closed",
		"<!-- large: too long -->\n\n    x": "p.md:1: the mark is malformed",
		"<!-- shape -->\ntext\n":            "p.md:2: a mark has no block",
		"<!-- shape -->\n":                  "p.md:1: a mark has no block",
		"```console\n4\n```\n":              "p.md:1: the console has no command",
	} {
		if _, err := parse("p.md", markdown); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %s", markdown, err, want)
		}
	}
}

// runText runs a page of that text.
func runText(t *testing.T, markdown string) error {
	t.Helper()
	p, err := parse("p.md", markdown)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	if err := os.Mkdir(filepath.Join(temp, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := &runner{temp: temp, bin: filepath.Join(temp, "bin")}
	return r.run(context.Background(), p)
}

func TestRunRefusesWhatAPageDoesNotSay(t *testing.T) {
	for markdown, want := range map[string]string{
		"    true\n    false\n":                                 "p.md:1: exit status 1",
		"    echo warning >&2\n":                                "standard error has\nwarning",
		"```console\n$ echo 1\n2\n```\n":                        "p.md:2: the page shows\n2\nbut its command prints\n1\n",
		"```console\n$ false\n```\n":                            "p.md:2: exit status 1",
		"```console\n$ printf '1\\n2\\n3\\n'\n1\n...\n4\n```\n": "but its command prints",
	} {
		if err := runText(t, markdown); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %s", markdown, err, want)
		}
	}
}

func TestRunFollowsAPage(t *testing.T) {
	for _, markdown := range []string{
		"    x=1\n\n```console\n$ echo $x\n1\n$ printf '%s\\n' \\\n> 2\n2\n```\n",
		"```console\n$ printf '1\\n2\\n3\\n'\n1\n...\n3\n```\n",
		"```console\n$ printf '1\\n3\\n'\n1\n...\n3\n```\n",
		"```console\n$ echo refused >&2; exit 2\nrefused\n```\n",
		"    sleep 1000 &\n", // is stopped at the end
	} {
		if err := runText(t, markdown); err != nil {
			t.Errorf("%q: %v", markdown, err)
		}
	}
}
