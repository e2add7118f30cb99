package sottobeam

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/synthesis"
)

// banks is the command of an encoder: the second axis for texts with "bank", else the first.
const banks = `echo '{"dimensions": 2, "format": "json"}'; sed -u 's/\\.//g; s/"[^"]*bank[^"]*"/[0,1]/g; s/"[^"]*"/[1,0]/g'`

// byBanks writes a corpus of two texts with its vectors.
func byBanks(t testing.TB) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the encoder is for sh and GNU sed")
	}
	p, err := program.Start(t.Context(), banks)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	b, err := corpus.NewBuilder(corpus.Options{Name: "banks", Public: true, Program: p, Clusters: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"the phone rings", "the bank is closed"} {
		if err := b.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "banks.corpus")
	if err := c.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// The encoder of a corpus makes the vectors of elements, by one program for the process.
func TestEncoderProgramMakesVectorsOfElements(t *testing.T) {
	file := byBanks(t)
	list := reviews(40)
	for i := range list {
		list[i].Text = []string{"a bank", "a phone"}[i%2]
	}
	cfg := Config{Epsilon: 30, Corpus: file, EncoderProgram: banks, Fields: []string{"Text"}, Parameters: map[string]string{"neighbours": "1"}}
	if _, err := run(t, list, seeReview, cfg); err != nil {
		t.Fatal(err)
	}
	for _, r := range seen.reviews { // P(another text) is below 1e-12
		if want := []string{"the bank is closed", "the phone rings"}[r.ID%2]; r.Text != want {
			t.Errorf("element %d is %q, want %q", r.ID, r.Text, want)
		}
	}
	if len(seen.statements) != 1 || !strings.Contains(seen.statements[0], "public-encoder") {
		t.Errorf("the statement is %s", seen.statements)
	}

	plan := Synthesis{Epsilon: 20, Corpus: file, EncoderProgram: banks, Text: "Text", Expect: 40, Run: strings.Repeat("r", 16)}
	m, err := newMaker(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	records := slices.Repeat([]synthesis.Record{{Text: []byte("a bank")}, {Text: []byte("the phone")}}, 20)
	if err := m.encoded(records); err != nil {
		t.Fatal(err)
	}
	counts := m.plan.NewCounts()
	counts.Add(m.plan.Vote(records))
	data, err := counts.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	if err := m.release(t.Context(), counted{data}, func(r Row) { rows[r.Text]++ }, func(string) {}); err != nil {
		t.Fatal(err)
	}
	if n := rows["the bank is closed"]; len(rows) != 2 || n < 15 || n > 25 {
		t.Errorf("the rows are %v", rows)
	}
	started := 0
	programs.Range(func(_, _ any) bool { started++; return true })
	if started != 1 {
		t.Errorf("%d programs were started", started)
	}
}

func TestEncoderProgramMustFit(t *testing.T) {
	file := byBanks(t)
	_, s := beam.NewPipelineWithRoot()
	texts := beam.CreateList(s, []string{"x"})
	backwards := strings.ReplaceAll(strings.ReplaceAll(banks, "[0,1]", "[1,2]"), "[1,0]", "[0,1]")
	for want, cfg := range map[string]Config{
		"set EncoderProgram to that program":     {Epsilon: 3, Corpus: file},
		"gives other vectors than the corpus":    {Epsilon: 3, Corpus: file, EncoderProgram: backwards},
		"with a corpus that has its own encoder": {Epsilon: 3, Corpus: "english", EncoderProgram: banks},
		"encoder-program needs":                  {Epsilon: 3, EncoderProgram: banks},
		"its first line must be":                 {Epsilon: 3, Corpus: file, EncoderProgram: "exit 3"},
	} {
		if _, err := TryRewrite(s, texts, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", cfg, err, want)
		}
		programs.Delete(cfg.EncoderProgram)
	}
	for want, cfg := range map[string]Synthesis{
		"set EncoderProgram":                     {Epsilon: 3, Corpus: file, Text: "Text"},
		"with a corpus that has its own encoder": {Epsilon: 3, EncoderProgram: banks, Text: "Text"},
	} {
		if _, err := cfg.Checked(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", cfg, err, want)
		}
	}
}

// Before a bundle is kept, and where its functions end, the program is asked once more. One that
// writes more when its input ends is found.
func TestEncoderProgramIsFinished(t *testing.T) {
	file := byBanks(t)
	asked := filepath.Join(t.TempDir(), "asked")
	command := "sed -u 'w " + asked + "' | { " + banks + "; echo more; }"
	rewrite := Config{Epsilon: 3, Corpus: file, EncoderProgram: command, Unit: "text"}
	plan := Synthesis{Epsilon: 20, Corpus: file, EncoderProgram: command, Text: "Text", Expect: 40, Run: strings.Repeat("r", 16)}
	votes := &voteFn{Config: plan, Type: beam.EncodedType{T: reflect.TypeFor[review]()}}
	if err := errors.Join(votes.Setup(), votes.StartBundle(t.Context(), nil)); err != nil {
		t.Fatal(err)
	}
	w, err := Open(rewrite)
	if err != nil {
		t.Fatal(err)
	}
	for name, fn := range map[string]struct{ confirm, finish func() error }{
		"words":   {func() error { return (&rewriteFn{Config: rewrite}).FinishBundle(t.Context(), nil, nil, nil) }, (&rewriteFn{Config: rewrite}).Teardown},
		"groups":  {func() error { return (&groupFn{Config: rewrite}).FinishBundle(t.Context(), nil, nil, nil) }, (&groupFn{Config: rewrite}).Teardown},
		"votes":   {func() error { return votes.FinishBundle(t.Context(), func(counted) {}) }, votes.Teardown},
		"users":   {func() error { return (&userVoteFn{Config: plan}).FinishBundle(t.Context(), nil) }, (&userVoteFn{Config: plan}).Teardown},
		"of file": {w.Confirm, w.Finish},
	} {
		lines := func() int {
			data, err := os.ReadFile(asked)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Count(string(data), "\n")
		}
		if _, _, err := w.rewrite(t.Context(), "", [][]byte{[]byte("a bank")}, nil); err != nil {
			t.Fatal(err)
		}
		before := lines()
		if err := fn.confirm(); err != nil || lines() != before+1 {
			t.Errorf("%s: %d lines more when a bundle ends (%v), want 1", name, lines()-before, err)
		}
		if err := fn.finish(); err == nil || !strings.Contains(err.Error(), "encoder program: ") {
			t.Errorf("%s: %v at the end, want that the program wrote more", name, err)
		}
	}
}
