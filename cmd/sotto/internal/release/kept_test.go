package release

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/typed"
)

func writing(name string, out io.Writer) *cli.Terminal {
	return &cli.Terminal{Out: out, Writable: map[string]bool{name: true, cli.LockName(name): true}}
}

// One run at a time has a map: a second one is refused until the first ends, and the map of
// the first is then read.
func TestOneRunHasAMap(t *testing.T) {
	name := filepath.Join(t.TempDir(), "map")
	term := writing(name, io.Discard)
	empty := func(context.Context, string) (*typed.Map, error) { return typed.NewMap(), nil }
	var first, second keptMap
	if _, err := first.holding(term, empty)(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	opened := false
	if _, err := second.holding(term, func(context.Context, string) (*typed.Map, error) { opened = true; return nil, nil })(t.Context(), name); err == nil || opened || !strings.Contains(err.Error(), "in use by another run") {
		t.Fatalf("opened %t (%v)", opened, err)
	}
	second.close()
	if err := first.write(term); err != nil {
		t.Fatal(err)
	}
	first.close()
	if _, err := second.holding(term, empty)(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	second.close()
	if _, err := os.Stat(cli.LockName(name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is left: %v", err)
	}
}

// Nothing is written to standard output before it is delivered, which is after the map.
func TestOutputWaitsForItsMap(t *testing.T) {
	var to bytes.Buffer
	out, err := cli.CreateOutput(t.Context(), writing("", &to), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []*typed.Map{nil, typed.NewMap()} {
		to.Reset()
		h, err := (&keptMap{Map: kept}).before(out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(h.writer(), "Anna"); err != nil {
			t.Fatal(err)
		}
		if got := to.String(); (got == "") != (kept != nil) {
			t.Errorf("%q is written before a map, %t", got, kept != nil)
		}
		if err := h.deliver(); err != nil || to.String() != "Anna" {
			t.Errorf("%q is delivered (%v)", to.String(), err)
		}
		h.close()
	}
}
