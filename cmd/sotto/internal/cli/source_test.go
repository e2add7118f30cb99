package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/text"
)

// A seeded run gives one output per content, however its reads are split: from a file, a
// pipe, or a decoder that returns what it has.
func TestSeededRunDependsOnTheContentAlone(t *testing.T) {
	stage.Unraced(t)
	var lines bytes.Buffer
	for i := range 60_000 {
		fmt.Fprintf(&lines, "doctor %d agreed\n", i)
	}
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "in.txt"), filepath.Join(dir, "in.txt.zst")
	if err := os.WriteFile(plain, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	coder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packed, coder.EncodeAll(lines.Bytes(), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	seed := uint64(3)
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 8, Parameters: map[string]string{"neighbours": "10"}, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	pipe, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for rest := lines.Bytes(); len(rest) > 0; rest = rest[min(len(rest), 30_001):] {
			_, _ = end.Write(rest[:min(len(rest), 30_001)])
		}
		_ = end.Close()
	}()
	var want string
	for _, name := range []string{plain, packed, "-"} {
		c := &FormatFlags{}
		in, err := c.Source(t.Context(), &Terminal{In: pipe}, name, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		in.Steady()
		var out strings.Builder
		if _, err := r.Copy(t.Context(), &out, in.Reader, sotto.Stream{Format: in.Format}); err != nil {
			t.Fatal(err)
		}
		in.Close()
		if name == plain {
			want = out.String()
		} else if out.String() != want {
			t.Errorf("%s gives another output than the plain file", filepath.Base(name))
		}
	}
}

// A format is found by its name or by a file name, in this table only.
func TestTableHasEveryFormat(t *testing.T) {
	for name, want := range map[string]string{"a.parquet": "parquet", "a.CSV.gz": "csv", "-": "lines", "a.md": "lines"} {
		if f := (&FormatFlags{}).FormatOf(name); f.Name != want {
			t.Errorf("%s is %s, want %s", name, f, want)
		}
	}
	if got := FormatList(); got != "lines, text, jsonl, json, csv, tsv or parquet" {
		t.Errorf("help says %s", got)
	}
	for _, f := range Formats {
		if c := (&FormatFlags{Format: f.Name}); c.CheckFormat() != nil || c.FormatOf("a.csv") != f || (&FormatFlags{}).FormatOf("a"+strings.Join(f.Extensions[:min(1, len(f.Extensions))], "")).Name != f.Name && len(f.Extensions) > 0 {
			t.Errorf("%s is not found by its name", f)
		}
	}
	if Formats.Named("xml") != nil || text.Formats().Named("parquet") != nil {
		t.Error("a format that is not in the table is found")
	}
}
