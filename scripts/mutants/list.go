package main

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// A list holds the mutants of one area:
//
//	area Title of the area
//
//	mutant an-id
//		What the fault does, in one sentence or two.
//	test ./package TestName ...
//	in path/of/a/package Type.Method
//	-	code as it is
//	+	code in its place
//
// Every test named must fail; a mutant may have several test lines. The code after "-" is compared
// with that of the declaration by its tokens, and must be in it exactly once: where the declaration
// is in the package, how it is formatted, and its comments do not count. A path of a .go file replaces
// that of a package that declares the name once for each system. Sources that are not Go, and edits of
// imports, say "file path/of/a/source" in place of "in": the lines must be in the file exactly once,
// white space at their ends aside. Several edits may follow, and a mutant may be in several places.
// A line that begins with "#" is a comment.
//
//go:embed list/*.txt
var lists embed.FS

type area struct {
	title   string
	mutants []mutant
}

type mutant struct {
	id, does string
	tests    []test
	edits    []edit
}

// test names the tests to run in one package, whose path is relative to the module's root.
type test struct {
	pkg   string
	names []string
}

type edit struct {
	file        string // or the package that has the declaration
	declaration string
	old, new    []string
}

// names are the tests that must fail.
func (m mutant) names() (all []string) {
	for _, t := range m.tests {
		all = append(all, t.names...)
	}
	return all
}

// load reads all lists, in the order of their files.
func load(from fs.FS) ([]area, error) {
	files, err := fs.Glob(from, "list/*.txt")
	if err != nil {
		return nil, err
	}
	var areas []area
	seen := map[string]bool{}
	for _, name := range files {
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		a, err := parse(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, m := range a.mutants {
			if seen[m.id] {
				return nil, fmt.Errorf("%s: a second mutant %s", name, m.id)
			}
			seen[m.id] = true
		}
		areas = append(areas, a)
	}
	return areas, nil
}

func parse(list string) (a area, err error) {
	for i, line := range strings.Split(list, "\n") {
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		if !a.add(line) {
			return a, fmt.Errorf("line %d does not belong here: %q", i+1, line)
		}
	}
	for _, m := range a.mutants {
		if m.id == "" || m.does == "" || len(m.tests) == 0 || len(m.edits) == 0 {
			return a, fmt.Errorf("mutant %q needs an id, a sentence, a test and an edit", m.id)
		}
	}
	if a.title == "" {
		return a, fmt.Errorf("the list has no area")
	}
	return a, nil
}

// add parses one line, and reports whether it is allowed here.
func (a *area) add(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "area":
		a.title = rest
		return true
	case "mutant":
		a.mutants = append(a.mutants, mutant{id: rest})
		return true
	}
	if len(a.mutants) == 0 {
		return false
	}
	m := &a.mutants[len(a.mutants)-1]
	if line[0] == '-' || line[0] == '+' {
		return m.edit(line)
	}
	switch {
	case word == "test":
		fields := strings.Fields(rest)
		if len(fields) < 2 {
			return false
		}
		m.tests = append(m.tests, test{fields[0], fields[1:]})
	case word == "file":
		m.edits = append(m.edits, edit{file: rest})
	case word == "in":
		place, name, ok := strings.Cut(rest, " ")
		if !ok {
			return false
		}
		m.edits = append(m.edits, edit{file: place, declaration: name})
	case line[0] == '\t' && len(m.edits) == 0:
		m.does = strings.TrimSpace(m.does + " " + strings.TrimSpace(line))
	default:
		return false
	}
	return true
}

// edit parses a line of an edit. An old line after new ones begins another edit
// of the same file.
func (m *mutant) edit(line string) bool {
	if len(m.edits) == 0 {
		return false
	}
	e := &m.edits[len(m.edits)-1]
	if line[0] == '-' {
		if len(e.new) > 0 {
			m.edits = append(m.edits, edit{file: e.file, declaration: e.declaration})
			e = &m.edits[len(m.edits)-1]
		}
		e.old = append(e.old, line[1:])
		return true
	}
	if len(e.old) == 0 {
		return false
	}
	e.new = append(e.new, line[1:])
	return true
}

// apply returns the source with the edit made.
func (e edit) apply(source string) (string, error) {
	if len(e.old) == 0 {
		return "", fmt.Errorf("%s: an edit names no line to replace", e.file)
	}
	lines := strings.Split(source, "\n")
	at := -1
	for i := range len(lines) - len(e.old) + 1 {
		same := true
		for k, want := range e.old {
			same = same && strings.TrimSpace(lines[i+k]) == strings.TrimSpace(want)
		}
		if !same {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("%s: lines %d and %d both begin %q", e.file, at+1, i+1, strings.TrimSpace(e.old[0]))
		}
		at = i
	}
	if at < 0 {
		return "", fmt.Errorf("%s: the lines that begin %q are no longer there", e.file, strings.TrimSpace(e.old[0]))
	}
	out := append(lines[:at:at], e.new...)
	return strings.Join(append(out, lines[at+len(e.old):]...), "\n"), nil
}

// table lists the mutants of all areas: the fault, where it is, and the tests that catch it.
func table(areas []area) string {
	var b strings.Builder
	for _, a := range areas {
		fmt.Fprintf(&b, "%s\n", a.title)
		for _, m := range a.mutants {
			fmt.Fprintf(&b, "  %s\n\t%s\n", m.id, m.does)
			for _, e := range m.edits {
				fmt.Fprintf(&b, "\tin %s\n", strings.TrimSpace(e.file+" "+e.declaration))
			}
			fmt.Fprintf(&b, "\tcaught by %s\n", strings.Join(m.names(), ", "))
		}
	}
	return b.String()
}
