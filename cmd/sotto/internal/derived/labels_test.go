package derived

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// Labels are paired with vectors by number, so a record with no label or two is refused:
// one of each would leave their number as it is.
func TestEachVectorHasOneLabel(t *testing.T) {
	for in, want := range map[string]string{
		"{\"l\":\"a\",\"t\":null}\n\n{\"l\":\"b\",\"l\":\"c\"}\n{\"l\":null}\n": "record 2 has 2 labels, want one",
		"{\"l\":null}\n{\"l\":\"b\",\"l\":\"c\"}\n":                             "record 1 has 0 labels, want one",
		"{\"l\":\"a\"}\n{\"t\":\"x\"}\n":                                        `line 2: there is no field "l"`,
		"{\"l\":\"a\"}\n{\"t\":null,\"l\":\"\"}\n":                              "",
	} {
		name := filepath.Join(t.TempDir(), "in.jsonl")
		if err := os.WriteFile(name, []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		c := LearnCmd{Label: "l", File: []string{name}}
		c.Invalid = "fail"
		labels, err := c.readLabels(t.Context(), &cli.Terminal{In: os.Stdin})
		if want == "" && (err != nil || strings.Join(labels, ",") != "a,") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("of %q labels are %q, error %v", in, labels, err)
		}
	}
}
