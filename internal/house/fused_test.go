package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// A model's arithmetic is float32, and its kernels of other processors round otherwise too.
const (
	latents  = "a model's arithmetic: the latent vector is clipped and put on a grid after it, and decoding comes after the noise"
	training = "training: a model is fitted to public text, and its file has its digest"
)

// mayFuse lists the functions of the packages below in which a compiler may fuse a
// product with a sum, with the reason why no weight, set, choice, certificate or digest
// changes.
var mayFuse = map[string]string{
	"autoencoder/activate.go powers":    latents,
	"autoencoder/encoder.go states":     latents,
	"autoencoder/network.go length":     latents,
	"autoencoder/recurrent.go advance":  latents,
	"autoencoder/network.go backward":   training,
	"autoencoder/network.go outOfBall":  training,
	"autoencoder/recurrent.go backward": training,
	"autoencoder/adam.go sumOfSquares":  training,
	"autoencoder/train.go mean":         training,
	"autoencoder/weights.go uniform":    training,

	"internal/grid/distance.go SquaredDistance":       "exact: sums of products of integers below 2^53",
	"internal/simd/squares/squares.go Set":            "exact: sums of products of integers below 2^53",
	"internal/simd/lower/panels.go Pack":              "exact: sums of products of integers below 2^53",
	"internal/simd/squares/squares.go squaresGo":      "exact: sums of products of integers below 2^53",
	"internal/simd/squares/squares.go Take":           "exact: sums of products of integers below 2^53",
	"internal/simd/squares/halves.go halve":           "exact: sums of products of integers below 2^53",
	"internal/simd/squares/halves.go squaresOfHalves": "exact: sums of products of integers below 2^53",
	"internal/simd/lower/lower.go lowerGo":            "bounds, widened by the rounding of every step",
	"internal/simd/rowops/rowops.go axpyGo":           "the packing solver, whose assembly rounds otherwise too: its channels are certified as they are",
	"internal/simd/rowops/rowops.go dotPositiveGo":    "the packing solver, whose assembly rounds otherwise too: its channels are certified as they are",
	"internal/simd/rowops/rowops.go maxDifferenceGo":  "the packing solver, whose assembly rounds otherwise too: a bound with the rounding added",
	"synthesis/attackgaussian.go muLow":               "evidence of an attack, at a confidence: no report has it and nothing recomputes it",
	"mechanism/catalog/mahalanobis.go multiply":       "noise in float32",
	"noise/continuous.go Spherical":                   "noise: the samplers use the platform's logarithm and exponential",
}

var fusedInstruction = regexp.MustCompile(`\(([^()]*\.go):(\d+)\)\tF(N?M(ADD|SUB))[SD]\t`)

// Go lets a compiler fuse x*y + z, which rounds once instead of twice; on arm64
// it does, on amd64 it does not. An explicit conversion, float64(x*y) + z,
// forbids it. So numbers that must be the same on every machine are written with
// it, and none of the packages that compute them may hold a fused instruction
// outside the functions of mayFuse.
func TestNumbersThatMustAgreeAreNotFused(t *testing.T) {
	stage.Needs(t, stage.Platforms) // compiles half of the module for arm64
	packages := []string{".", "./synthesis", "./autoencoder", "./privacy", "./embedding", "./corpus", "./corpus/internal/lsa", "./language", "./internal/symmetric", "./internal/int8grid", "./internal/zipf", "./audit", "./tune", "./internal/elementary", "./internal/falseposition", "./internal/grid", "./internal/simd/maxima", "./internal/simd/rounding", "./internal/simd/squares", "./internal/simd/lower", "./internal/simd/rowops", "./internal/simd/weigh"}
	out, err := exec.Command("go", "list", "-f", `{{if not (or (eq .Name "main") (eq .Name "oracle"))}}./{{.ImportPath}}{{end}}`, "./mechanism/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages = append(packages, strings.Fields(strings.ReplaceAll(string(out), "github.com/sotto-dp/sotto/", ""))...)
	stage.Sources(t, []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}, packages...)
	used := map[string]bool{}
	// The list of instructions needs source paths. A file of go env may trim them too.
	flags := append(strings.Fields(os.Getenv("GOFLAGS")), "-trimpath=false")
	for _, pkg := range packages {
		cmd := exec.Command("go", "build", "-gcflags=-S", pkg)
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOFLAGS="+strings.Join(flags, " "))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", pkg, err, out[:min(len(out), 2000)])
		}
		// The cache is generic, so it is compiled and checked where it is used.
		if !strings.Contains(string(out), "STEXT") && pkg != "./mechanism/internal/cache" {
			t.Fatalf("%s: the compiler lists no instructions", pkg)
		}
		for _, m := range fusedInstruction.FindAllStringSubmatch(string(out), -1) {
			line, err := strconv.Atoi(m[2])
			if err != nil {
				t.Fatal(err)
			}
			here, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			file, err := filepath.Rel(here, m[1])
			if err != nil || strings.HasPrefix(file, "..") {
				continue // inlined from another module
			}
			function, text := enclosing(t, file, line)
			if strings.Contains(text, "math.FMA(") {
				continue // requested, and the same everywhere
			}
			name := filepath.ToSlash(file) + " " + function
			if _, ok := mayFuse[name]; !ok {
				t.Errorf("%s:%d: arm64 fuses a product in %s: write float64(x*y), or list %q in mayFuse with its reason\n\t%s", file, line, function, name, strings.TrimSpace(text))
			}
			used[name] = true
		}
	}
	for name := range mayFuse {
		if !used[name] {
			t.Errorf("mayFuse lists %q, which fuses nothing: delete it", name)
		}
	}
}

// enclosing returns the function around a line of a file, and the line.
func enclosing(t *testing.T, file string, line int) (function, text string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && set.Position(f.Pos()).Line <= line && line <= set.Position(f.End()).Line {
			function = f.Name.Name
		}
	}
	return function, strings.Split(string(src), "\n")[line-1]
}
