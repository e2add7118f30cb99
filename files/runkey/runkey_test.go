package runkey

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDigestNeedsTheKey(t *testing.T) {
	home := t.TempDir()
	t.Setenv("SOTTO_HOME", home)
	of := func(run, text string) (check, digest string) {
		t.Helper()
		s, err := Of(run)
		if err != nil {
			t.Fatal(err)
		}
		digest, err = s.Digest(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return s.Check(), digest
	}
	check, digest := of("run", "text")
	if c, d := of("run", "text"); c != check || d != digest {
		t.Error("the same run has another digest")
	}
	if c, d := of("another", "text"); c == check || d == digest {
		t.Error("another run has the same digest")
	}
	if _, d := of("run", "texts"); d == digest {
		t.Error("another text has the same digest")
	}
	info, err := os.Stat(filepath.Join(home, "run.key"))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the key's file: %v, %v", info, err)
	}
	t.Setenv("SOTTO_HOME", t.TempDir())
	if c, d := of("run", "text"); c == check || d == digest {
		t.Error("another key gives the same digest")
	}
	if err := os.WriteFile(filepath.Join(home, "run.key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOTTO_HOME", home)
	if _, err := Of("run"); err == nil {
		t.Error("a damaged key is used")
	}
}

// The key of a run's draws is random, for its owner alone, one per run, and gone when the
// run has ended.
func TestDrawKeyIsPrivateAndGoneInTheEnd(t *testing.T) {
	home := t.TempDir()
	t.Setenv("SOTTO_HOME", home)
	if key, err := FindDraw("run"); key != nil || err != nil {
		t.Errorf("before the run there is a key (%v)", err)
	}
	draw := func(run string) string {
		t.Helper()
		key, err := Draw(run)
		if err != nil || len(key) != size {
			t.Fatalf("%d bytes, %v", len(key), err)
		}
		found, err := FindDraw(run)
		if err != nil || string(found) != string(key) {
			t.Errorf("another key is found (%v)", err)
		}
		return string(key)
	}
	first := draw("run")
	if draw("run") != first || draw("another") == first {
		t.Error("the key is not that of the run")
	}
	path, err := DrawPath("run")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the key's file: %v, %v", info, err)
	}
	for range 2 {
		if err := EndDraws("run"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("the key is there after the run")
		}
	}
	if draw("run") == first {
		t.Error("the key is back")
	}
	if path, err := DrawPath("../../away"); err != nil || filepath.Dir(path) != filepath.Join(home, "runs") {
		t.Errorf("a name leads to %s (%v)", path, err)
	}
}

// A process that is killed while it makes a key leaves it under a second name. The end of
// the run removes that too, and the keys of its shares, and no other run's.
func TestNoNameOfAKeyIsLeft(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	path := map[string]string{}
	for _, run := range []string{"run", "run/0 of 2", "run/1 of 2", "another", "another/0 of 2"} {
		key, err := Draw(run)
		if err != nil {
			t.Fatal(err)
		}
		if path[run], err = DrawPath(run); err != nil {
			t.Fatal(err)
		}
		left, err := os.CreateTemp(filepath.Dir(path[run]), temporary(path[run]))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := left.Write(key); err != nil {
			t.Fatal(err)
		}
		left.Close()
	}
	for _, end := range []struct {
		run  string
		left int
	}{{"run/1 of 2", 8}, {"run", 4}, {"another", 0}} {
		if err := EndDraws(end.run); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(filepath.Dir(path["run"])); err != nil || len(left) != end.left {
			t.Errorf("after the end of %s %d files are left, want %d (%v)", end.run, len(left), end.left, err)
		}
	}
}
