package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/ledger/open"
)

// The tag path of a flag declares how the command uses the flag's file. A test refuses a
// flag for a file without a tag, and terminal.mayWrite refuses a file that was not
// declared. The tag binary marks a file that is not text.
const (
	pathRead   = "read"   // read; - is standard input
	pathInputs = "inputs" // read, with patterns; the default is standard input
	pathFile   = "file"   // read, perhaps more than once: cannot be -
	pathTable  = "table"  // a table's name, or a file that is read
	pathCorpus = "corpus" // a corpus's name, or a file that is read
	pathValues = "values" // K=V, where V may name a file that is read
	pathWrite  = "write"  // written; - is standard output
	pathOutput = "output" // as write; the default is standard output
	pathUpdate = "update" // read and written: cannot be -
	pathLedger = "ledger" // as update, with the files that SQLite creates beside it; or a URL
)

// alsoUser is a command that uses files which no flag names.
type alsoUser interface{ alsoUses() []paths.Use }

// claims collects the files that one command line reads and writes.
type claims struct {
	uses          []paths.Use
	stdin, stdout []string // the flags that use them
	taken         bool     // standard output belongs to a flag other than the output
	binary        bool     // and what it writes there is not text
	json          string   // the flag that prints a document to standard output
}

// claim refuses a command line that would write a file it also reads, or write one file
// twice, before anything is opened. It replaces - for an output by the empty name. If a
// flag other than the output is -, standard output belongs to that flag, and what the
// command prints goes to standard error.
func (t *terminal) claim(node *kong.Node) error {
	c := &claims{}
	for _, v := range valuesOf(node) {
		if err := c.add(v); err != nil {
			return err
		}
	}
	if c.taken && c.json != "" {
		c.stdout = append(c.stdout, c.json)
	}
	switch {
	case c.taken && len(c.stdout) > 1:
		return wrongUsage("give one of them a file", "%s and %s both write to standard output", c.stdout[0], c.stdout[1])
	case len(c.stdin) > 1:
		return wrongUsage("", "%s and %s both read standard input", c.stdin[0], c.stdin[1])
	}
	if also, ok := node.Target.Addr().Interface().(alsoUser); ok {
		c.uses = append(c.uses, also.alsoUses()...)
	}
	t.writable = map[string]bool{}
	for _, u := range c.uses {
		t.writable[u.Name] = t.writable[u.Name] || u.Writes
		if u.Writes && atomicfile.Dangling(u.Name) { // before anything is charged
			return wrongUsage("remove the link, or make that file", "%s is a symbolic link to a file that does not exist", u)
		}
	}
	if err := paths.Check(append(c.uses, c.redirected(t.in)...)); err != nil {
		var conflict *paths.ConflictError
		if errors.As(err, &conflict) {
			return wrongUsage("give each output a different name", "%v", err)
		}
		return err
	}
	t.data = t.out
	if c.binary {
		if err := t.refuseBinary("", "the file"); err != nil {
			return err
		}
	}
	if c.taken {
		t.out = t.err
	}
	return nil
}

// redirected returns standard input and output if they are regular files.
func (c *claims) redirected(in *os.File) (uses []paths.Use) {
	if info, err := in.Stat(); err == nil && len(c.stdin) > 0 {
		uses = append(uses, paths.Use{Name: "standard input", Info: info})
	}
	if info, err := os.Stdout.Stat(); err == nil {
		uses = append(uses, paths.Use{Name: "standard output", Info: info, Writes: true})
	}
	return uses
}

// valuesOf returns the arguments and flags of a command.
func valuesOf(node *kong.Node) []*kong.Value {
	values := slices.Clone(node.Positional)
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			values = append(values, f.Value)
		}
	}
	return values
}

// flagName returns a flag or argument as the user types it.
func flagName(v *kong.Value) string {
	switch {
	case v.Flag == nil:
		return strings.ToUpper(v.Name)
	case v.Flag.Short != 0:
		return "-" + string(v.Flag.Short)
	}
	return "--" + v.Name
}

func (c *claims) add(v *kong.Value) error {
	flag, kind := flagName(v), v.Tag.Get("path")
	if kind == "" {
		if (v.Name == "json" || v.Name == "csv") && v.Target.Kind() == reflect.Bool && v.Target.Bool() {
			c.json = flag
		}
		return nil
	}
	names := namesOf(v.Target)
	if kind == pathInputs {
		var err error
		if names, err = expand(names); err != nil {
			return err
		}
		if len(names) == 0 {
			c.stdin = append(c.stdin, flag+" -")
		}
	}
	if kind == pathOutput && (len(names) == 0 || isStdout(names[0])) {
		v.Target.SetString("")
		c.stdout = append(c.stdout, "the data")
		return nil
	}
	for _, name := range names {
		if err := c.addName(v, flag, kind, name); err != nil {
			return err
		}
	}
	return nil
}

// addName adds one name of a flag.
func (c *claims) addName(v *kong.Value, flag, kind, name string) error {
	switch {
	case isStdin(name) && (kind == pathRead || kind == pathInputs):
		c.stdin = append(c.stdin, flag+" "+name)
		return nil
	case isStdout(name) && kind == pathWrite:
		c.binary = c.binary || v.Tag.Has("binary")
		c.stdout, c.taken = append(c.stdout, flag+" "+name), true
		return nil
	case name == "-" && kind == pathValues:
		return nil
	case name == "-":
		return wrongUsage("", "%s must be a file, not -", flag)
	}
	use := paths.Use{Flag: flag, Name: name}
	switch kind {
	case pathRead, pathInputs, pathFile:
	case pathValues:
		if _, err := os.Stat(name); err != nil { // most values are not names of files
			return nil
		}
	case pathTable:
		use.Name = tableFile(name)
	case pathCorpus:
		use.Name = corpusFile(name)
	case pathWrite, pathOutput, pathUpdate:
		use.Writes = true
	case pathLedger:
		if err := open.Check(name); err != nil {
			return err
		}
		for _, file := range open.Files(name) {
			c.uses = append(c.uses, paths.Use{Flag: flag, Name: file, Writes: true})
		}
		return nil
	default:
		return fmt.Errorf("%s has the unknown tag path:%q", flag, kind)
	}
	c.uses = append(c.uses, use)
	return nil
}

func isStdin(name string) bool { return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0" }

func isStdout(name string) bool {
	return name == "-" || name == "/dev/stdout" || name == "/dev/fd/1"
}

// namesOf returns the names that a flag's value holds.
func namesOf(v reflect.Value) []string {
	var names []string
	switch v.Kind() {
	case reflect.String:
		names = append(names, v.String())
	case reflect.Slice:
		for i := range v.Len() {
			names = append(names, v.Index(i).String())
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			names = append(names, v.MapIndex(key).String())
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// tableFile returns the file of a table. An imported table takes precedence over a file
// of the same name.
func tableFile(name string) string {
	if dir, err := embedding.Library(); err == nil && filepath.Base(name) == name {
		if _, err := os.Stat(filepath.Join(dir, name+embedding.Extension)); err == nil {
			return filepath.Join(dir, name+embedding.Extension)
		}
	}
	return name
}

// corpusFile returns the file of a corpus. A corpus of the library takes precedence over
// a file of the same name.
func corpusFile(name string) string {
	if dir, err := corpus.Library(); err == nil && corpus.CanName(name) {
		if _, err := os.Stat(filepath.Join(dir, name+corpus.Extension)); err == nil {
			return filepath.Join(dir, name+corpus.Extension)
		}
	}
	return name
}

// mayWrite refuses a file that no flag declared, which is a bug: it would not have been
// compared with the files that are read.
func (t *terminal) mayWrite(name string) error {
	if !t.writable[name] {
		return fmt.Errorf("%s: no flag declares this file as written", name)
	}
	return nil
}
