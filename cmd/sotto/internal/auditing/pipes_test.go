//go:build unix

package auditing

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
)

// Opening a pipe that nobody reads, or writing to it, ends with the context, on every
// path to a file.
func TestNothingWaitsForAPipeLongerThanTheContext(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	term := &cli.Terminal{Out: io.Discard, Err: io.Discard}
	ways := map[string]func(ctx context.Context) error{
		"an output": func(ctx context.Context) error { _, err := cli.CreateOutput(ctx, term, pipe); return err },
		"a report":  func(ctx context.Context) error { return cli.WriteWhole(ctx, term, pipe, []byte("{}")) },
		"a table":   func(ctx context.Context) error { _, err := opening.Table(ctx, pipe); return err },
		"an input":  func(ctx context.Context) error { _, err := cli.OpenFile(ctx, pipe); return err },
		"a state": func(ctx context.Context) error {
			_, err := (&AuditCmd{State: pipe}).keep(ctx, term)
			return err
		},
		"a full pipe": func(ctx context.Context) error {
			_, err := cli.Waiting(ctx, w).Write(make([]byte, 1<<20)) // more than a pipe holds
			return err
		},
	}
	for name, way := range ways {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- way(ctx) }()
		cancel()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(time.Minute): // a guard: the test measures no time
			t.Errorf("%s: still waiting", name)
		}
	}
}
