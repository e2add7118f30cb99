package cli

import (
	"fmt"
	"strings"
	"testing"
)

func TestCellsAreAlignedAsATerminalShowsThem(t *testing.T) {
	var out strings.Builder
	w := NewCellWriter(&out)
	for _, word := range []string{"doctor", "医生", "ｄ", "한국어", "नमस्ते", "e\u0301te\u0301", "\U0010FFFD"} {
		fmt.Fprintf(w, "  %s\t%d\tend\n", w.Cell(word), len(word))
	}
	fmt.Fprintf(w, "  %s\tlast\tend\n", w.Cell(""))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if before, _, _ := strings.Cut(line, "end"); columnsOf(before) != 2+6+2+4+2 {
			t.Errorf("%q: the last column begins at %d", line, columnsOf(before))
		}
	}
	for _, word := range []string{"医生", "नमस्ते", "\U0010FFFD"} {
		if !strings.Contains(out.String(), "  "+word+"  ") {
			t.Errorf("%q lacks %q", out.String(), word)
		}
	}
}
