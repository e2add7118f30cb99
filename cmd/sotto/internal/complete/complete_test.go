package complete

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
)

type grammar struct {
	Copy struct {
		Format string   `short:"f" enum:"csv,json" default:"csv"`
		Loud   bool     `help:"Say more."`
		File   []string `arg:"" optional:""`
	} `cmd:"" help:"Copy files."`
	Ledger struct {
		Grant struct {
			Account string `arg:""`
		} `cmd:""`
		Show struct{} `cmd:""`
	} `cmd:""`
	Secret struct{} `cmd:"" hidden:""`
}

func TestCandidates(t *testing.T) {
	parser, err := kong.New(&grammar{}, kong.Name("tool"))
	if err != nil {
		t.Fatal(err)
	}
	values := func(v *kong.Value) ([]string, bool) {
		switch v.Name {
		case "format":
			return []string{"csv", "json"}, false
		case "account":
			return []string{"alice", "bob"}, false
		}
		return nil, true
	}
	for _, test := range []struct {
		words []string
		want  []string
		files bool
	}{
		{nil, []string{"copy", "ledger"}, false},
		{[]string{"co"}, []string{"copy"}, false},
		{[]string{"se"}, nil, false},
		{[]string{"ledger", ""}, []string{"grant", "show"}, false},
		{[]string{"ledger", "grant", "b"}, []string{"bob"}, false},
		{[]string{"ledger", "grant", "bob", ""}, nil, false},
		{[]string{"copy", "--f"}, []string{"--format"}, false},
		{[]string{"copy", "--format", "j"}, []string{"json"}, false},
		{[]string{"copy", "-f", ""}, []string{"csv", "json"}, false},
		{[]string{"copy", "--format=c"}, []string{"--format=csv"}, false},
		{[]string{"copy", "--nothing=c"}, nil, false},
		{[]string{"copy", "--loud", "x"}, nil, true},
		{[]string{"copy", "a", "b", ""}, nil, true},
		{[]string{"copy", "--", "--f"}, nil, true},
		{[]string{"nothing", ""}, []string{"copy", "ledger"}, false},
	} {
		list, files := Candidates(parser.Model.Node, test.words, values)
		var got []string
		for _, c := range list {
			got = append(got, c.Value)
		}
		if !slices.Equal(got, test.want) || files != test.files {
			t.Errorf("%q: %q, files %t; want %q, %t", test.words, got, files, test.want, test.files)
		}
	}
}

func TestEveryShellHasAScript(t *testing.T) {
	for _, shell := range Shells {
		if script, err := Script(shell); err != nil || len(script) < 100 {
			t.Errorf("%s: %d bytes, %v", shell, len(script), err)
		}
	}
	if _, err := Script("tcsh"); err == nil {
		t.Error("a script for a shell without one")
	}
}
