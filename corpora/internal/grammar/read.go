package grammar

import (
	"bufio"
	"bytes"
	"io/fs"
	"path"
	"strings"
)

// Read reads the folder of a field. The error joins all faults: lines that cannot be read,
// lists that are missing, empty, drawn by nothing or by themselves, and repeated lines.
func Read(folder fs.FS, name string) (*Grammar, error) {
	g := &Grammar{about: map[string]string{}, lists: map[string]*list{}}
	field, err := fs.Sub(folder, name)
	if err != nil {
		return nil, err
	}
	about, err := readLines(field, name, "about.txt")
	if err != nil {
		return nil, err
	}
	for _, l := range about {
		key, value, ok := strings.Cut(l.text, ": ")
		if !ok {
			g.fault(l.Place, "want a line \"name: value\"")
		}
		g.about[key] = value
	}
	frames, err := g.readFolder(field, name, "frames")
	if err != nil {
		return nil, err
	}
	for _, f := range frames {
		g.topics = append(g.topics, topic{baseName(f.file), f.lines})
	}
	lists, err := g.readFolder(field, name, "lists")
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		g.lists[baseName(l.file)] = l
	}
	return g, g.check()
}

func baseName(file string) string { return strings.TrimSuffix(path.Base(file), ".txt") }

// readFolder reads the files of a folder in the order of their names.
func (g *Grammar) readFolder(field fs.FS, name, folder string) ([]*list, error) {
	entries, err := fs.ReadDir(field, folder)
	if err != nil {
		return nil, err
	}
	var files []*list
	for _, e := range entries {
		lines, err := readLines(field, name, path.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		f := &list{file: path.Join(name, folder, e.Name()), lines: lines}
		if len(lines) == 0 || !isName(baseName(f.file)) || path.Ext(f.file) != ".txt" {
			g.fault(Place{f.file, 1}, "want a file NAME.txt with at least one line, NAME of small letters, digits and dashes")
		}
		for i := range lines {
			if lines[i].phrase, err = parse(lines[i].text); err != nil {
				g.fault(lines[i].Place, "%v", err)
			}
		}
		files = append(files, f)
	}
	return files, nil
}

func readLines(field fs.FS, name, file string) ([]line, error) {
	data, err := fs.ReadFile(field, file)
	if err != nil {
		return nil, err
	}
	var lines []line
	in := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; in.Scan(); n++ {
		text := strings.TrimSpace(in.Text())
		if text != "" && text[0] != '#' {
			lines = append(lines, line{Place: Place{path.Join(name, file), n}, text: text})
		}
	}
	return lines, in.Err()
}
