package program

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/stage"
)

// The test's own binary is the encoder, of the kind that a variable names.
func TestMain(m *testing.M) {
	if kind := os.Getenv("SOTTO_TEST_KIND"); kind != "" {
		encoder(kind)
		return
	}
	os.Exit(m.Run())
}

// encoder counts the bytes of a text by their last three bits.
func encoder(kind string) {
	format := "json"
	switch kind {
	case "float32", "infinite":
		format = "float32"
	case "silent":
		fmt.Fprintln(os.Stderr, "no model here")
		return
	case "tells":
		if said, err := os.ReadFile(os.Getenv("SOTTO_TEST_MARK")); err == nil {
			fmt.Fprintf(os.Stderr, "died of %s\n", said)
			return
		}
	case "dull":
		fmt.Println(`{"dimensions": 0, "format": "json"}`)
		return
	}
	fmt.Printf("{\"dimensions\": 8, \"format\": %q, \"batch\": 5}\n", format)
	fmt.Fprintln(os.Stderr, "ready")
	in := bufio.NewReader(os.Stdin)
	var before []float64
	for calls := 0; ; calls++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if kind == "adds at the end" {
				fmt.Println()
			}
			return
		}
		var texts []string
		if json.Unmarshal(line, &texts) != nil || len(texts) > 5 {
			os.Exit(3)
		}
		mark := os.Getenv("SOTTO_TEST_MARK")
		if _, err := os.Stat(mark); kind == "dies" && err != nil || kind == "dies always" || kind == "tells" {
			_ = os.WriteFile(mark, line, 0o600)
			fmt.Fprintln(os.Stderr, "died of", texts)
			os.Exit(1)
		}
		switch {
		case kind == "floods":
			for {
				fmt.Print(strings.Repeat("[],", 1<<12))
			}
		case kind == "empties":
			fmt.Printf("[%s[]]\n", strings.Repeat("[],", 1<<12))
			continue
		case kind == "nulls":
			fmt.Printf("[%s[null,0,0,0,0,0,0,0]]\n", strings.Repeat("[null,0,0,0,0,0,0,0],", len(texts)-1))
			continue
		case kind == "adds and dies" && before != nil: // what was left of the line before answers this one
			os.Exit(1)
		case kind == "hangs" && strings.Contains(string(line), "secret"):
			time.Sleep(time.Hour)
		}
		if of, ok := strings.CutPrefix(kind, "dies after "); ok && of == fmt.Sprint(calls) {
			os.Exit(1)
		}
		vectors := make([][]float64, len(texts))
		for i, t := range texts {
			vectors[i] = make([]float64, 8)
			for _, b := range []byte(t) {
				vectors[i][b%8]++
			}
			switch {
			case kind == "neighbours":
				vectors[i][0] += float64(len(texts))
			case kind == "alone" && len(texts) == 1 && strings.Contains(t, "secret"):
				vectors[i][0]++
			case kind == "remembers" && calls > 20 && len(before) > 0:
				vectors[i], before = before, vectors[i]
			case kind == "remembers":
				before = slices.Clone(vectors[i])
			case kind == "other":
				slices.Reverse(vectors[i])
			case kind == "counts":
				vectors[i][0] += float64(calls)
			case kind == "short" && strings.Contains(t, "secret"):
				vectors[i] = vectors[i][:7]
			case kind == "infinite":
				vectors[i][3] = math.Inf(1)
			}
		}
		if kind == "fewer" {
			vectors = vectors[1:]
		}
		if format == "json" {
			answer, _ := json.Marshal(vectors)
			if kind == "babbles" { // twice
				answer = append(append(answer, '\n'), answer...)
			}
			fmt.Printf("%s\n", answer)
			_, err := os.Stat(mark)
			switch last := texts[len(texts)-1]; {
			case kind == "adds" && last == "last":
				time.Sleep(10 * time.Millisecond)
				fmt.Printf("%s\n", answer)
			case kind == "adds and dies" && last == "last" && err != nil:
				_ = os.WriteFile(mark, nil, 0o600)
				time.Sleep(10 * time.Millisecond)
				fmt.Printf("%s\n", answer)
				before = vectors[0]
			}
			continue
		}
		for _, v := range vectors {
			for _, x := range v {
				_ = binary.Write(os.Stdout, binary.LittleEndian, float32(x))
			}
		}
	}
}

// command starts the test's binary as an encoder.
func command(t *testing.T, kind string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the command is one for sh")
	}
	t.Setenv("SOTTO_TEST_MARK", filepath.Join(t.TempDir(), "died"))
	return fmt.Sprintf("SOTTO_TEST_KIND=%q exec %q", kind, os.Args[0])
}

func texts(n int) (all [][]byte) {
	for i := range n {
		all = append(all, fmt.Appendf(nil, "secret number %d with \"quotes\", a line\nbreak and é", i*i))
	}
	return all
}

func TestVectorsComeInTheOrderOfTheTexts(t *testing.T) {
	for _, kind := range []string{"json", "float32"} {
		p, err := Start(t.Context(), command(t, kind))
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		of := texts(23)
		vectors, err := p.Vectors(t.Context(), of)
		if err != nil || len(vectors) != len(of) || p.Dim() != 8 {
			t.Fatalf("%s: %d vectors of %d, %v", kind, len(vectors), p.Dim(), err)
		}
		for i, v := range vectors {
			want := make([]float64, 8)
			for _, b := range of[i] {
				want[b%8]++
			}
			for k := range v {
				if math.Abs(v[k]-want[k]) > 0 {
					t.Fatalf("%s: text %d has %v, want %v", kind, i, v, want)
				}
			}
		}
		if none, err := p.Vectors(t.Context(), nil); err != nil || len(none) != 0 {
			t.Errorf("no texts have %v, %v", none, err)
		}
	}
}

func TestProgramThatDiesIsStartedAgain(t *testing.T) {
	p, err := Start(t.Context(), command(t, "dies"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if vectors, err := p.Vectors(t.Context(), texts(9)); err != nil || len(vectors) != 9 {
		t.Errorf("%d vectors, %v", len(vectors), err)
	}
}

// Errors after texts were sent have no part of them, nor of what the program says.
func TestBadProgramsAreRefused(t *testing.T) {
	stage.Unraced(t)
	for kind, want := range map[string]string{
		"silent":      "no model here",
		"dull":        "0 dimensions",
		"dies always": "ended 2 times without an answer",
		"tells":       "does not begin as before",
		"neighbours":  "read one text at a time",
		"counts":      "read one text at a time",
		"alone":       "read one text at a time",
		"fewer":       "another number of vectors",
		"empties":     "another number of vectors",
		"floods":      "a line is longer than",
		"nulls":       "not finite",
		"babbles":     "it wrote more than the answers",
		"infinite":    "not finite",
		"short":       "another number of components",
	} {
		p, err := Start(t.Context(), command(t, kind))
		if err == nil {
			_, err = p.Vectors(t.Context(), texts(2)) // with the texts beside them a line of 5
			p.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", kind, err, want)
			continue
		}
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := Start(t.Context(), "exit 3"); err == nil {
		t.Error("a command that ends was accepted")
	}
}

// A program that answers one text with the vector of an earlier one is found by a public text
// that is asked again.
func TestProgramThatRemembersTextsIsFound(t *testing.T) {
	p, err := Start(t.Context(), command(t, "remembers"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for asked := 0; err == nil && asked < 2*stretch; asked++ {
		_, err = p.Vectors(t.Context(), texts(1))
	}
	if !errors.Is(err, ErrOthers) {
		t.Errorf("%v, want %v", err, ErrOthers)
	}
}

// A program that never answers, and what it started, are ended.
func TestProgramThatHangsIsEnded(t *testing.T) {
	for _, stuck := range []string{command(t, "hangs"), command(t, "hangs") + "; sleep 60", "( " + command(t, "hangs") + " ) | cat"} {
		p, err := Start(t.Context(), stuck)
		if err != nil {
			t.Fatal(err)
		}
		p.Wait = 100 * time.Millisecond
		begun := time.Now()
		if _, err := p.Vectors(t.Context(), texts(1)); err == nil || !strings.Contains(err.Error(), "it gave no answer in 100ms") {
			t.Errorf("%q: %v", stuck, err)
		}
		p.Close()
		if took := time.Since(begun); took > 30*time.Second {
			t.Errorf("%q took %v", stuck, took)
		}
	}
}

// A program that waits for texts before it says what it is gets none, and is ended.
func TestProgramThatSaysNothingIsEnded(t *testing.T) {
	p := &Program{ctx: t.Context(), command: "cat", turn: make(chan struct{}, 1)}
	if err := p.start(100 * time.Millisecond); err == nil || !strings.Contains(err.Error(), "its first line") || !strings.Contains(err.Error(), "did not come in 100ms") {
		t.Errorf("%v", err)
	}
	if p.process != nil {
		t.Error("it runs on")
	}
}

// Whoever waits for a turn may leave. Whoever leaves while the program answers does not end it.
func TestCallersMayLeave(t *testing.T) {
	p, err := Start(t.Context(), command(t, "json"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Vectors(t.Context(), texts(1)); err != nil {
		t.Fatal(err)
	}
	process := p.process
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.turn <- struct{}{}
	if _, err := p.Vectors(ctx, texts(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that of the context", err)
	}
	p.leave()
	if _, err := p.Vectors(t.Context(), texts(1)); err != nil || p.process != process {
		t.Errorf("%v, or another process", err)
	}
}

// An answer is bounded by the request, however many texts a program would take.
func TestAnswersAreBounded(t *testing.T) {
	var asked []int
	p := &Program{hello: hello{Dimensions: corpus.MaxDim, Format: formatFloat32, Batch: 1 << 16}, turn: make(chan struct{}, 1), checked: true, ctx: t.Context()}
	p.probes = slices.Repeat([][]int8{make([]int8, corpus.MaxDim)}, len(others))
	in, line := io.Pipe()
	answers, out := io.Pipe()
	p.process = &process{in: line, pipe: answers, out: bufio.NewReader(answers), stop: func() {}}
	go func() {
		d := json.NewDecoder(in)
		for {
			var texts []string
			if d.Decode(&texts) != nil {
				return
			}
			asked = append(asked, len(texts))
			_, _ = out.Write(make([]byte, 4*len(texts)*corpus.MaxDim))
		}
	}()
	if _, err := p.Vectors(t.Context(), make([][]byte, 600)); err != nil {
		t.Fatal(err)
	}
	if want := []int{256, 1, 256, 1, 88, 1}; !slices.Equal(asked, want) {
		t.Errorf("lines of %v texts, want %v", asked, want)
	}
}

func TestProgramEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Start(ctx, command(t, "json"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	cancel()
	if _, err := p.Vectors(ctx, texts(3)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that of the context", err)
	}
}

// vectored builds a corpus of texts with the vectors of a program.
func vectored(t *testing.T, p *Program, of [][]byte) *corpus.Corpus {
	t.Helper()
	b, err := corpus.NewBuilder(corpus.Options{Name: "own", Public: true, Program: p})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range of {
		if err := b.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCorpusHasTheVectorsOfItsProgram(t *testing.T) {
	p, err := Start(t.Context(), command(t, "json"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c := vectored(t, p, texts(40))
	if c.Card().Encoder.Kind != corpus.Brought || c.Dim() != 8 {
		t.Errorf("%+v", c.Card())
	}
	if err := p.Fits(t.Context(), c); err != nil {
		t.Error(err)
	}
	other, err := Start(t.Context(), command(t, "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Fits(t.Context(), c); err == nil || !strings.Contains(err.Error(), "gives other vectors") {
		t.Errorf("another encoder: %v", err)
	}
}
