package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// set is a data set with the field that is near it, and the shipped words for its labels.
type set struct{ name, field, about, labels string }

var sets = []set{
	{"ag-news", "news", "news", "Business,Sci/Tech,Sports,World"},
	{"yelp-short", "reviews", "opinions", "negative,positive"},
	{"imdb", "reviews", "opinions", "negative,positive"},
	{"mr", "reviews", "opinions", "negative,positive"},
	{"cr", "reviews", "opinions", "negative,positive"},
	{"trec6", "chat", "questions", "ABBR,DESC,ENTY,HUM,LOC,NUM"},
}

// opinions are the labels of the sets that have numbers for them.
var opinions = map[string]string{"0": "negative", "1": "positive"}

// own is the name of the corpus of a set's public half.
const own = "own half"

// along is the name of the field cut along the words for labels.
func (s set) along() string { return s.field + " --about " + s.about }

// corpora are those that a set is measured over.
func (s set) corpora() []string { return []string{s.field, s.along(), "english", own} }

const seeds = 3

// way is how texts are released, with its epsilon.
type way struct {
	name    string
	epsilon float64
}

var ways = []way{{"synthesize", .25}, {"synthesize", 1}, {"whole", 2}, {"whole", 4}, {"whole", 8}, none}

// none is learning from the private texts as they are.
var none = way{"none", 0}

// measured reports whether a way is measured over a corpus with a seed. What does not need
// many draws to compare has one: the public half, and the clear texts, which have no draws.
func (s set) measured(corpus string, w way, seed int) bool {
	switch {
	case corpus == own:
		return seed == 1 && w != none
	case corpus == s.along():
		return w != none
	case w == none:
		return seed == 1 && corpus == s.field
	}
	return true
}

// bench runs the program in a folder of its own.
type bench struct {
	dir, program, data, file string
	rows                     []row
}

func newBench(data, program, file string, rows []row) (*bench, error) {
	dir, err := os.MkdirTemp("", "fields")
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir, program: program, data: data, file: file, rows: rows}
	if program != "" {
		b.program, err = filepath.Abs(program)
		return b, err
	}
	b.program = filepath.Join(dir, "sotto")
	out, err := exec.Command("go", "build", "-o", b.program, "./cmd/sotto").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("go build: %s", out)
	}
	return b, nil
}

// sotto runs a command and decodes what it prints as JSON, if into is not nil.
func (b *bench) sotto(into any, args ...string) error {
	cmd := exec.Command(b.program, args...)
	cmd.Dir = b.dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("sotto %s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(out, into)
}
