//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// reportRun is a command line that writes a report, with {in} for its input. Others read
// what it wrote: {in} then names the same files.
type reportRun struct {
	line string
	// public: the answer has words of a release or noisy figures, so it differs between
	// inputs. Words of the input are looked for all the same.
	public  bool
	refused bool   // the answer is an error
	files   string // that the run writes too, and that differ between runs
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
	{line: "rewrite -e 8 --words 3000 --insecure-seed 1 -o {in}.folder/ {in}.txt {in}.second.txt --report {in}.folder.report", files: "{in}.folder/sotto-run.jsonl"},
	{line: "rewrite -e 8 --words 3000 --insecure-seed 1 --spans-field marks --field text -o {in}.spans.jsonl {in}.jsonl --report {in}.spans.report"},
	{line: "rewrite -e 8 --marked-epsilon 4 --words 3000 --insecure-seed 1 --spans-field marks --field text -o {in}.rest.jsonl {in}.jsonl --report {in}.rest.report"},
	{line: "rewrite --unit text -e 8 --shuffle --insecure-seed 1 {in}.txt -o {in}.pool --report {in}.pool.report"},
	// The words of the inputs are of the whole table, and rare: a public sample would name them.
	{line: "attack --corpus public.txt --texts {in}.txt -m response -e 16 --among 4 --json --page {in}.page.html", public: true, files: "{in}.page.html"},
	{line: "attack --texts {in}.txt -m retrieval -m privunit -e 4 --among 4 --json --page {in}.units.html", public: true, files: "{in}.units.html"},
	{line: "attack --corpus public.csv --corpus-field text --texts {in}.csv --field text --label kind --words 3000 -e 8 --among 4 --json", public: true},
	{line: "tune --recovered 0.5 --lm public.lm --texts {in}.txt --words 3000 --json", refused: true},
	{line: "tune --linkage 0.5 --texts {in}.txt --json", refused: true},
	{line: "rewrite --unit text -e 8 --insecure-seed 1 --corpus public.corpus --field text -o {in}.labelled.csv {in}.csv --report {in}.labelled.report"},
	{line: "learn --field text --label kind --report {in}.labelled.report --corpus public.corpus --json -o {in}.model.json {in}.labelled.csv", public: true, files: "{in}.model.json"},
	{line: "restore --report {in}.report --lm public.lm --confidence 0.9 --json -o {in}.restored {in}.copy", public: true},
}

var drawn = regexp.MustCompile(`"drawn":\s*\{[^}]*\}`)

// A report of a run neither names words of its input nor ranks them. Two inputs differ in
// their words alone: their reports are the same except for figures that are noisy or of the
// release, and no output but the data itself has one of the words.
func TestReportsNameAndRankNoWordOfTheInput(t *testing.T) {
	stage.Unraced(t)
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
		marks := fmt.Sprintf("{\"text\":\"%s %s %s\",\"marks\":[{\"start\":0,\"end\":%d,\"word\":%q}]}\n", words[0], words[1], words[2], len(words[0]), words[0])
		files := map[string]string{name + ".txt": text.String(), name + ".second.txt": words[3] + " " + words[0] + "\n", name + ".csv": table.String(), name + ".jsonl": strings.Repeat(marks, 3)}
		for file, data := range files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	labelled := "kind,text\na,The order is late\na,My order has not come\nb,The office is closed\nb,The office is new\n"
	if err := os.WriteFile(filepath.Join(dir, "public.csv"), []byte(labelled), 0o600); err != nil {
		t.Fatal(err)
	}
	public := "The order is late and nobody can say when it will come.\nMy order has not come.\nThe office is closed.\n"
	if err := os.WriteFile(filepath.Join(dir, "public.txt"), []byte(public), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"sotto train language-model --corpus public.txt --words 3000 --public -o public.lm", "sotto corpus build --public -o public.corpus public.txt"} {
		if out, err := example(t, dir, line).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	written := map[string]bool{}
	for _, r := range reportRuns {
		command, _, _ := strings.Cut(r.line, " ")
		var answers [][]byte
		for _, name := range []string{"first", "other"} {
			answer, files := r.answer(t, dir, name)
			answer = bytes.ReplaceAll(answer, []byte(name+"."), []byte("in.")) // file names are the caller's
			answer = drawn.ReplaceAll(answer, nil)                             // it follows from the release
			for _, word := range inputs[name] {
				if bytes.Contains(bytes.ToLower(append(files, answer...)), []byte(word)) {
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
	for _, leaf := range modelFor(t).Leaves(false) {
		for _, flag := range leaf.Flags {
			if flag.Name == "report" && flag.Tag.Get("path") == "write" && !written[leaf.Path()] {
				t.Errorf("%s writes a report that no run looks into", leaf.Path())
			}
		}
	}
}

// answer returns what a command prints for one of the inputs with its report, and its
// other files.
func (r reportRun) answer(t *testing.T, dir, name string) (answer, files []byte) {
	t.Helper()
	line := strings.ReplaceAll(r.line, "{in}", name)
	read := func(file string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	answer, err := example(t, dir, "sotto "+line).CombinedOutput()
	if (err != nil) != r.refused {
		t.Fatalf("%s: %v\n%s", line, err, answer)
	}
	if _, report, found := strings.Cut(line, "--report "); found && !strings.Contains(report, " ") {
		answer = append(answer, read(report)...)
	}
	for _, file := range strings.Fields(strings.ReplaceAll(r.files, "{in}", name)) {
		files = append(files, read(file)...)
	}
	if len(answer) == 0 {
		t.Fatalf("%s: there is no answer", line)
	}
	return answer, files
}
