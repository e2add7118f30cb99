package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

// answer is what a command line prints, and its exit code.
func answer(t *testing.T, line string) (out, messages string, code int) {
	t.Helper()
	var printed, complaints bytes.Buffer
	_, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &printed, Err: &complaints}, strings.Fields(line))
	code = grammar.Report(&complaints, err)
	return printed.String(), complaints.String(), code
}

// cutRelease writes a release over a table with entries that the tokenizer cuts, and a model
// of its words, in a new working directory.
func cutRelease(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"table.txt":    "8 2\nso-called 0 1\nu.s. 3 4\nhttp: 5 6\n/ 5 7\n/x.com 5 8\nthe 7 8\nmail 1 1\n<unk> 2 9\n",
		"original.txt": strings.Repeat("the the the mail\n", 400),
		"public.txt":   strings.Repeat("the the the mail\nthe mail\n", 20),
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"rewrite -m response -e 3 --embeddings table.txt --insecure-seed 1 -o released.txt --report report.json --quiet original.txt",
		"train language-model --corpus public.txt --embeddings table.txt --public -o public.lm",
	} {
		if _, messages, code := answer(t, line); code != 0 {
			t.Fatalf("%s: exit code %d: %s", line, code, messages)
		}
	}
}

// Each drawn word counts once, whatever the tokenizer makes of it.
func TestReleasesOfEntriesThatAreCutAreRead(t *testing.T) {
	stage.Unraced(t)
	cutRelease(t)
	out, messages, code := answer(t, "estimate --report report.json --embeddings table.txt --top 0 --json released.txt")
	var counts struct {
		Tokens int `json:"tokens"`
		Words  []struct {
			Word      string  `json:"word"`
			Count     float64 `json:"count"`
			Deviation float64 `json:"deviation"`
		} `json:"words"`
	}
	if code != 0 || json.Unmarshal([]byte(out), &counts) != nil || counts.Tokens != 1600 || len(counts.Words) != 8 {
		t.Fatalf("exit code %d, %d tokens, %d words: %s", code, counts.Tokens, len(counts.Words), messages)
	}
	truth := map[string]float64{"the": 1200, "mail": 400}
	for _, w := range counts.Words { // of a fixed seed
		if off := w.Count - truth[w.Word]; off < -4*w.Deviation || off > 4*w.Deviation {
			t.Errorf("%s: %.1f of %g, deviation %.1f", w.Word, w.Count, truth[w.Word], w.Deviation)
		}
	}
	out, messages, code = answer(t, "restore --report report.json --embeddings table.txt --lm public.lm --anyway --json -o restored.txt released.txt")
	var restored struct{ Tokens int }
	if code != 0 || json.Unmarshal([]byte(out), &restored) != nil || restored.Tokens != 1600 {
		t.Errorf("restore: exit code %d, %d tokens: %s", code, restored.Tokens, messages)
	}
}

// A release has at most the tokens that its report states. A part of it is read.
func TestMoreTokensThanReportedAreRefused(t *testing.T) {
	cutRelease(t)
	released, err := os.ReadFile("released.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"more.txt": string(released) + "Mail\n", "part.txt": string(released[:bytes.IndexByte(released, '\n')+1])} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const refusal = "sotto: report.json: the report is for another release: it states 1600 tokens, and more were read\n"
	for _, c := range []struct {
		line string
		want string
	}{
		{"estimate --report report.json --embeddings table.txt part.txt", ""},
		{"estimate --report report.json --embeddings table.txt released.txt", ""},
		{"estimate --report report.json --embeddings table.txt more.txt", refusal},
		{"estimate --report report.json --embeddings table.txt released.txt part.txt", refusal},
		{"restore --report report.json --embeddings table.txt --lm public.lm --anyway -o part.out part.txt", ""},
		{"restore --report report.json --embeddings table.txt --lm public.lm --anyway -o more.out more.txt", refusal},
	} {
		_, messages, code := answer(t, c.line)
		if refused := code == cli.ExitFailed; refused != (c.want != "") || refused && messages != c.want || !refused && code != 0 {
			t.Errorf("%s: exit code %d: %s", c.line, code, messages)
		}
	}
	if _, err := os.Stat("more.out"); err == nil {
		t.Error("a refused release left an output")
	}
}
