package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// tree is a checkout of which edits have changed some files.
type tree struct {
	root    string
	changed map[string]string // file, with slashes: its source with the edits made so far
}

func (t tree) read(file string) (string, error) {
	if source, ok := t.changed[file]; ok {
		return source, nil
	}
	data, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(file)))
	return string(data), err
}

// make makes an edit.
func (t tree) make(e edit) error {
	file, at, end, err := e.file, 0, 0, error(nil)
	if e.declaration != "" {
		if file, at, end, err = t.declaration(e.file, e.declaration); err != nil {
			return err
		}
	}
	source, err := t.read(file)
	if err != nil {
		return err
	}
	if e.declaration == "" {
		t.changed[file], err = e.apply(source)
		return err
	}
	mutated, err := e.applySyntax(source[at:end])
	if err != nil {
		return fmt.Errorf("%s of %s: %w", e.declaration, e.file, err)
	}
	t.changed[file] = source[:at] + mutated + source[end:]
	return nil
}

// declaration finds a function, a method (Type.Name), a type, a variable or a constant of a package, and returns
// its file and where in it the declaration is. The package may be one file, where others declare the same name for
// another system.
func (t tree) declaration(pkg, name string) (file string, at, end int, err error) {
	files := []string{pkg}
	if path.Ext(pkg) != ".go" {
		names, err := filepath.Glob(filepath.Join(t.root, filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			return "", 0, 0, err
		}
		files = nil
		for _, full := range names {
			if base := filepath.Base(full); !strings.HasSuffix(base, "_test.go") {
				files = append(files, path.Join(pkg, base))
			}
		}
	}
	for _, one := range files {
		source, err := t.read(one)
		if err != nil {
			return "", 0, 0, err
		}
		if bare := name[strings.LastIndexByte(name, '.')+1:]; !strings.Contains(source, bare) {
			continue // not worth parsing
		}
		from, to, err := declared(source, name)
		if err != nil {
			return "", 0, 0, fmt.Errorf("%s: %w", one, err)
		}
		if to == 0 {
			continue
		}
		if file != "" {
			return "", 0, 0, fmt.Errorf("%s and %s both declare %s: name one of them", file, one, name)
		}
		file, at, end = one, from, to
	}
	if file == "" {
		return "", 0, 0, fmt.Errorf("%s no longer declares %s", pkg, name)
	}
	return file, at, end, nil
}

// declared returns where a source declares a name; end is 0 where it does not.
func declared(source, name string) (at, end int, err error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if err != nil {
		return 0, 0, err
	}
	for _, d := range parsed.Decls {
		for _, n := range namesOf(d) {
			if n == name {
				return set.Position(d.Pos()).Offset, set.Position(d.End()).Offset, nil
			}
		}
	}
	return 0, 0, nil
}

// namesOf returns what a declaration declares. Imports declare nothing.
func namesOf(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		receiver := d.Recv.List[0].Type
		for {
			switch r := receiver.(type) {
			case *ast.StarExpr:
				receiver = r.X
				continue
			case *ast.IndexExpr:
				receiver = r.X
				continue
			case *ast.Ident:
				return []string{r.Name + "." + d.Name.Name}
			}
			return nil
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// applySyntax returns the declaration with the edit made. What is replaced is compared by its tokens, without
// comments and line ends, and must be there exactly once.
func (e edit) applySyntax(source string) (string, error) {
	if len(e.old) == 0 {
		return "", fmt.Errorf("an edit names nothing to replace")
	}
	have, want := tokens(source), tokens(strings.Join(e.old, "\n"))
	if len(want) == 0 {
		return "", fmt.Errorf("an edit names nothing to replace")
	}
	found := -1
	for i := range len(have) - len(want) + 1 {
		same := true
		for k, w := range want {
			same = same && have[i+k].text == w.text
		}
		if !same {
			continue
		}
		if found >= 0 {
			return "", fmt.Errorf("%q is there twice", strings.TrimSpace(e.old[0]))
		}
		found = i
	}
	if found < 0 {
		return "", fmt.Errorf("%q is no longer there", strings.TrimSpace(e.old[0]))
	}
	last := have[found+len(want)-1]
	return source[:have[found].at] + strings.Join(e.new, "\n") + source[last.at+len(last.text):], nil
}

type lexeme struct {
	at   int
	text string
}

// tokens cuts Go source. Semicolons that line ends imply are left out, so that the way a source is broken into
// lines does not count.
func tokens(source string) (all []lexeme) {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return all
		}
		if kind == token.SEMICOLON && text != ";" {
			continue
		}
		if text == "" {
			text = kind.String()
		}
		all = append(all, lexeme{file.Offset(pos), text})
	}
}
