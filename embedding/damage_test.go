package embedding

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/tabledamage"
	"github.com/sotto-dp/sotto/internal/testseed"
)

// written returns a table file of n words, its bytes and where its values begin.
func written(t *testing.T, n, dim int) (path string, data []byte, at int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(testseed.Of(t, 1), 0))
	src := Source{Name: "t", Dim: dim}
	for i := range n {
		src.Words = append(src.Words, "w"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+string(rune('a'+i/26)))
		for range dim {
			src.Vectors = append(src.Vectors, float32(rng.NormFloat64()))
		}
	}
	table, err := New(src)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "t.sotto")
	if err := WriteFile(path, table); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return path, data, len(data) - 4*n*dim
}

// A table whose digest is not the one in its header is refused.
func TestTableFileWithOtherVectorsIsRefused(t *testing.T) {
	const n, dim = 60, 5
	path, good, at := written(t, n, dim)
	set := func(data []byte, i int, v float32) {
		binary.LittleEndian.PutUint32(data[at+4*i:], math.Float32bits(v))
	}
	get := func(data []byte, i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(data[at+4*i:]))
	}
	digest := "the words and vectors do not have the digest that the file states"
	for _, c := range []struct {
		name   string
		damage func(data []byte)
		want   string
	}{
		{"every other vector shorter", func(data []byte) {
			if err := tabledamage.Shorten(data); err != nil {
				t.Fatal(err)
			}
		}, digest},
		{"one component by one step", func(data []byte) { set(data, 7, get(data, 7)+1) }, digest},
		{"two vectors exchanged", func(data []byte) {
			row := slices.Clone(data[at : at+4*dim])
			copy(data[at:], data[at+4*dim:at+8*dim])
			copy(data[at+4*dim:], row)
		}, digest},
		{"a page of zeros", func(data []byte) { clear(data[at+100 : at+200]) }, digest},
		{"a word", func(data []byte) { data[fileHeader] = 'q' }, digest},
		{"a fraction", func(data []byte) { set(data, 7, 0.5) }, "word 2 has a component that is not on the grid"},
		{"not a number", func(data []byte) { set(data, 11, float32(math.NaN())) }, "word 3 has a component that is not on the grid"},
		{"infinite", func(data []byte) { set(data, 0, float32(math.Inf(-1))) }, "word 1 has a component that is not on the grid"},
		{"beyond the grid", func(data []byte) { set(data, n*dim-1, 1<<24+2) }, "word 60 has a component that is not on the grid"},
	} {
		bad := slices.Clone(good)
		c.damage(bad)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", c.name, err, c.want)
		}
	}
}

// The largest component is accepted, the next integer is not.
func TestGridEndsWhereSquaredDistancesStayExact(t *testing.T) {
	for _, dim := range []int{1, 2, 3, 64, 100, 300, 4096} {
		edge := math.Ldexp(1, gridBits(dim))
		values := components{wide: make([]float32, dim)}
		for _, v := range []float64{edge, -edge, 0, 1} {
			if values.wide[dim-1] = float32(v); values.offGrid(dim) >= 0 {
				t.Errorf("%d dimensions: %g is refused", dim, v)
			}
		}
		for _, v := range []float64{2 * edge, -edge - max(1, edge/(1<<23)), 0.5} {
			if values.wide[dim-1] = float32(v); values.offGrid(dim) != dim-1 {
				t.Errorf("%d dimensions: %g is accepted", dim, v)
			}
		}
		if most := float64(dim) * 4 * edge * edge; most > 1<<53 {
			t.Errorf("%d dimensions: a squared distance may be %g, beyond 2^53", dim, most)
		}
	}
}

// Changes to a file after it was opened do not affect the table.
func TestOpenTableDoesNotFollowItsFile(t *testing.T) {
	path, good, _ := written(t, 60, 5)
	table, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	bad := slices.Clone(good)
	if err := tabledamage.Shorten(bad); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(bad, 0); err != nil {
		t.Fatal(err)
	}
	if table.hash() != table.sum() {
		t.Error("the values changed with the file")
	}
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	if table.hash() != table.sum() {
		t.Error("the values are gone with the file")
	}
	if id, ok := table.Lookup(table.Word(59)); !ok || id != 59 {
		t.Error("the words are gone with the file")
	}
}
