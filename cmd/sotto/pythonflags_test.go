package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/internal/stage"
)

var writeFlags = flag.Bool("write-flags", false, "write python/sotto/_flags.py")

// The Python package knows of each flag whether it is a file, a switch or a number, by the
// declaration of the flag.
func TestPythonKnowsTheFlags(t *testing.T) {
	stage.Unraced(t)
	const path = "../../python/sotto/_flags.py"
	want := pythonFlags(modelFor(t))
	if *writeFlags {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the flags are: go test ./cmd/sotto -run %s -write-flags", path, t.Name())
	}
}

// pythonFlags returns the module of Python that lists the flags of all commands by what they are.
func pythonFlags(all *kong.Application) string {
	files, places, switches, numbers, texts := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, leaf := range all.Leaves(true) {
		for _, f := range leaf.Flags {
			switch f.Tag.Get("path") {
			case "file", "read", "table", "corpus":
				files[f.Name] = true
			case "values":
				if f.Name != "param" { // parameters are options of their own
					files[f.Name] = true
				}
			case "update", "write", "output", "ledger":
				places[f.Name] = true
			case "":
				kindOf(f.Target.Type(), f.Tag.Get("schema"), switches, numbers, texts)[f.Name] = true
			}
		}
	}
	for name := range files {
		delete(numbers, name) // a number for some commands
	}
	for name := range switches {
		if numbers[name] || texts[name] || files[name] || places[name] {
			delete(switches, name) // a switch of some commands: these get it as it is
		}
	}
	var b strings.Builder
	b.WriteString("# Written by cmd/sotto/pythonflags_test.go from the flags of the commands. Do not edit.\n\"\"\"What the flags of the commands are.\"\"\"\n\nfrom __future__ import annotations\n")
	for _, list := range []struct {
		name, comment string
		flags         map[string]bool
	}{
		{"FILES", "Flags that name a file, or something else where there is no such file.", files},
		{"PLACES", "Flags that name a file which may not be there yet, or the URL of a ledger.", places},
		{"SWITCHES", "Flags that are given or not.", switches},
		{"NUMBERS", "Flags that are numbers.", numbers},
	} {
		fmt.Fprintf(&b, "\n# %s\n%s = frozenset(\n    {\n", list.comment, list.name)
		for _, name := range slices.Sorted(maps.Keys(list.flags)) {
			fmt.Fprintf(&b, "        %q,\n", name)
		}
		b.WriteString("    }\n)\n")
	}
	return b.String()
}

// kindOf returns the list for a flag of a type; a parameter of a mechanism has a schema.
func kindOf(of reflect.Type, schema string, switches, numbers, texts map[string]bool) map[string]bool {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of.Kind() == reflect.Bool:
		return switches
	case of == reflect.TypeFor[time.Duration]():
		return texts
	case of.Kind() >= reflect.Int && of.Kind() <= reflect.Float64, strings.Contains(schema, `"type":"number"`), strings.Contains(schema, `"type":"integer"`):
		return numbers
	}
	return texts
}
