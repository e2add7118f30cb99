package house

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// unsaid are the ends that "X must be" does not have in a sentence that a person says.
var unsaid = regexp.MustCompile(`^(given|left out|of|for|with|without|named|declared|trained|the same|absent)\b`)

// "X must be Y, got Z" is for values: numbers and choices. What is missing is privacy.Missing,
// what cannot be used privacy.Unwanted, and anything else says what is wrong and what to do.
func TestMessagesAreSentences(t *testing.T) {
	bad := 0
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Bad" && len(n.Args) > 2 {
					bad++
					if must := firstText(n.Args[len(n.Args)-1]); unsaid.MatchString(must) {
						t.Errorf("%s: nobody says %q: use privacy.Missing, privacy.Unwanted or privacy.Wrong", s.set.Position(n.Pos()), "X must be "+must)
					}
				}
			case *ast.BasicLit:
				if text := firstText(n); strings.Contains(text, "must be given") || strings.Contains(text, "must be left out") {
					t.Errorf("%s: %q: say what is needed, or what cannot be used", s.set.Position(n.Pos()), text)
				}
			}
			return true
		})
	}
	if bad < 100 {
		t.Errorf("found %d messages of values: is the walk complete?", bad)
	}
}

// firstText returns the first literal of an expression, "" without one.
func firstText(e ast.Expr) (text string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && text == "" {
			text, _ = strconv.Unquote(l.Value)
		}
		return text == ""
	})
	return text
}
