//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/internal/stage"
	"golang.org/x/sys/unix"
)

// pseudoTerminal returns the two ends of a new terminal.
func pseudoTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	return master, slave
}

// onPseudoTerminal runs sotto with standard output and error on a terminal, and standard
// input too if typed is not empty. It returns what the terminal showed, and the exit code.
func onPseudoTerminal(t *testing.T, dir, typed string, args ...string) (string, int) {
	t.Helper()
	master, slave := pseudoTerminal(t)
	cmd := exec.Command("sotto", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, slave, slave
	if typed != "" {
		cmd.Stdin = slave
		if _, err := io.WriteString(master, typed); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	var shown bytes.Buffer
	_, _ = io.Copy(&shown, master) // ends with EIO when the program has ended
	_ = cmd.Wait()
	return shown.String(), cmd.ProcessState.ExitCode()
}

// Data that is not text does not reach a terminal, and nothing is drawn or read for it.
func TestBinaryDataIsNotWrittenToATerminal(t *testing.T) {
	dir := t.TempDir()
	public := filepath.Join(dir, "public.txt")
	if err := os.WriteFile(public, []byte("The order is late.\nThe phone is new.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"rewrite", "-e", "8", "--field", "text", "--format", "parquet", public},
		{"embed", "-e", "4", "--as", "parquet", public},
		{"compile", "-e", "1.2", "--words", "50", "-o", "-"},
		{"train", "language-model", "--public", "--corpus", public, "-o", "-"},
		{"train", "autoencoder", "--public", "--corpus", public, "-o", "/dev/stdout"},
	} {
		shown, code := onPseudoTerminal(t, dir, "", args...)
		if code != cli.ExitUsage || !bytes.Contains([]byte(shown), []byte("is binary data, which is not written to a terminal")) {
			t.Errorf("%v: exit code %d, shown %q", args, code, shown)
		}
	}
	if shown, code := onPseudoTerminal(t, dir, "", "rewrite", "-e", "8", public); code != 0 || len(shown) == 0 {
		t.Errorf("text: exit code %d, shown %q", code, shown)
	}
}

// A terminal gets a warning of its own where the table lacks most words of the texts. Where
// standard error may be kept nothing depends on them.
func TestTextsOfAnotherLanguageAreSaidAtATerminal(t *testing.T) {
	stage.Unraced(t)
	dir := t.TempDir()
	german := filepath.Join(dir, "german.txt")
	if err := os.WriteFile(german, []byte("Meine Bestellung ist immer noch nicht angekommen.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const warning = "sotto: warning: the table does not know "
	if shown, code := onPseudoTerminal(t, dir, "", "rewrite", "-e", "8", german); code != 0 || !strings.Contains(shown, "\n"+warning) {
		t.Errorf("exit code %d, shown %q", code, shown)
	}
	cmd := exec.Command("sotto", "rewrite", "-e", "8", german)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	if err := cmd.Run(); err != nil || strings.Contains(messages.String(), "lacks") {
		t.Errorf("%v: kept %q", err, messages.String())
	}
}

// A terminal gets a warning of fewer vectors than records. A log gets none: it would reveal
// the number of records, which the claim protects.
func TestTooFewVectorsAreSaidAtATerminal(t *testing.T) {
	dir := t.TempDir()
	public, private := filepath.Join(dir, "public.txt"), filepath.Join(dir, "private.txt")
	const texts = "The order is late.\nThe phone is new.\nThe film was dull.\n"
	for name, data := range map[string]string{public: texts, private: texts + "One more.\n"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	vectors, book := filepath.Join(dir, "v.npy"), filepath.Join(dir, "own.corpus")
	for _, args := range [][]string{
		{"embed", "-q", "-m", "laplace", "-e", "1000", "-o", vectors, public},
		{"corpus", "build", "--public", "--vectors", vectors, "-o", book, public},
	} {
		if out, err := exec.Command("sotto", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	args := []string{"synthesize", "-e", "1", "--corpus", book, "--text-vectors", vectors, private}
	const warning = "v.npy has 3 rows for 4 records: give one row per record"
	if shown, code := onPseudoTerminal(t, dir, "", args...); code != 0 || !strings.Contains(shown, warning) {
		t.Errorf("exit code %d, shown %q", code, shown)
	}
	cmd := exec.Command("sotto", args...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	if err := cmd.Run(); err != nil || strings.Contains(messages.String(), "rows for") {
		t.Errorf("%v: kept %q", err, messages.String())
	}
}

// A terminal gets a warning where no record names a user, as with a misspelt field, and so does
// who asks for the cost. A log gets none: it would depend on what the records hold.
func TestRecordsWithoutUsersAreSaidAtATerminal(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.jsonl"), []byte("{\"who\":\"ann\",\"text\":\"a parcel\"}\n{\"who\":\"bob\",\"text\":\"a phone\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const warning = `warning: no record has the field "woh": all of them count as one user`
	for user, warned := range map[string]bool{"woh": true, "who": false} {
		args := []string{"rewrite", "--unit", "text", "-e", "2", "--user", user, "--per-user", "1", "--field", "text", "in.jsonl"}
		if shown, code := onPseudoTerminal(t, dir, "", args...); code != 0 || strings.Contains(shown, warning) != warned {
			t.Errorf("%s: exit code %d, shown %q", user, code, shown)
		}
		for of, says := range map[string]bool{"rewrite": false, "cost": warned} {
			args[0] = of
			cmd := exec.Command("sotto", args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), warning) != says {
				t.Errorf("%s --user %s: %v: %s", of, user, err, out)
			}
		}
	}
}

// A message says that the program waits for input at a terminal.
func TestWaitingAtATerminalIsSaid(t *testing.T) {
	for _, args := range [][]string{{"rewrite", "-e", "8"}, {"audit", "--verify", "-"}} {
		shown, _ := onPseudoTerminal(t, t.TempDir(), "hello\n\x04", args...)
		if !bytes.Contains([]byte(shown), []byte("reading from the terminal; Ctrl-D ends the input")) {
			t.Errorf("%v: shown %q", args, shown)
		}
	}
	shown, code := onPseudoTerminal(t, t.TempDir(), "", "rewrite", "-e", "8")
	if code != 0 || bytes.Contains([]byte(shown), []byte("reading")) {
		t.Errorf("without a terminal as input: exit code %d, shown %q", code, shown)
	}
}
