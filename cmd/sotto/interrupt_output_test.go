//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program whose output nobody reads any more ends at the first signal.
func TestSignalEndsAProgramThatWaitsForItsReader(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a guard: the test measures no time
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = []string{"sotto", "explain", "--epsilon", "8", "--top", "0", "--json", "doctor", "food"} // megabytes, in one write
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil { // it is writing
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, err = cmd.Process.Wait()
	if ctx.Err() != nil || err != nil {
		t.Fatalf("it did not end: %v", err)
	}
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait()
	if said.String() != "sotto: interrupted\n" {
		t.Errorf("it said %q", said.String())
	}
}
