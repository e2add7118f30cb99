package main

import (
	"bytes"
	"github.com/sotto-dp/sotto/internal/stage"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
)

// faultBases are command lines that run, by command, to which a test adds one fault each.
// FIELD is replaced by the flags that choose the fields of tickets.csv.
var faultBases = map[string]string{
	"rewrite":              "-e 8 tickets.csv FIELD",
	"try":                  "tickets.csv FIELD",
	"cost":                 "-e 8 tickets.csv FIELD",
	"embed":                "-e 4 tickets.csv FIELD",
	"synthesize":           "-e 2 tickets.csv FIELD",
	"estimate":             "--report report.json tickets.csv FIELD",
	"restore":              "--report report.json --lm public.lm tickets.csv FIELD",
	"learn":                "--label topic tickets.csv -o none.json FIELD",
	"report":               "copies.csv --report texts.json --label topic --test tickets.csv -o none.html FIELD",
	"corpus build":         "--public tickets.csv -o none.corpus FIELD",
	"corpus suggest":       "--public --texts tickets.csv FIELD",
	"compare":              "-e 4 --texts tickets.csv --label topic --public retrieval FIELD",
	"tune":                 "--topic 0.5 --texts tickets.csv --label topic --public FIELD",
	"attack":               "--lm public.lm --embeddings english --texts tickets.csv --public -e 8 --among 4 FIELD",
	"spans":                "tickets.csv FIELD",
	"train language-model": "--corpus tickets.csv --public -o none.lm FIELD",
	"train vectors":        "--corpus tickets.csv --public --min-count 1 -o none.table FIELD",
	"train autoencoder":    "--corpus tickets.csv --public -o none.model FIELD",
	"train measure":        "--lm public.lm --corpus tickets.csv FIELD",
}

// One kind of fault has one exit code in every command: 2 for a field that the input does
// not have and for a format that does not exist, 1 for a file that is not there.
func TestOneKindOfFaultHasOneExitCode(t *testing.T) {
	stage.Unraced(t)
	dir := faultFolder(t)
	check := func(want int, args ...string) {
		t.Helper()
		var messages bytes.Buffer
		term := &cli.Terminal{In: os.Stdin, Out: &bytes.Buffer{}, Err: &messages}
		_, err := grammar.Invoke(t.Context(), term, args)
		if code := grammar.Report(&messages, err); code != want || !strings.HasPrefix(messages.String(), "sotto: ") {
			t.Errorf("sotto %s: exit code %d, want %d: %s", strings.Join(args, " "), code, want, messages.String())
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "none*")); len(left) > 0 {
			t.Fatalf("sotto %s: left %v", strings.Join(args, " "), left)
		}
	}
	for _, leaf := range modelFor(t).Leaves(true) {
		path := leaf.Path()
		base, ok := faultBases[path]
		if grammar.HasFlag(leaf, "field") != ok || grammar.HasFlag(leaf, "format") != ok {
			t.Errorf("%s: faultBases lacks it, or it lacks --field or --format", path)
		}
		if !ok {
			continue
		}
		with := func(field string) []string {
			return append(strings.Fields(path), strings.Fields(strings.ReplaceAll(base, "FIELD", field))...)
		}
		check(cli.ExitUsage, with("--field nothing")...)
		check(cli.ExitUsage, with("--field text --format nothing")...)
		check(cli.ExitFailed, strings.Fields(strings.ReplaceAll(strings.Join(with("--field text"), " "), "tickets.csv", "none.csv"))...)
		for _, f := range leaf.Flags {
			if fields := []string{"by", "user", "weight", "label"}; slices.Contains(fields, f.Name) && path != "synthesize" {
				extra := map[string]string{"user": " --unit text --per-user 1"}[f.Name]
				check(cli.ExitUsage, with("--field text"+extra+" --"+f.Name+" nothing")...)
			}
		}
	}
	check(cli.ExitUsage, strings.Fields("synthesize -e 2 tickets.csv --field text --by nothing --labels a,b")...)
	check(cli.ExitUsage, strings.Fields("synthesize -e 2 tickets.csv --field text --user nothing --per-user 2")...)
}

// faultMissing are command lines with a file none.* that is not there, which is given by a
// flag or argument that takes only files.
var faultMissing = []string{
	"rewrite -e 8 --require-certificate none.json letters.txt",
	"rewrite -e 8 --model none.model letters.txt",
	"rewrite -e 8 --similar none.txt letters.txt",
	"rewrite -e 8 -m packing --channel none.channel letters.txt",
	"rewrite -e 8 --unit text --text-vectors none.npy letters.txt",
	"embed -e 4 none.txt",
	"estimate --report none.json letters.txt",
	"restore --report none.json --lm public.lm letters.txt",
	"restore --report report.json --lm none.lm letters.txt",
	"learn --model none.json letters.txt",
	"learn --report none.json --field text --label topic tickets.csv -o none.model",
	"learn --field text --label topic --test none.csv tickets.csv",
	"report copies.csv --report none.json --field text --json",
	"report none.csv --report texts.json --field text --json",
	"compile -e 1 --words 50 --prior none.txt -o none.channel",
	"attack --corpus none.txt --texts forum.txt --public -e 8 --among 4",
	"attack --lm none.lm --texts forum.txt --public -e 8 --among 4",
	"audit --verify none.json",
	"limits -e 4 --frequencies none.txt",
	"embeddings import none.vec",
	"train language-model --corpus forum.txt --with none.lm --held-out forum.txt --public -o none.lm2",
	"train measure --lm none.lm --corpus forum.txt",
	"train measure --model none.model --corpus forum.txt",
	"serve --listen 127.0.0.1:0 --keys none.keys",
	"serve --listen 127.0.0.1:0 --model none.model",
	"serve --listen 127.0.0.1:0 --tls-cert none.pem --tls-key none.pem",
	"health --ca none.pem",
	"ledger show --ledger none.db",
	"ledger verify --ledger none.db",
}

func TestMissingFilesHaveOneExitCode(t *testing.T) {
	stage.Unraced(t)
	faultFolder(t)
	for _, line := range faultMissing {
		var messages bytes.Buffer
		term := &cli.Terminal{In: os.Stdin, Out: &bytes.Buffer{}, Err: &messages}
		_, err := grammar.Invoke(t.Context(), term, strings.Fields(line))
		code := grammar.Report(&messages, err)
		if code != cli.ExitFailed || !strings.Contains(messages.String(), "none.") || !strings.HasSuffix(messages.String(), "no such file or directory\n") {
			t.Errorf("sotto %s: exit code %d: %s", line, code, messages.String())
		}
	}
}

// A name that is looked up first is a usage error.
func TestUnknownNamesHaveOneExitCode(t *testing.T) {
	stage.Unraced(t)
	faultFolder(t)
	commands := map[string]string{
		"explain": "-e 8 the", "rewrite": "-e 8 letters.txt", "embed": "-e 4 letters.txt", "compare": "-e 4", "tune": "--attack 0.1",
		"compile": "-e 1 -o none.channel", "limits": "-e 4 --notion metric", "embeddings info": "",
	}
	refused := func(args []string) {
		t.Helper()
		var messages bytes.Buffer
		term := &cli.Terminal{In: os.Stdin, Out: &bytes.Buffer{}, Err: &messages}
		_, err := grammar.Invoke(t.Context(), term, args)
		if code := grammar.Report(&messages, err); code != cli.ExitUsage || !strings.Contains(messages.String(), "no file \"none\"") {
			t.Errorf("sotto %v: exit code %d: %s", args, code, messages.String())
		}
	}
	for path, rest := range commands {
		flag := "--embeddings "
		if path == "embeddings info" {
			flag = ""
		}
		refused(append(strings.Fields(path), strings.Fields(flag+"none "+rest)...))
	}
	for _, line := range []string{"corpus info none", "corpus list none", "corpus search --corpus none x", "rewrite -e 8 --unit text --corpus none letters.txt", "synthesize -e 2 --corpus none letters.txt", "serve --listen 127.0.0.1:0 --embeddings none", "serve --listen 127.0.0.1:0 --corpus none"} {
		refused(strings.Fields(line))
	}
}

// A reader that closes standard output has read enough: nothing is said about it.
func TestClosedPipeIsSilent(t *testing.T) {
	stage.Unraced(t)
	dir := faultFolder(t)
	for _, line := range []string{
		"rewrite -e 8 letters.txt", "rewrite -e 8 --unit text letters.txt", "embed -e 4 letters.txt", "synthesize -e 2 --weights letters.txt",
		"estimate --report report.json private.txt --csv", "restore --report report.json --lm public.lm private.txt", "explain -e 8 the", "mechanisms", "mechanisms --json",
		"compare --words 100 -e 4", "limits -e 4", "corpus info english", "corpus list english", "corpus search late", "embeddings info english",
		"audit -e 8 --words 100 neighbours", "train measure --lm public.lm --corpus letters.txt", "help", "help rewrite", "help units",
		"help mechanisms tem", "rewrite --help", "--help", "version",
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
		var messages bytes.Buffer
		cmd := exec.Command("sotto", strings.Fields(line)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, w, &messages
		err = cmd.Run()
		_ = w.Close()
		if code := cmd.ProcessState.ExitCode(); code != cli.ExitFailed || messages.Len() > 0 {
			t.Errorf("sotto %s: exit code %d (%v), said %q", line, code, err, messages.String())
		}
	}
}

// faultFolder changes to a folder with the files of the examples, a report and a model.
func faultFolder(t *testing.T) string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/help/examples.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("SOTTO_HOME", filepath.Join(dir, "home"))
	for _, line := range []string{
		"rewrite -e 11 --words 2000 letters.txt -o private.txt --report report.json",
		"rewrite -e 8 --unit text --field text tickets.csv -o copies.csv --report texts.json",
		"train language-model --corpus forum.txt --words 2000 --public -o public.lm",
	} {
		term := &cli.Terminal{In: os.Stdin, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
		if _, err := grammar.Invoke(t.Context(), term, strings.Fields(line)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
