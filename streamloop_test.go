package sotto_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

// endless is a file of numbered lines of two tokens.
type endless struct{ line, lines int64 }

func (e *endless) Read(p []byte) (int, error) {
	at := 0
	for ; e.line < e.lines && len(p)-at > 64; e.line++ {
		at += copy(p[at:], fmt.Sprintf("line %050d\n", e.line))
	}
	if at == 0 {
		return 0, io.EOF
	}
	return at, nil
}

// A seeded draw depends on the position of its text, so that batches out of order would
// show.
func TestOrderIsKeptUnderParallelWorkers(t *testing.T) {
	r := seeded(t)
	const lines = 100_000 // 5.6 MB, about 20 batches
	var want, got bytes.Buffer
	if _, err := r.Copy(t.Context(), &want, &endless{lines: lines}, sotto.Stream{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int64
	uneven := func(ctx context.Context, batch uint64, _ *sotto.Pending) error {
		calls.Add(1)
		for range batch % 5 { // some batches take longer than those after them
			if _, err := r.Read([][]byte{bytes.Repeat([]byte("a longer text "), 10_000)}); err != nil {
				return err
			}
		}
		return nil
	}
	if _, err := r.Copy(t.Context(), &got, &endless{lines: lines}, sotto.Stream{Workers: 4, Charge: uneven}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) || bytes.Count(got.Bytes(), []byte("\n")) != lines {
		t.Errorf("4 workers write %d bytes that are not those of 1 worker", got.Len())
	}
	if calls.Load() < 10 {
		t.Errorf("%d batches for 4 workers show nothing about order", calls.Load())
	}
}

// The reader stops when the writer does, so memory is bounded by the batches in flight.
func TestStalledWriterStallsTheReader(t *testing.T) {
	r := seeded(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	const workers = 2
	var batches atomic.Int64
	gate := make(chan struct{})
	done := make(chan error)
	go func() {
		_, err := r.Copy(ctx, writerFunc(func(p []byte) (int, error) {
			<-gate
			return len(p), nil
		}), &endless{lines: 1 << 40}, sotto.Stream{Workers: workers, Charge: func(context.Context, uint64, *sotto.Pending) error {
			// One batch is at the writer, 2 workers' worth waits in order, and
			// the reader holds one more.
			if n := batches.Add(1); n == 2*workers+1 {
				stop()
			} else if n > 4*workers+4 {
				t.Errorf("%d batches were drawn before the first was written", n)
			}
			return nil
		}})
		done <- err
	}()
	<-ctx.Done()
	close(gate)
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled copy ends with %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestFailuresStopTheCopy(t *testing.T) {
	r := seeded(t)
	broken := errors.New("broken")
	in := func() io.Reader { return &endless{lines: 20_000} }
	fails := func(_ context.Context, batch uint64, _ *sotto.Pending) error {
		if batch == 1 {
			return broken
		}
		return nil
	}
	full := writerFunc(func([]byte) (int, error) { return 0, broken })
	for name, copy := range map[string]func() error{
		"a charge": func() error {
			_, err := r.Copy(t.Context(), io.Discard, in(), sotto.Stream{Charge: fails})
			return err
		},
		"a full disk": func() error { _, err := r.Copy(t.Context(), full, in(), sotto.Stream{}); return err },
		"an unreadable file": func() error {
			_, err := r.Copy(t.Context(), io.Discard, io.MultiReader(in(), iotest.ErrReader(broken)), sotto.Stream{})
			return err
		},
		"a count": func() error {
			_, err := r.Count(t.Context(), io.MultiReader(in(), iotest.ErrReader(broken)), sotto.Stream{})
			return err
		},
	} {
		if err := copy(); !errors.Is(err, broken) {
			t.Errorf("%s ends with %v", name, err)
		}
	}
}

// A typed line is answered before the next one is typed.
func TestPromptCopyDoesNotWait(t *testing.T) {
	r := seeded(t)
	typed, keyboard := io.Pipe()
	screen, shown := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := r.Copy(t.Context(), shown, typed, sotto.Stream{Prompt: true})
		shown.Close()
		done <- err
	}()
	for _, line := range []string{"doctor\n", "the food\n"} {
		if _, err := io.WriteString(keyboard, line); err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for one := make([]byte, 1); one[0] != '\n'; got.Write(one) {
			if _, err := io.ReadFull(screen, one); err != nil {
				t.Fatalf("%q is answered by %q (%v)", line, got.String(), err)
			}
		}
		if strings.Count(got.String(), " ") != strings.Count(line, " ") {
			t.Fatalf("%q is answered by %q", line, got.String())
		}
	}
	keyboard.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// Counting sees what copying draws, in every format, and draws nothing.
func TestCountCountsWhatCopyDraws(t *testing.T) {
	r := seeded(t)
	for _, s := range []sotto.Stream{{}, {Format: text.Text}, notes, {Format: text.JSONL, Fields: []string{"t"}}} {
		in := streamed
		if s.Format == text.JSONL {
			in = "{\"t\":\"the food\"}\n{\"t\":null}\n"
		}
		var copied sotto.Counts
		s.Counts = &copied
		if _, err := r.Copy(t.Context(), io.Discard, strings.NewReader(in), s); err != nil {
			t.Fatal(err)
		}
		if copied.Drawn.Check() != nil {
			t.Errorf("%v: the texts that were drawn are not identified: %+v", s.Format, copied)
		}
		s.Counts, copied.Drawn = nil, identity.Drawn{}
		counted, err := r.Count(t.Context(), strings.NewReader(in), s)
		if err != nil || counted != copied || copied.Documents == 0 {
			t.Errorf("%v: %+v is counted and %+v drawn (%v)", s.Format, counted, copied, err)
		}
	}
}

// The vectors of a stream belong to its texts, in order.
func TestEmbedderCopiesInOrder(t *testing.T) {
	seed := uint64(5)
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 4, Notion: privacy.Approximate, Parameters: map[string]string{"delta": "1e-6"}, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	var all [2][]float32
	for i, workers := range []int{1, 4} {
		statement, err := e.Copy(t.Context(), func(list []release.Vectors) error {
			for _, v := range list {
				all[i] = append(all[i], v.Components...)
			}
			return nil
		}, &endless{lines: 12_000}, sotto.Stream{Workers: workers})
		if err != nil || statement.Vectors != 12_000 {
			t.Fatalf("%d vectors (%v)", statement.Vectors, err)
		}
	}
	if len(all[0]) != len(all[1]) {
		t.Fatalf("%d and %d components", len(all[0]), len(all[1]))
	}
	for i := range all[0] {
		if all[0][i] != all[1][i] {
			t.Fatalf("component %d differs with the workers", i)
		}
	}
	full := errors.New("full")
	if _, err := e.Copy(t.Context(), func([]release.Vectors) error { return full }, &endless{lines: 10}, sotto.Stream{}); !errors.Is(err, full) {
		t.Errorf("the error is %v, want that of the writer", err)
	}
}
