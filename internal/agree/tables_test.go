package agree_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
)

// The verifier reads a text file with a byte order mark as the program does, and names the
// tables that it does not read.
func TestVerifierNamesTablesThatItDoesNotRead(t *testing.T) {
	stage.LooksAt(t, "../../verify/*.py")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT CHECKED: there is no python3")
	}
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const text = "3 2\nthe 0.5 -1\ncat 2 3\ndog 3 2\n"
	marked := file("marked.vec", []byte("\ufeff"+text))
	table, err := embedding.Open(marked)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	counted, err := embedding.New(embedding.Source{Name: "counted", Words: []string{"the", "cat", "dog"}, Dim: 2, Vectors: []float32{0.5, -1, 2, 3, 3, 2}, Counts: []int64{3, 2, 1}})
	if err != nil {
		t.Fatal(err)
	}
	stored := filepath.Join(dir, "counted.table")
	if err := embedding.WriteFile(stored, counted); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		marked:                                table.Digest(),
		file("packed.vec.gz", packed.Bytes()): "compressed: decompress it first",
		stored:                                "a table with counts or rules of segmentation",
		file("none.vec", []byte("no table")):  "not a table that this program reads",
	} {
		run := exec.CommandContext(t.Context(), python, "-c", "import sys, sotto_verify\nprint(sotto_verify.read_table(sys.argv[1]).digest())", path)
		run.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=../../verify")
		if out, _ := run.CombinedOutput(); !strings.Contains(string(out), want) {
			t.Errorf("%s: %q, want %q", path, out, want)
		}
	}
}
