package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// reportRun is a command line that writes a report, with {in} for its input. Others read
// what it wrote: {in} then names the same files.
type reportRun struct {
	line string
	// public: the answer has words of a release or noisy figures, so it differs between
	// inputs. Words of the input are looked for all the same.
	public bool
}

var reportRuns = []reportRun{
	{line: "rewrite -e 8 --words 3000 --insecure-seed 1 {in}.txt -o {in}.copy --report {in}.report"},
	{line: "rewrite -e 8 --words 3000 --insecure-seed 1 --consistent {in}.txt -o {in}.consistent --report {in}.consistent.report"},
	{line: "rewrite --document-epsilon 12 --document-tokens 20 --words 3000 --insecure-seed 1 {in}.txt -o {in}.document --report {in}.document.report"},
	{line: "rewrite --unit text -e 8 --insecure-seed 1 {in}.txt -o {in}.texts --report {in}.texts.report"},
	{line: "rewrite -m madlib -e 8 --words 3000 --insecure-seed 1 --field text {in}.csv -o {in}.column.csv --report {in}.column.report"},
	{line: "embed -e 4 --insecure-seed 1 --field text {in}.csv -o {in}.npy --report {in}.vectors.report"},
	{line: "embed -m gaussian -e 1 --of words --words 3000 --insecure-seed 1 {in}.txt -o {in}.words.npy --report {in}.words.report"},
	{line: "synthesize -e 2 --insecure-seed 1 --field text --by kind --labels a,b {in}.csv -o {in}.synthetic.csv --report {in}.synthetic.report", public: true},
	{line: "cost -e 8 --words 3000 --json {in}.txt", public: true},
	{line: "rewrite -m response -e 8 --words 3000 --insecure-seed 1 {in}.txt -o {in}.response --report {in}.response.report"},
	{line: "estimate --report {in}.response.report --word order --json {in}.response", public: true},
	{line: "restore --report {in}.report --lm public.lm --confidence 0.9 --json -o {in}.restored {in}.copy", public: true},
}

// A report of a run neither names words of its input nor ranks them. Two inputs differ in
// their words alone: their reports are the same except for figures that are noisy or of the
// release, and no output but the data itself has one of the words.
func TestReportsNameAndRankNoWordOfTheInput(t *testing.T) {
	dir := t.TempDir()
	inputs := map[string][]string{"first": {"zebra", "telescope", "giraffe", "molasses"}, "other": {"violin", "cinnamon", "glacier", "walnut"}}
	for name, words := range inputs {
		var text, table strings.Builder
		table.WriteString("kind,text\n")
		for i := range 24 { // the first word is the commonest, by far
			line := fmt.Sprintf("%s %s", words[0], words[min(i%7, 3)])
			fmt.Fprintln(&text, line)
			fmt.Fprintf(&table, "%c,%s\n", 'a'+i%2, line)
		}
		for file, data := range map[string]string{name + ".txt": text.String(), name + ".csv": table.String()} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	public := "The order is late and nobody can say when it will come.\nMy order has not come.\nThe office is closed.\n"
	if err := os.WriteFile(filepath.Join(dir, "public.txt"), []byte(public), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := example(t, dir, "sotto train language-model --corpus public.txt --words 3000 --public -o public.lm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	written := map[string]bool{}
	for _, r := range reportRuns {
		command, _, _ := strings.Cut(r.line, " ")
		var answers [][]byte
		for _, name := range []string{"first", "other"} {
			answer := answerOf(t, dir, strings.ReplaceAll(r.line, "{in}", name))
			answer = bytes.ReplaceAll(answer, []byte(name+"."), []byte("in.")) // file names are the caller's
			for _, word := range inputs[name] {
				if bytes.Contains(bytes.ToLower(answer), []byte(word)) {
					t.Errorf("%s: the answer has the word %q of its input", r.line, word)
				}
			}
			answers = append(answers, answer)
		}
		if !r.public && !bytes.Equal(answers[0], answers[1]) {
			t.Errorf("%s: the reports of two inputs differ, and so tell of their words:\n%s\n%s", r.line, answers[0], answers[1])
		}
		if strings.HasSuffix(r.line, "report") {
			written[command] = true
		}
	}
	for _, leaf := range parserFor(t, nil).Model.Leaves(false) {
		for _, flag := range leaf.Flags {
			if flag.Name == "report" && flag.Tag.Get("path") == "write" && !written[leaf.Path()] {
				t.Errorf("%s writes a report that no run looks into", leaf.Path())
			}
		}
	}
}

// answerOf returns what a command prints, and its report.
func answerOf(t *testing.T, dir, line string) []byte {
	t.Helper()
	answer, err := example(t, dir, "sotto "+line).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, answer)
	}
	if _, report, found := strings.Cut(line, "--report "); found && !strings.Contains(report, " ") {
		data, err := os.ReadFile(filepath.Join(dir, report))
		if err != nil {
			t.Fatal(err)
		}
		answer = append(answer, data...)
	}
	if len(answer) == 0 {
		t.Fatalf("%s: there is no answer", line)
	}
	return answer
}
