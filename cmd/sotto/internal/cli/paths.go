package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/ledger/open"
)

// The tag path of a flag declares how the command uses the flag's file. A test refuses a
// flag for a file without a tag, and Terminal.MayWrite refuses a file that was not
// declared. The tag binary marks a file that is not text, and public inputs that may be read
// twice.
const (
	PathRead   = "read"   // read; - is standard input
	PathInputs = "inputs" // read, with patterns; the default is standard input
	PathFile   = "file"   // read, perhaps more than once: cannot be -
	PathTable  = "table"  // a table's name, or a file that is read
	PathCorpus = "corpus" // a corpus's name, or a file that is read
	PathValues = "values" // K=V, where V may name a file that is read
	PathWrite  = "write"  // written; - is standard output
	PathOutput = "output" // as write; the default is standard output
	PathUpdate = "update" // read and written: cannot be -
	PathLedger = "ledger" // as update, with the files that SQLite creates beside it; or a URL
)

// alsoUser is a command that uses files which no flag names.
type alsoUser interface{ AlsoUses() []paths.Use }

// claims collects the files that one command line reads and writes.
type claims struct {
	uses          []paths.Use
	atEnd         []string // files that are created when all is done
	stdin, stdout []string // the flags that use them
	texts         bool     // standard input has private texts
	taken         bool     // standard output belongs to a flag other than the output
	binary        bool     // and what it writes there is not text
	json          string   // the flag that prints a document to standard output
}

// canWrite refuses files that could not be created when all is done and charged. A folder that
// the run itself makes, for other files, need not be there.
func (c *claims) canWrite() error {
	made := map[string]bool{}
	for _, u := range c.uses {
		if u.Writes && !slices.Contains(c.atEnd, u.Name) {
			made[folderOf(u.Name)] = true
		}
	}
	for _, name := range c.atEnd {
		check := canWrite
		switch {
		case Special(name):
			continue
		case made[folderOf(name)]:
			check = notFolder
		}
		if err := check(name); err != nil {
			return err
		}
	}
	return nil
}

// folderOf returns the absolute name of a file's folder.
func folderOf(name string) string {
	if whole, err := filepath.Abs(name); err == nil {
		name = whole
	}
	return filepath.Dir(name)
}

// redirected returns standard input and output if they are regular files.
func (c *claims) redirected(in, out *os.File) (uses []paths.Use) {
	if info, err := in.Stat(); err == nil && len(c.stdin) > 0 {
		uses = append(uses, paths.Use{Name: "standard input", Info: info, Texts: c.texts})
	}
	if info, err := out.Stat(); err == nil {
		uses = append(uses, paths.Use{Name: "standard output", Info: info, Writes: true})
	}
	return uses
}

// ValuesOf returns the arguments and flags of a command.
func ValuesOf(node *kong.Node) []*kong.Value {
	values := slices.Clone(node.Positional)
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			values = append(values, f.Value)
		}
	}
	return values
}

// FlagName returns a flag or argument as the user types it.
func FlagName(v *kong.Value) string {
	switch {
	case v.Flag == nil:
		return strings.ToUpper(v.Name)
	case v.Flag.Short != 0:
		return "-" + string(v.Flag.Short)
	}
	return "--" + v.Name
}

func (c *claims) add(v *kong.Value) error {
	flag, kind := FlagName(v), v.Tag.Get("path")
	if kind == "" {
		if (v.Name == "json" || v.Name == "csv") && v.Target.Kind() == reflect.Bool && v.Target.Bool() {
			c.json = flag
		}
		return nil
	}
	names := namesOf(v.Target)
	if kind == PathInputs {
		var err error
		if names, err = Expand(names); err != nil {
			return err
		}
		if len(names) == 0 {
			c.stdin, c.texts = append(c.stdin, flag+" -"), !v.Tag.Has("public")
		}
	}
	if kind == PathOutput && (len(names) == 0 || IsStdout(names[0])) {
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
	case IsStdin(name) && (kind == PathRead || kind == PathInputs):
		c.stdin = append(c.stdin, flag+" "+name)
		c.texts = c.texts || kind == PathInputs && !v.Tag.Has("public")
		return nil
	case IsStdout(name) && kind == PathWrite:
		c.binary = c.binary || v.Tag.Has("binary")
		c.stdout, c.taken = append(c.stdout, flag+" "+name), true
		return nil
	case name == "-" && kind == PathValues:
		return nil
	case name == "-":
		return WrongUsage("", "%s must be a file, not -", flag)
	}
	use := paths.Use{Flag: flag, Name: name}
	switch kind {
	case PathRead, PathFile:
	case PathInputs:
		use.Texts = !v.Tag.Has("public")
	case PathValues:
		if _, err := os.Stat(name); err != nil { // most values are not names of files
			return nil
		}
	case PathTable:
		use.Name, use.Public = tableFile(name), true
	case PathCorpus:
		if corpus.IsBuiltin(name) {
			return nil
		}
		use.Name, use.Public = corpusFile(name), true
	case PathWrite:
		use.Writes = true
		c.atEnd = append(c.atEnd, name)
	case PathOutput, PathUpdate:
		use.Writes = true
	case PathLedger:
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

func IsStdin(name string) bool { return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0" }

func IsStdout(name string) bool {
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

// FilesRead returns what the flags of a command, a pointer to a struct, name as files that are
// read: also names of tables and values that are no files. It leaves out the inputs, and flags
// that leave reports.
func FilesRead(command any, leave func(reflect.StructField) bool) (names []string) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		for i := range v.NumField() {
			field := v.Type().Field(i)
			switch kind := field.Tag.Get("path"); {
			case kind == "" && field.Anonymous && field.Type.Kind() == reflect.Struct:
				walk(v.Field(i))
			case slices.Contains([]string{PathRead, PathFile, PathTable, PathCorpus, PathValues}, kind) && !leave(field):
				names = append(names, slices.Sorted(slices.Values(namesOf(v.Field(i))))...)
			}
		}
	}
	walk(reflect.ValueOf(command).Elem())
	return names
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
