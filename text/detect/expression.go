package detect

import (
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// expression is a compiled expression that matches from where it is tried.
type expression struct {
	from *regexp.Regexp
	// first are the bytes that a match may have at each of its first places, as far as every
	// match goes. Most places of a text are told by them not to begin one.
	first [][utf8.RuneSelf]bool
	// unbounded is set where a long match may be another one, or none, in a part of the text.
	unbounded bool
}

// places is the number of first places that are looked at before an expression is tried.
const places = 8

func compile(s string) (e expression) {
	e.from = regexp.MustCompile("^(?:" + s + ")")
	parsed, err := syntax.Parse(s, syntax.Perl)
	if err == nil {
		var prog *syntax.Prog
		if prog, err = syntax.Compile(parsed.Simplify()); err == nil {
			e.read(prog)
			return e
		}
	}
	panic("detect: " + err.Error()) // a file of this package
}

// read finds the bytes of the first places.
func (e *expression) read(prog *syntax.Prog) {
	at := map[uint32]bool{}
	ended := follow(prog, uint32(prog.Start), at)
	for !ended && len(e.first) < places {
		var here [utf8.RuneSelf]bool
		next := map[uint32]bool{}
		for i := range at {
			allow(&here, &prog.Inst[i])
			ended = follow(prog, prog.Inst[i].Out, next) || ended
		}
		e.first, at = append(e.first, here), next
	}
}

// follow adds the instructions for a character that come next, and reports whether a match may
// end there.
func follow(prog *syntax.Prog, at uint32, seen map[uint32]bool) (ended bool) {
	visited := map[uint32]bool{}
	var visit func(at uint32)
	visit = func(at uint32) {
		if visited[at] {
			return
		}
		visited[at] = true
		switch i := &prog.Inst[at]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			visit(i.Out)
			visit(i.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			visit(i.Out)
		case syntax.InstMatch:
			ended = true
		case syntax.InstFail:
		default:
			seen[at] = true
		}
	}
	visit(at)
	return ended
}

// allow adds the bytes that an instruction matches.
func allow(here *[utf8.RuneSelf]bool, i *syntax.Inst) {
	add := func(from, to rune) {
		for r := from; r <= to && r < utf8.RuneSelf; r++ {
			here[r] = true
		}
	}
	switch {
	case i.Op == syntax.InstRuneAny || i.Op == syntax.InstRuneAnyNotNL:
		add(0, utf8.RuneSelf-1)
	case len(i.Rune) == 1:
		add(i.Rune[0], i.Rune[0])
		if syntax.Flags(i.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(i.Rune[0]); r != i.Rune[0]; r = unicode.SimpleFold(r) {
				add(r, r)
			}
		}
	default:
		for k := 0; k+1 < len(i.Rune); k += 2 {
			add(i.Rune[k], i.Rune[k+1])
		}
	}
}

// begins reports whether a match may begin a text; false only if none does.
func (e *expression) begins(of []byte) bool {
	for k := range e.first {
		switch {
		case k == len(of):
			return false
		case of[k] >= utf8.RuneSelf: // further bytes are of this character
			return true
		case !e.first[k][of[k]]:
			return false
		}
	}
	return true
}

// window is more bytes than a shape has that is no URL and no key, and margin more than the
// characters at the end of a match that are told together.
const window, margin = 512, 64

// match returns the places of the match that begins a text and of its groups, nil if there
// is none. Expressions whose matches have a bound are tried on few bytes first, which is faster.
func (e *expression) match(of []byte) []int {
	if len(of) > window && !e.unbounded {
		if m := e.from.FindSubmatchIndex(of[:window]); m == nil || m[1] <= window-margin {
			return m
		}
	}
	return e.from.FindSubmatchIndex(of)
}
