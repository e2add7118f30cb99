package audit

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
)

// printFigures makes this test binary print seeded findings: a processor's
// features are chosen when a program starts.
const printFigures = "SOTTO_TEST_PRINT_FIGURES"

func TestMain(m *testing.M) {
	if os.Getenv(printFigures) != "" {
		if err := seededFindings(); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// seededFindings writes what audits of words and of vectors find from one seed.
// Where noise has bounded support, several events show as much; which of them is
// tested must not depend on chance.
func seededFindings() error {
	t := new(testing.T)
	encoder := json.NewEncoder(os.Stdout)
	for _, c := range []struct {
		name       string
		dim        int
		epsilon    float64
		parameters map[string]string
	}{
		{"madlib", 5, 2, nil}, {"mahalanobis", 5, 2, nil}, {"laplace", 40, 3, nil},
		{"trlaplace-published", 5, 0.05, map[string]string{"clip": "1"}}, {"trlaplace-published", 30, 0.2, map[string]string{"clip": "1"}},
		{"adept-published", 30, 1, map[string]string{"clip": "1"}},
	} {
		table := randomTable(t, 300, c.dim)
		entry, _ := catalog.Find(c.name)
		spec := mechanism.Spec{Epsilon: c.epsilon, Parameters: c.parameters}
		if entry.New != nil {
			m, err := entry.New(context.Background(), table, spec)
			if err != nil {
				return err
			}
			f, err := sample(context.Background(), entry, m, table, Trial{Draws: 1000, Pairs: [][2]embedding.ID{{0, 1}, {5, 200}}, Rng: noise.Seeded(3, 1)})
			if err != nil {
				return err
			}
			if err := encoder.Encode(f); err != nil {
				return err
			}
		}
		if entry.NewPerturber != nil {
			p, err := entry.NewPerturber(context.Background(), table, spec)
			if err != nil {
				return err
			}
			f, err := SampleVectors(context.Background(), entry, p, table, Trial{VectorPairs: []VectorPair{Opposite(c.dim, 1)}, Draws: 1000, Rng: noise.Seeded(3, 2)})
			if err != nil {
				return err
			}
			if err := encoder.Encode(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// A seeded audit finds the same, to the last digit, on any number of processors,
// with and without vector instructions, and in every run.
func TestSeededAuditFindsTheSameEverywhere(t *testing.T) {
	stage.Unraced(t)
	stage.LooksAt(t) // the program is this one
	run := func(settings ...string) string {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(append(os.Environ(), printFigures+"=1"), settings...)
		var errors strings.Builder // the runtime reports features that it does not know
		cmd.Stderr = &errors
		out, err := cmd.Output()
		if err != nil || len(out) == 0 {
			t.Fatalf("%v: %v, %d bytes: %s", settings, err, len(out), &errors)
		}
		return string(out)
	}
	want := run("GOMAXPROCS=1")
	settings := [][]string{{"GOMAXPROCS=7"}} // each is a whole audit
	all := stage.Runs(stage.Platforms)
	if all {
		settings = append(settings, []string{"GOMAXPROCS=2"}, []string{"GOMAXPROCS=7"})
	}
	if all && runtime.GOARCH == "amd64" {
		settings = append(settings,
			[]string{"GODEBUG=cpu.avx512f=off,cpu.avx512dq=off,cpu.avx512vnni=off"},
			[]string{"GODEBUG=cpu.avx512f=off,cpu.avx512dq=off,cpu.avx512vnni=off,cpu.avx2=off,cpu.fma=off"})
	}
	for _, s := range settings {
		if got := run(s...); got != want {
			t.Errorf("%v: found\n%s\nwith one processor\n%s", s, got, want)
		}
	}
}

// Of two equal scores, the first in order wins.
func TestScoresComeInOneOrder(t *testing.T) {
	order := func() (all string) {
		for _, s := range scoresAround("vector", []float64{1, 0}, []float64{0, 1}) {
			all += s.describe(cut{}) + "\n"
		}
		return all
	}
	want := order()
	for range 60 {
		if got := order(); got != want {
			t.Fatalf("the scores came as\n%sand then as\n%s", want, got)
		}
	}
}
