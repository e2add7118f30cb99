package release

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/internal/npy"
	"github.com/sotto-dp/sotto/release"
)

// The header is NumPy's format 1.0: magic, version, a little-endian length that
// makes the whole a multiple of 64, and a dictionary that ends in a newline.
func TestArrayIsInNumPysFormat(t *testing.T) {
	name := filepath.Join(t.TempDir(), "v.npy")
	out, err := cli.CreateOutput(t.Context(), &cli.Terminal{Writable: map[string]bool{name: true}}, name)
	if err != nil {
		t.Fatal(err)
	}
	w := &vectorWriter{out: out, form: "npy", dim: 2}
	for _, step := range []func() error{
		w.begin,
		func() error { return w.write([]release.Vectors{{Rows: 1, Components: []float32{1, -2}}}) },
		func() error {
			return w.write([]release.Vectors{{Rows: 2, Components: []float32{0.5, 3, 4, float32(math.Pi)}}})
		},
		out.Finish, w.end, out.Commit,
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	npyHeader := len(npy.Header(3, 2))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(data, []byte("\x93NUMPY\x01\x00")) || int(binary.LittleEndian.Uint16(data[8:])) != npyHeader-10 || npyHeader%64 != 0 {
		t.Fatalf("the header begins with %x", data[:10])
	}
	head := data[10:npyHeader]
	if want := []byte("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"); !bytes.HasPrefix(head, want) || head[len(head)-1] != '\n' {
		t.Errorf("the dictionary is %q", head)
	}
	want := []float32{1, -2, 0.5, 3, 4, float32(math.Pi)}
	if len(data) != npyHeader+4*len(want) {
		t.Fatalf("%d bytes", len(data))
	}
	for i, x := range want {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(data[npyHeader+4*i:])); got != x {
			t.Errorf("component %d is %g, want %g", i, got, x)
		}
	}
}
