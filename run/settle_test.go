package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"strings"
	"testing"
)

// memory is a file system in memory.
type memory map[string]string

func sha(data string) string { s := sha256.Sum256([]byte(data)); return hex.EncodeToString(s[:]) }

func (m memory) Exists(_ context.Context, name string) (bool, error) {
	_, ok := m[name]
	return ok, nil
}
func (m memory) Sum(_ context.Context, name string) (string, error) { return sha(m[name]), nil }
func (m memory) Remove(_ context.Context, name string) error        { delete(m, name); return nil }
func (m memory) Publish(_ context.Context, temporary, name string) error {
	m[name] = m[temporary]
	delete(m, temporary)
	return nil
}

// Every state of an output that a kill, or a hand, can leave. A refused file is never
// changed.
func TestSettle(t *testing.T) {
	for name, c := range map[string]struct {
		files, after memory
		sum          string // of the record
		attempted    bool
		changed      bool // the input
		again        bool
		done         bool
		refused      string
		usage        bool
	}{
		"new":                      {},
		"an original":              {files: memory{"o": "x"}, refused: "did not write it", usage: true},
		"interrupted":              {files: memory{"t": "hal"}, attempted: true, after: memory{}},
		"interrupted and overlaid": {files: memory{"o": "x", "t": "hal"}, attempted: true, refused: "did not write it", usage: true},
		"done":                     {files: memory{"o": "whole"}, attempted: true, sum: sha("whole"), done: true},
		"whole without its name":   {files: memory{"t": "whole"}, attempted: true, sum: sha("whole"), done: true, after: memory{"o": "whole"}},
		"damaged without its name": {files: memory{"t": "who"}, attempted: true, sum: sha("whole"), refused: "is gone"},
		"gone":                     {attempted: true, sum: sha("whole"), refused: "is gone"},
		"gone, again":              {attempted: true, sum: sha("whole"), again: true},
		"another":                  {files: memory{"o": "x"}, attempted: true, sum: sha("whole"), refused: "is not what this run wrote"},
		"another, again":           {files: memory{"o": "x"}, attempted: true, sum: sha("whole"), again: true, refused: "is not what this run wrote"},
		"changed input":            {files: memory{"o": "whole"}, attempted: true, sum: sha("whole"), changed: true, again: true, refused: "has changed", usage: true},
	} {
		t.Run(name, func(t *testing.T) {
			files := memory{}
			maps.Copy(files, c.files)
			o := Output{Name: "o", SHA256: c.sum, Input: "in", Same: !c.changed}
			if c.attempted {
				o.Temporary = "t"
			}
			done, err := Settle(t.Context(), files, o, c.again)
			var refused *Refusal
			switch {
			case c.refused == "" && err != nil, c.refused != "" && !errors.As(err, &refused):
				t.Fatal(err)
			case c.refused != "" && (!strings.Contains(refused.What, c.refused) || refused.Usage != c.usage || refused.Remedy == ""):
				t.Errorf("refused with %+v", refused)
			}
			want := c.after
			if want == nil {
				want = c.files
			}
			if done != c.done || !maps.Equal(files, want) {
				t.Errorf("done: %t, files: %v", done, files)
			}
		})
	}
}
