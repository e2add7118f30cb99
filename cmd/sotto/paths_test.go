package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

// A flag whose placeholder or help mentions a file declares by its tag path how it uses
// the file, so that Terminal.Claim compares it with all others.
func TestEveryFlagForAFileSaysHowItIsUsed(t *testing.T) {
	stage.Unraced(t)
	model, err := grammar.Commands()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{cli.PathRead: true, cli.PathInputs: true, cli.PathFile: true, cli.PathTable: true, cli.PathCorpus: true, cli.PathValues: true,
		cli.PathWrite: true, cli.PathOutput: true, cli.PathUpdate: true, cli.PathLedger: true}
	// These patterns mention a file.
	aboutFiles := regexp.MustCompile(`FILE|DIR|(?i)\b(file|folder|write here)\b`)
	tagged := 0
	for _, leaf := range model.Leaves(false) {
		for _, v := range cli.ValuesOf(leaf) {
			kind := v.Tag.Get("path")
			switch {
			case kind != "" && !kinds[kind]:
				t.Errorf("%s %s: path:%q is no kind of use", leaf.FullPath(), cli.FlagName(v), kind)
			case kind != "":
				tagged++
			case v.Target.Kind() == reflect.Map:
				t.Errorf("%s %s: its values may be files: needs path:%q", leaf.FullPath(), cli.FlagName(v), cli.PathValues)
			case v.Target.Kind() != reflect.String && v.Target.Kind() != reflect.Slice:
			case aboutFiles.MatchString(v.Tag.PlaceHolder+" "+v.Help) && !namesNoFile[cli.FlagName(v)]:
				t.Errorf("%s %s: needs the tag path, one of the kinds of paths.go", leaf.FullPath(), cli.FlagName(v))
			}
		}
	}
	if tagged < 40 {
		t.Errorf("only %d flags have the tag", tagged)
	}
}

// namesNoFile are flags whose help mentions a file that another flag, or alsoUses, names.
var namesNoFile = map[string]bool{"--name": true, "--labels": true}

// Files are written only where Terminal.MayWrite is called.
func TestFilesAreWrittenInOnePlace(t *testing.T) {
	stage.Unraced(t)
	writes := regexp.MustCompile(`\b(atomicfile\.(WriteFile|Create\w*)|os\.(Create|WriteFile|OpenFile|Rename))\(`)
	// cache.go writes into the cache only; the others ask MayWrite.
	allowed := map[string]bool{"cli/output.go": true, "cli/cache.go": true, "cli/lock.go": true, "cli/replace.go": true, "release/faultfile.go": true, "budget/ledgerbackup.go": true, "corpora/corpuswrite.go": true}
	found := 0
	for _, name := range sources(t) {
		room := strings.TrimPrefix(filepath.ToSlash(name), "internal/")
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source = bytes.ReplaceAll(source, []byte("os.OpenFile(os.DevNull,"), nil) // writes nothing
		found += len(writes.FindAll(source, -1))
		if m := writes.Find(source); m != nil && !allowed[room] {
			t.Errorf("%s calls %s...): use cli.CreateOutput or cli.WriteWhole", name, m)
		}
	}
	if found == 0 {
		t.Error("no write was found at all")
	}
}
