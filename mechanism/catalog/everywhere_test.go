package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/noise"
)

// figures computes what must be the same on every machine, one line per setting:
// a name and a digest of the rows, or of the parameters in force and the exact
// losses.
func figures(t *testing.T) (lines []string) {
	t.Helper()
	ctx := context.Background()
	line := func(name string, v any) {
		lines = append(lines, fmt.Sprintf("%s %x", name, sha256.Sum256(fmt.Appendf(nil, "%x", v))))
	}
	rng := rand.New(rand.NewPCG(21, 22))
	narrow, wide := embedding.Source{Dim: 24}, embedding.Source{Name: "wide", Dim: 24}
	var grid []int8
	for i := range 150 {
		word := fmt.Sprintf("w%d", i)
		narrow.Words, wide.Words = append(narrow.Words, word), append(wide.Words, word)
		for range 24 {
			grid = append(grid, int8(max(-127, min(127, 40*rng.NormFloat64()))))
			wide.Vectors = append(wide.Vectors, float32(rng.NormFloat64()*0.15))
		}
	}
	small, err := embedding.NewNarrow(embedding.Narrow{Name: "narrow", Words: narrow.Words, Dim: 24, Step: 1.0 / 32, Grid: grid})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []*embedding.Table{small, oracle.MustTable(t, wide), oracle.EnglishFirst(t, 300)} {
		line(table.Name()+" table", []any{table.Digest(), table.Unknown(), table.Step(), table.Diameter()})
		for _, c := range []struct {
			name    string
			entry   mechanism.Entry
			epsilon float64
			with    string // parameters, "k=v k=v"
		}{
			{"response", responseEntry, 5, ""},
			{"classes", classesEntry, 4, ""},
			{"classes counted", classesEntry, 4, "outputs=40"},
			{"neighbours", neighboursEntry, 4, ""},
			{"neighbours signal", neighboursEntry, 4, "objective=signal"},
			{"neighbours readable", neighboursEntry, 4, "objective=readable"},
			{"neighbours distance", neighboursEntry, 2, "objective=distance"},
			{"neighbours attack", neighboursEntry, 6, "attack=0.2"},
			{"tem", temEntry, 2, ""},
			{"exponential", exponentialEntry, 2, ""},
			{"exponential angular", exponentialEntry, 2, "metric=angular"},
			{"exponential mahalanobis", exponentialEntry, 2, "metric=mahalanobis"},
			{"exponential hyperbolic", exponentialEntry, 2, "metric=hyperbolic"},
		} {
			if strings.HasSuffix(c.name, "hyperbolic") && table.Name() != "wide" {
				continue // vectors outside the unit ball
			}
			for _, published := range []bool{true, false} {
				spec := mechanism.Spec{Epsilon: c.epsilon, Published: published, Parameters: map[string]string{}}
				for _, p := range strings.Fields(c.with) {
					k, v, _ := strings.Cut(p, "=")
					spec.Parameters[k] = v
				}
				m, err := c.entry.New(ctx, table, spec)
				if err != nil {
					t.Fatalf("%s over %s: %v", c.name, table.Name(), err)
				}
				h := sha256.New()
				var row []uint64
				for x := range table.Len() {
					row = m.(mechanism.Channel).Weights(row[:0], embedding.ID(x))
					for _, w := range row {
						var b [8]byte
						binary.LittleEndian.PutUint64(b[:], w)
						h.Write(b[:])
					}
				}
				name := fmt.Sprintf("%s %s published=%t", table.Name(), c.name, published)
				lines = append(lines, fmt.Sprintf("%s rows %x", name, h.Sum(nil)))
				line(name+" settings", m.Settings())
				if k, ok := m.(mechanism.Certified); ok {
					line(name+" losses", k.Loss())
				}
				out, err := m.Replace(nil, []embedding.ID{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, noise.Seeded(5, 6))
				if err != nil {
					t.Fatal(err)
				}
				line(name+" draws", out)
			}
		}
		root, err := shapeRoot(ctx, "mahalanobis", table, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		line(table.Name()+" covariance root", root.rows)
		p, err := newPrivembVectors(ctx, table, mechanism.Spec{Epsilon: 4, Parameters: map[string]string{"lipschitz": "table", "dimensions": "20"}})
		if err != nil {
			t.Fatal(err)
		}
		line(table.Name()+" projection", p.(*privembVectors).phi.Entries)
		line(table.Name()+" projected", p.(*privembVectors).projected.Digest())
		for _, e := range All() {
			if e.NewPerturber == nil || e.Name == "privemb" {
				continue
			}
			p, err := e.NewPerturber(ctx, table, mechanism.Spec{Epsilon: 0.7})
			if err != nil {
				continue
			}
			line(table.Name()+" "+e.Name+" scale", p.Settings())
		}
	}
	packed, err := newPacking(ctx, oracle.EnglishFirst(t, packing.Words), mechanism.Spec{Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	for x := range embedding.ID(5) {
		line(fmt.Sprintf("packing row %d", x), packed.(mechanism.Channel).Weights(nil, x))
	}
	src := noise.Seeded(7, 8)
	normal := make([]float32, 4096)
	noise.FillNormal(normal, 1, src)
	line("normal noise", normal)
	noise.FillLaplace(normal, 1, src)
	line("laplace noise", normal)
	noise.FillSpherical(normal, 64, 1, src)
	line("spherical noise", normal)
	return lines
}

func TestPrintFigures(t *testing.T) {
	if os.Getenv("SOTTO_PRINT_FIGURES") == "" {
		t.Skip("for TestFiguresAreTheSameOnEveryMachine")
	}
	for _, l := range figures(t) {
		fmt.Println("figure", l)
	}
}

// Rows, sets, parameters in force and certified losses are the same whatever the
// processor: AVX-512, AVX2 or neither, and arm64.
func TestFiguresAreTheSameOnEveryMachine(t *testing.T) {
	stage.Needs(t, stage.Platforms) // computes all figures once for each kind of processor
	stage.Sources(t, []string{"GOARCH=arm64", "CGO_ENABLED=0"}, "-test", ".")
	want := figures(t)
	printed := func(t *testing.T, cmd *exec.Cmd) []string {
		t.Helper()
		cmd.Env = append(cmd.Environ(), "SOTTO_PRINT_FIGURES=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var lines []string
		for _, l := range strings.Split(string(out), "\n") {
			if l, ok := strings.CutPrefix(l, "figure "); ok {
				lines = append(lines, l)
			}
		}
		return lines
	}
	compare := func(t *testing.T, got []string) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%d figures, want %d", len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%q here, %q there", want[i], got[i])
			}
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const run = "-test.run=^TestPrintFigures$"
	if runtime.GOARCH == "amd64" {
		for _, off := range []string{"cpu.avx512f=off", "cpu.avx512f=off,cpu.avx2=off,cpu.fma=off"} {
			t.Run(off, func(t *testing.T) {
				cmd := exec.Command(self, run)
				cmd.Env = append(cmd.Environ(), "GODEBUG="+off)
				compare(t, printed(t, cmd))
			})
		}
	}
	t.Run("arm64", func(t *testing.T) {
		i := slices.IndexFunc([]string{"qemu-aarch64-static", "qemu-aarch64"}, func(name string) bool {
			_, err := exec.LookPath(name)
			return err == nil
		})
		if i < 0 || runtime.GOOS != "linux" {
			t.Skip("SKIPPED, NOT CHECKED: arm64 needs Linux and qemu-aarch64 (Debian: qemu-user-static)")
		}
		binary := filepath.Join(t.TempDir(), "mechanism.test")
		build := exec.Command("go", "test", "-vet=off", "-c", "-o", binary, ".")
		build.Env = append(build.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		compare(t, printed(t, exec.Command([]string{"qemu-aarch64-static", "qemu-aarch64"}[i], binary, run)))
	})
}
