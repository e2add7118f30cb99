package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// In a process that a test starts, the program runs instead of the tests.
func TestMain(m *testing.M) {
	if os.Getenv("SOTTO_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program runs sotto-beam and returns its exit code and the last line of its
// standard error.
func program(t testing.TB, args ...string) (code int, last string) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "SOTTO_TEST_MAIN=1")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	var exit *exec.ExitError
	if err := c.Run(); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	return code, lines[len(lines)-1]
}

func TestARunFillsAFolderOnce(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.csv"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, []byte("id,text\n1,the food was xylophonistic\n2,my doctor agreed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	base := []string{"--input", filepath.Join(dir, "*.csv"), "--field", "text", "--epsilon", "4", "--output", out}
	if code, last := program(t, "--input", in, "--field", "txet", "--epsilon", "4", "--output", out); code != 1 || !strings.HasSuffix(last, `there is no column "txet" in the header (columns: 2)`) {
		t.Errorf("a wrong field ends with %d: %s", code, last)
	}
	if code, last := program(t, base...); code != 0 {
		t.Fatalf("the run ends with %d: %s", code, last)
	}
	first, err := os.ReadFile(filepath.Join(out, "a-000000.csv"))
	if err != nil || !strings.HasPrefix(string(first), "id,text\n1,") || strings.Contains(string(first), "xylophonistic") {
		t.Errorf("the output is %q (%v)", first, err)
	}
	report, err := os.ReadFile(filepath.Join(out, "sotto-report.json"))
	if err != nil || !strings.Contains(string(report), `"tokens": 7,`) || !strings.Contains(string(report), `"claim"`) {
		t.Errorf("the report is %s (%v)", report, err)
	}
	if code, last := program(t, base...); code != 1 || !strings.Contains(last, "holds a run") {
		t.Errorf("a second run ends with %d: %s", code, last)
	}
	if code, last := program(t, append(base, "--words", "300", "--resume")...); code != 1 || !strings.Contains(last, "was begun with other settings") {
		t.Errorf("a run with other settings ends with %d: %s", code, last)
	}
	if code, last := program(t, append(base, "--resume")...); code != 0 {
		t.Errorf("going on ends with %d: %s", code, last)
	}
	if again, err := os.ReadFile(filepath.Join(out, "a-000000.csv")); err != nil || !bytes.Equal(first, again) {
		t.Error("a part that stood was drawn again")
	}
}
