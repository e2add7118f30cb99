package house

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// frontEnds are the folders whose strings are for one front end: commands, and the
// generators and scripts for maintainers.
var frontEnds = []string{"cmd", "beam/cmd", "lab", "scripts", "tools", "python"}

var (
	flagText    = regexp.MustCompile(`(^|[\s(,;"'])--[a-z][a-z-]*`)
	commandText = regexp.MustCompile(`\bsotto (rewrite|embed|estimate|explain|mechanisms|embeddings|compare|tune|compile|audit|limits|train|serve|health|key|ledger (grant|show|verify)|corpus|synthesize|learn|attack|restore|cost)\b`)
	formatText  = regexp.MustCompile(`^sotto [a-z ]+ [0-9]+[\n\x00]`)
)

// literalsWithFlags are the strings of libraries that may name a flag, each with its
// reason.
var literalsWithFlags = map[string]string{
	"--no-sync":         "an argument of initdb",
	"sotto synthesize ": "a domain of hashes, which must not change",
}

// frontEndText reports whether a string names a flag or a command. The name and number of
// a file format do not count.
func frontEndText(text string) bool {
	return flagText.MatchString(text) || commandText.MatchString(text) && !formatText.MatchString(text)
}

// A library names its own fields: flags and commands do not exist in a service or program
// that uses the library.
func TestLibrariesNameNoFlagsOfTheCommandLine(t *testing.T) {
	used := map[string]bool{}
	literals := 0
	for _, s := range sources(t) {
		if s.file.Name.Name == "main" || isFrontEnd(s.path) {
			continue
		}
		shown := map[ast.Node]bool{} // what front ends show
		ast.Inspect(s.file, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && field.Tag != nil && strings.HasPrefix(s.path, "request/") {
				shown[field.Tag] = true
			}
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING || shown[n] {
				return true
			}
			literals++
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Error(err)
			}
			if !frontEndText(text) {
				return true
			}
			if literalsWithFlags[text] == "" {
				t.Errorf("%s:%d: %q names a flag or a command", s.path, s.line(literal), text)
			}
			used[text] = true
			return true
		})
	}
	if literals < 3000 {
		t.Errorf("only %d literals found", literals)
	}
	for text := range literalsWithFlags {
		if !used[text] {
			t.Errorf("%q is mended or gone: take it off the list", text)
		}
	}
}

func isFrontEnd(path string) bool {
	for _, f := range frontEnds {
		if strings.HasPrefix(path, f+"/") {
			return true
		}
	}
	return false
}

// The patterns match what they must match.
func TestFlagsAndCommandsAreRecognised(t *testing.T) {
	for _, text := range []string{"--over clamp would do", "give --field, the path", "(--accept refuted)", "run sotto ledger grant once", "sotto audit does that"} {
		if !frontEndText(text) {
			t.Errorf("%q passes", text)
		}
	}
	for _, text := range []string{"sotto ledger 1\x00", "a -- b", "sotto corpus 1\x00", "sotto search 1\n", "sotto ledger key 1", "---", "x--y", "sotto certificate 1"} {
		if frontEndText(text) {
			t.Errorf("%q is refused", text)
		}
	}
}
