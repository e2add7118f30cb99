package program

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
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
	for calls := 0; ; calls++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
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
		vectors := make([][]float64, len(texts))
		for i, t := range texts {
			vectors[i] = make([]float64, 8)
			for _, b := range []byte(t) {
				vectors[i][b%8]++
			}
			switch {
			case kind == "neighbours":
				vectors[i][0] += float64(len(texts))
			case kind == "alone" && len(texts) == 1:
				vectors[i][0]++
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
			fmt.Printf("%s\n", answer)
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
	for kind, want := range map[string]string{
		"silent":      "no model here",
		"dull":        "0 dimensions",
		"dies always": "ended without an answer, 2 times",
		"tells":       "does not begin as before",
		"neighbours":  "read one text at a time",
		"counts":      "read one text at a time",
		"alone":       "read one text at a time",
		"fewer":       "another number of vectors",
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
	other, err := Start(t.Context(), command(t, "counts"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.checked = true
	for range 50 {
		if _, err := other.Vectors(t.Context(), texts(1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Fits(t.Context(), c); err == nil || !strings.Contains(err.Error(), "gives other vectors") {
		t.Errorf("another encoder: %v", err)
	}
}
