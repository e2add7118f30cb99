package opening

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDrawsAreTimedUnlessAFileBecomesAFile(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.txt"), filepath.Join(dir, "out.txt")
	if err := os.WriteFile(in, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		output  string
		files   []string
		untimed bool
	}{
		{out, []string{in}, true}, {in, []string{in, in}, true},
		{"", []string{in}, false}, {"-", []string{in}, false}, {"/dev/stdout", []string{in}, false}, {"/dev/null", []string{in}, false}, {dir + "/", []string{in}, false},
		{out, []string{"-"}, false}, {out, []string{in, "/dev/null"}, false}, {out, []string{"/dev/stdin"}, false}, {out, []string{filepath.Join(dir, "none")}, false},
	} {
		if got := Untimed(c.output, c.files); got != c.untimed {
			t.Errorf("%v to %q: untimed is %t", c.files, c.output, got)
		}
	}
}
