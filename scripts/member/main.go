// Command member writes the files of a new member of the catalogue, from those of response, and
// runs that member's tests. For a member that exists it only runs the tests.
//
//	go run ./scripts/member NAME
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

const folder = "mechanism/catalog"

var names = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func main() {
	if len(os.Args) != 2 || !names.MatchString(os.Args[1]) {
		fmt.Fprintln(os.Stderr, "member: give one name, of lower-case letters, digits and dashes: make mechanism NAME=x")
		os.Exit(2)
	}
	name := os.Args[1]
	if err := run(name); err != nil {
		fmt.Fprintf(os.Stderr, "member: %v\n", err)
		os.Exit(1)
	}
}

func run(name string) error {
	if _, err := os.Stat(filepath.Join(folder, name+".go")); errors.Is(err, fs.ErrNotExist) {
		if err := write(folder, name); err != nil {
			return err
		}
		fmt.Printf("wrote %s/%s.go, _test.go and .md, and its line in catalog.go. It behaves as response: replace the mechanism, the test and the note.\n", folder, name)
	}
	test := exec.Command("go", "test", "./"+folder, "-run", "^TestEveryEntryHasIts|^Test"+title(name)) //nolint:gosec // the name is checked
	test.Stdout, test.Stderr = os.Stdout, os.Stderr
	return test.Run()
}

// write makes the files of a member in a folder, and its line in catalog.go. Nothing vouches for
// it before a review: its standing is stated.
func write(dir, name string) error {
	read := func(file string) (string, error) {
		data, err := os.ReadFile(filepath.Join(dir, file))
		return string(data), err
	}
	note, err := read("response.md")
	if err != nil {
		return err
	}
	note = strings.Replace(strings.Replace(note, "# response", "# "+name, 1), "standing: proved", "standing: stated", 1)
	sum := sha256.Sum256([]byte(note))
	renamed := strings.NewReplacer("responseEntry", entry(name), "newResponse", "new"+title(name), "TestResponse", "Test"+title(name), `"response"`, `"`+name+`"`, "privacy.Proved", "privacy.Stated")
	code, err := read("response.go")
	if err != nil {
		return err
	}
	code = regexp.MustCompile(`Reviewed: "[0-9a-f]*"`).ReplaceAllString(renamed.Replace(code), `Reviewed: "`+hex.EncodeToString(sum[:8])+`"`)
	test, err := read("response_test.go")
	if err != nil {
		return err
	}
	list, err := read("catalog.go")
	if err != nil {
		return err
	}
	const last = "\t\tprivunitEntry,\n"
	if strings.Count(list, last) != 1 {
		return errors.New("catalog.go does not list the member privunit, after which a new one is added")
	}
	list = strings.Replace(list, last, last+"\t\t"+entry(name)+",\n", 1)
	for file, text := range map[string]string{name + ".go": code, name + "_test.go": renamed.Replace(test), name + ".md": note, "catalog.go": list} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil { //nolint:gosec // sources
			return err
		}
	}
	return nil
}

// title returns a name as part of an identifier.
func title(name string) (out string) {
	for _, part := range strings.Split(name, "-") {
		out += strings.ToUpper(part[:1]) + part[1:]
	}
	return out
}

func entry(name string) string {
	t := title(name)
	return strings.ToLower(t[:1]) + t[1:] + "Entry"
}
