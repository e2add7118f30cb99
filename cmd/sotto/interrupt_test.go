//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program that waits for input ends at the first signal, with the signal's code,
// and leaves nothing under the output's name.
func TestSignalEndsAProgramThatWaitsForInput(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		code   int
		pipe   bool // a named pipe that nobody has opened
		file   bool // the output is a file
	}{
		{"standard input to standard output", syscall.SIGTERM, 143, false, false},
		{"standard input to a file", syscall.SIGINT, 130, false, true},
		{"standard input to a file, terminated", syscall.SIGTERM, 143, false, true},
		{"a pipe without a writer", syscall.SIGTERM, 143, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"sotto", "rewrite", "--epsilon", "8", "--words", "200"}
			if c.file {
				args = append(args, "-o", filepath.Join(dir, "out.txt"))
			}
			if c.pipe {
				pipe := filepath.Join(t.TempDir(), "pipe")
				if err := syscall.Mkfifo(pipe, 0o600); err != nil {
					t.Fatal(err)
				}
				args = append(args, pipe)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			// A guard against a program that hangs; the test measures no time.
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, self)
			cmd.Args, cmd.Env = args, append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			var said strings.Builder
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(in, "my doctor agreed\n"); err != nil {
				t.Fatal(err)
			}
			if c.file { // it is running once its temporary file exists
				for entries := 0; entries == 0 && ctx.Err() == nil; time.Sleep(time.Millisecond) {
					list, err := os.ReadDir(dir)
					if err != nil {
						t.Fatal(err)
					}
					entries = len(list)
				}
			} else if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, out)
			err = cmd.Wait()
			var exit *exec.ExitError
			if ctx.Err() != nil || !errors.As(err, &exit) || exit.ExitCode() != c.code || said.String() != "sotto: interrupted\n" {
				t.Errorf("it ended with %v and said %q, want exit code %d", err, said.String(), c.code)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}
