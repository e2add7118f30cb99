package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A block is a block of code on a page.
type block struct {
	line    int    // of its first line of code, counted from 1
	lang    string // info string of its fence; "sh" for an indented block
	text    string
	target  string // make target that runs it where it is too large for the test
	shape   bool   // it shows a form, and nothing runs it
	example string // "file function": the Go example that it repeats
	server  bool   // it needs a PostgreSQL server
}

// A page holds the commands of a Markdown file.
type page struct {
	name   string // relative to the root of the repository
	clone  bool   // it runs in a clone of the repository, not in an empty folder
	blocks []block
}

var (
	markLike = regexp.MustCompile(`^\s*<!--\s*(large|shape|clone|example|postgres)\b`)
	mark     = regexp.MustCompile(`^\s*<!-- (?:(shape)|(clone)|large: make ([a-z-]+)|example: (\S+ \S+)|(postgres)) -->$`)
	fence    = regexp.MustCompile("^(\\s*)```(.*)$")
)

// languages are the info strings of fences, and whether their blocks run.
var languages = map[string]bool{"sh": true, "console": true, "go": false, "mermaid": false, "text": false, "json": false, "python": false, "sql": false, "yaml": false}

// parse finds the blocks of a page. Marks are HTML comments on a line of their own: "clone"
// is for the page, the others for the next block.
func parse(name, markdown string) (page, error) {
	p := page{name: name}
	lines := strings.Split(strings.TrimSuffix(markdown, "\n"), "\n")
	var next block // with the marks before it
	at := func(i int, what string) error { return fmt.Errorf("%s:%d: %s", name, i+1, what) }
	blank := true
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		m := mark.FindStringSubmatch(line)
		switch f := fence.FindStringSubmatch(line); {
		case m != nil:
			p.clone = p.clone || m[2] != ""
			if m[2] == "" {
				next = block{shape: m[1] != "", target: m[3], example: m[4], server: m[5] != ""}
			}
		case markLike.MatchString(line):
			return p, at(i, "the mark is malformed")
		case f != nil:
			next.line, next.lang = i+2, f[2]
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "```"; i++ {
				next.text += strings.TrimPrefix(lines[i], f[1]) + "\n"
			}
			if i == len(lines) {
				return p, at(next.line-2, "the fence is not closed")
			}
			p.blocks, next = append(p.blocks, next), block{}
		case blank && strings.HasPrefix(line, "    ") && strings.TrimSpace(line) != "":
			next.line, next.lang = i+1, "sh"
			for ; i < len(lines) && (strings.HasPrefix(lines[i], "    ") || strings.TrimSpace(lines[i]) == ""); i++ {
				next.text += strings.TrimPrefix(lines[i], "    ") + "\n"
			}
			next.text = strings.TrimRight(next.text, "\n") + "\n"
			if strings.HasPrefix(next.text, ">>> ") { // a session of Python
				next.lang, next.target = "python", "python"
			}
			i--
			p.blocks, next = append(p.blocks, next), block{}
		case strings.TrimSpace(line) != "" && next != (block{}):
			return p, at(i, "a mark has no block")
		}
		blank = strings.TrimSpace(lines[i]) == "" || m != nil
	}
	if next != (block{}) {
		return p, at(len(lines)-1, "a mark has no block")
	}
	for _, b := range p.blocks {
		if problem := b.problem(); problem != "" {
			return p, at(b.line-2, problem)
		}
	}
	return p, nil
}

// problem returns why nothing would run a block that is not marked, "" if nothing is wrong.
func (b block) problem() string {
	runs, known := languages[b.lang]
	marked := b.shape || b.target != "" || b.example != ""
	switch {
	case !known:
		return fmt.Sprintf("the fence says %q: want sh, console, text or a language", b.lang)
	case b.lang == "console" && !strings.HasPrefix(b.text, "$ "):
		return "the console has no command"
	case b.lang == "go" && !marked:
		return "a block of Go needs the mark of the example that it repeats"
	case !runs && b.lang != "mermaid" && !marked:
		return "nothing runs this block: mark it as shape"
	}
	return ""
}

// runs returns whether a block's commands run, with those too large for the test or
// without, and with those that need a server or without.
func (b block) runs(large, server bool) bool {
	return languages[b.lang] && !b.shape && (b.target == "" || large && b.target == largeTarget) && (server || !b.server)
}

// largeTarget is the make target that runs blocks with this command.
const largeTarget = "pages-large"
