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
	home, err := os.MkdirTemp("", "sotto-beam")
	if err != nil {
		panic(err)
	}
	os.Setenv("SOTTO_HOME", home) //nolint:errcheck // inherited by the programs that the tests start
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
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

func TestRunFillsAFolderOnce(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.csv"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, []byte("id,text\n1,the food was xylophonistic\n2,my doctor agreed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	base := []string{"--input", filepath.Join(dir, "*.csv"), "--field", "text", "--epsilon", "4", "--output", out}
	if code, last := program(t, "--input", in, "--field", "txet", "--epsilon", "4", "--output", out); code != 2 || !strings.HasSuffix(last, `there is no column "txet" in the header (columns: 2)`) {
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
	if code, last := program(t, base...); code != 2 || !strings.Contains(last, "holds a run") {
		t.Errorf("a second run ends with %d: %s", code, last)
	}
	if code, last := program(t, append(base, "--words", "300", "--resume")...); code != 2 || !strings.Contains(last, "was begun with other settings") {
		t.Errorf("a run with other settings ends with %d: %s", code, last)
	}
	// Parameters have flags of their own, as in every front end.
	if code, last := program(t, append(base, "--neighbours", "300", "--resume")...); code != 2 || !strings.Contains(last, "was begun with other settings") {
		t.Errorf("a run with another parameter ends with %d: %s", code, last)
	}
	if code, _ := program(t, append(base, "--words", "many", "--resume")...); code != 2 {
		t.Errorf("a number that is none ends with %d", code)
	}
	left := write(t, "another draw", out, "sotto-parts", "a-000000.csv.1-LOST")
	if code, last := program(t, append(base, "--resume")...); code != 0 {
		t.Errorf("going on ends with %d: %s", code, last)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what an interrupted attempt left is still there")
	}
	if again, err := os.ReadFile(filepath.Join(out, "a-000000.csv")); err != nil || !bytes.Equal(first, again) {
		t.Error("a part that stood was drawn again")
	}
}

// write creates a file and its folders.
func write(t testing.TB, data string, name ...string) string {
	t.Helper()
	path := filepath.Join(name...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRecordsThatFailEndInAnError(t *testing.T) {
	dir := t.TempDir()
	in := write(t, `{"text":"one"}`+"\n"+`{"txet":"two"}`+"\n"+"three\n"+"four\n", dir, "a.jsonl")
	out := filepath.Join(dir, "out")
	base := []string{"--input", in, "--field", "text", "--epsilon", "4", "--output", out}
	const want = `3 places could not be read, listed in `
	code, last := program(t, base...)
	if code != 1 || !strings.Contains(last, want) || !strings.Contains(last, `(2: not a JSON document; 1: there is no field "text")`) {
		t.Errorf("the run ends with %d: %s", code, last)
	}
	if data, err := os.ReadFile(filepath.Join(out, "a-000000.jsonl")); err != nil || strings.Count(string(data), "\n") != 1 {
		t.Errorf("the output is %q (%v)", data, err)
	}
	if code, last := program(t, append(base, "--resume")...); code != 1 || !strings.Contains(last, want) {
		t.Errorf("resumed it ends with %d: %s", code, last)
	}
	if code, last := program(t, append(base, "--resume", "--allow-failures")...); code != 0 {
		t.Errorf("with --allow-failures it ends with %d: %s", code, last)
	}

	// Every record failed.
	none := write(t, "{}\n{}\n", dir, "none.jsonl")
	if code, last := program(t, "--input", none, "--field", "text", "--epsilon", "4", "--output", filepath.Join(dir, "empty")); code != 1 || !strings.Contains(last, "2 places") {
		t.Errorf("with nothing to read it ends with %d: %s", code, last)
	}
}

func TestKindOfAFailureIsWhatFollowsItsPlace(t *testing.T) {
	for line, want := range map[string]string{
		"a.csv:3: a quoted field does not end":       "a quoted field does not end",
		"gs://b/x: y.csv:12: not a JSON document":    "not a JSON document",
		`a.jsonl:1: there is no field "a: b"`:        `there is no field "a: b"`,
		"no place":                                   "no place",
		"b: part 3.csv:part 12: one: two":            "one: two",
		`C:\\x.csv:7: 1 columns, must be 2 as there`: "1 columns, must be 2 as there",
	} {
		if got := kind(line); got != want {
			t.Errorf("%s is of kind %q", line, got)
		}
	}
}

func TestPasswordIsRefusedAndNeverWritten(t *testing.T) {
	dir := t.TempDir()
	in := write(t, "the food was good\n", dir, "a.txt")
	out := filepath.Join(dir, "out")
	const password = "hunter2swordfish"
	for _, place := range []string{
		"postgres://sotto:" + password + "@localhost/budgets",
		"postgresql://sotto@localhost/budgets?password=" + password,
		"postgres://localhost/budgets?user=sotto&sslpassword=" + password,
		"host=localhost user=sotto password=" + password,
	} {
		c := exec.Command(os.Args[0], "--input", in, "--epsilon", "4", "--output", out, "--account", "alice", "--ledger", place)
		c.Env = append(os.Environ(), "SOTTO_TEST_MAIN=1")
		said, err := c.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("%s: it ends with %v", place, err)
		}
		if strings.Contains(string(said), password) {
			t.Errorf("it says %s", said)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the folder was made")
	}
}

func TestFilesThatWouldBeOverwrittenAreRefused(t *testing.T) {
	dir := t.TempDir()
	in, out := write(t, "the food was good\n", dir, "in[1]", "a.txt"), filepath.Join(dir, "out[1]")
	base := []string{"--input", filepath.Join(dir, "in[1]", "*.txt"), "--epsilon", "4", "--output", out}
	for _, c := range []struct {
		more []string
		want string
	}{
		{[]string{"--account", "a", "--ledger", filepath.Join(out, "sotto-report.json")}, "are the same file"},
		{[]string{"--account", "a", "--ledger", in}, "are the same file"},
		{[]string{"--account", "a", "--ledger", filepath.Join(out, "a-000000.txt")}, "is named like an output"},
		{[]string{"--require_certificate", write(t, "{}", dir, "out[1]", "sotto-failures")}, "are the same file"},
		{[]string{"--again"}, "--again needs --resume"},
	} {
		if code, last := program(t, append(base, c.more...)...); code != 2 || !strings.Contains(last, c.want) {
			t.Errorf("%v ends with %d: %s", c.more, code, last)
		}
	}
	if err := os.RemoveAll(out); err != nil {
		t.Fatal(err)
	}
	if code, last := program(t, base...); code != 0 {
		t.Fatalf("the run ends with %d: %s", code, last)
	}
	if code, last := program(t, append(base, "--input", in+".gz")...); code != 2 || !strings.Contains(last, "no file matches") {
		t.Errorf("without the file it ends with %d: %s", code, last)
	}
	// The folder's run record is found although its name could be a pattern.
	if code, last := program(t, base...); code != 2 || !strings.Contains(last, "holds a run") {
		t.Errorf("a second run ends with %d: %s", code, last)
	}
}

// Each field is a text of its own, and the report is for whole texts. Resuming needs the
// same corpus.
func TestRunOfWholeTexts(t *testing.T) {
	dir := t.TempDir()
	in, out := write(t, "id,text,note\n1,the food was xylophonistic,\n2,my doctor agreed,ok\n", dir, "a.csv"), filepath.Join(dir, "out")
	base := []string{"--input", in, "--field", "text", "--field", "note", "--epsilon", "4", "--unit", "text", "--output", out}
	if code, last := program(t, append(base, "--corpus", "nowhere")...); code != 1 || !strings.Contains(last, "nowhere") {
		t.Errorf("a corpus that is not there ends with %d: %s", code, last)
	}
	if code, last := program(t, base...); code != 0 {
		t.Fatalf("the run ends with %d: %s", code, last)
	}
	first, err := os.ReadFile(filepath.Join(out, "a-000000.csv"))
	if err != nil || !strings.HasPrefix(string(first), "id,text,note\n1,") || strings.Contains(string(first), "xylophonistic") || strings.Contains(string(first), "doctor agreed") {
		t.Errorf("the output is %q (%v)", first, err)
	}
	report, err := os.ReadFile(filepath.Join(out, "sotto-report.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"unit": "text"`, `"documents": 4`, `"tokens": null`, `"neighbours": 598`, `"name": "english"`} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report lacks %s: %s", want, report)
		}
	}
	if code, last := program(t, append(base, "--resume")...); code != 0 {
		t.Errorf("going on ends with %d: %s", code, last)
	}
	if again, err := os.ReadFile(filepath.Join(out, "a-000000.csv")); err != nil || !bytes.Equal(first, again) {
		t.Error("a part that stood was drawn again")
	}
}
