package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// A flag whose placeholder or help mentions a file declares by its tag path how it uses
// the file, so that terminal.claim compares it with all others.
func TestEveryFlagForAFileSaysHowItIsUsed(t *testing.T) {
	model, err := commands()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{pathRead: true, pathInputs: true, pathFile: true, pathTable: true, pathCorpus: true, pathValues: true,
		pathWrite: true, pathOutput: true, pathUpdate: true, pathLedger: true}
	// These patterns mention a file.
	aboutFiles := regexp.MustCompile(`FILE|DIR|(?i)\b(file|folder|write here)\b`)
	tagged := 0
	for _, leaf := range model.Leaves(false) {
		for _, v := range valuesOf(leaf) {
			kind := v.Tag.Get("path")
			switch {
			case kind != "" && !kinds[kind]:
				t.Errorf("%s %s: path:%q is no kind of use", leaf.FullPath(), flagName(v), kind)
			case kind != "":
				tagged++
			case v.Target.Kind() == reflect.Map:
				t.Errorf("%s %s: its values may be files: needs path:%q", leaf.FullPath(), flagName(v), pathValues)
			case v.Target.Kind() != reflect.String && v.Target.Kind() != reflect.Slice:
			case aboutFiles.MatchString(v.Tag.PlaceHolder+" "+v.Help) && !namesNoFile[flagName(v)]:
				t.Errorf("%s %s: needs the tag path, one of the kinds of paths.go", leaf.FullPath(), flagName(v))
			}
		}
	}
	if tagged < 40 {
		t.Errorf("only %d flags have the tag", tagged)
	}
}

// namesNoFile are flags whose help mentions a file that another flag, or alsoUses, names.
var namesNoFile = map[string]bool{"--name": true, "--labels": true}

// Files are written only where terminal.mayWrite is called.
func TestFilesAreWrittenInOnePlace(t *testing.T) {
	writes := regexp.MustCompile(`\b(whole\.(WriteFile|Create)|os\.(Create|WriteFile|OpenFile|Rename))\(`)
	// cache.go writes into the cache only, record.go what alsoUses declares.
	allowed := map[string]bool{"output.go": true, "cache.go": true, "record.go": true}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source = bytes.ReplaceAll(source, []byte("os.OpenFile(os.DevNull,"), nil) // writes nothing
		found += len(writes.FindAll(source, -1))
		if m := writes.Find(source); m != nil && !allowed[name] {
			t.Errorf("%s calls %s...): use createOutput or writeWhole", name, m)
		}
	}
	if found == 0 {
		t.Error("no write was found at all")
	}
}

func TestFileThatNoFlagDeclaresIsNotWritten(t *testing.T) {
	term := &terminal{}
	name := filepath.Join(t.TempDir(), "file")
	if err := writeWhole(t.Context(), term, name, nil); err == nil {
		t.Error("writeWhole wrote it")
	}
	if _, err := createOutput(t.Context(), term, name); err == nil {
		t.Error("createOutput opened it")
	}
}
