package detect

import (
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// expression is a compiled expression that matches from where it is tried.
type expression struct {
	from   *regexp.Regexp
	firsts [utf8.RuneSelf]bool // the bytes with which a match may begin
}

func compile(s string) (e expression) {
	e.from = regexp.MustCompile("^(?:" + s + ")")
	parsed, err := syntax.Parse(s, syntax.Perl)
	if err == nil {
		var prog *syntax.Prog
		if prog, err = syntax.Compile(parsed.Simplify()); err == nil {
			e.mayBegin(prog, uint32(prog.Start), map[uint32]bool{})
			return e
		}
	}
	panic("detect: " + err.Error()) // a file of this package
}

// mayBegin finds the bytes that an instruction, or those that it leads to, may match first.
func (e *expression) mayBegin(prog *syntax.Prog, at uint32, seen map[uint32]bool) {
	if seen[at] {
		return
	}
	seen[at] = true
	switch i := &prog.Inst[at]; i.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		e.mayBegin(prog, i.Out, seen)
		e.mayBegin(prog, i.Arg, seen)
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		e.mayBegin(prog, i.Out, seen)
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		for r := range rune(utf8.RuneSelf) {
			if i.MatchRune(r) {
				e.firsts[r] = true
			}
		}
	}
}

// begins reports whether a match may begin a text; false only if none does.
func (e *expression) begins(of []byte) bool { return of[0] >= utf8.RuneSelf || e.firsts[of[0]] }

// window is more bytes than a shape has that is not a URL.
const window = 512

// match returns the places of the match that begins a text and of its groups, nil if there
// is none.
func (e *expression) match(of []byte) []int {
	if len(of) > window {
		if m := e.from.FindSubmatchIndex(of[:window]); m == nil || m[1] < window {
			return m
		}
	}
	return e.from.FindSubmatchIndex(of)
}
