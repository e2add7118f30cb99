package run

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/files/runkey"
)

func begin(t *testing.T, folder, settings string, resume bool) *Log {
	t.Helper()
	l, err := Open(folder, []byte(settings), []byte("private"), resume)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func next(t *testing.T, l *Log, output, content string) Attempt {
	t.Helper()
	a, draws, err := l.Next(output, content)
	if err != nil {
		t.Fatal(err)
	}
	if draws.Name() != a.Draws {
		t.Error("the record names other draws")
	}
	a.Temporary = "." + output + ".sotto-1"
	return a
}

func put(t *testing.T, l *Log, a Attempt) {
	t.Helper()
	if err := l.Put(a); err != nil {
		t.Fatal(err)
	}
}

func closed(t *testing.T, l *Log) {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// Only an interrupted attempt at the same output, of the same input and settings and under
// the same key, is made again. Anything else has other draws.
func TestOnlyTheSameAttemptIsMadeAgain(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	folder := t.TempDir()
	l := begin(t, folder, `{"epsilon":2}`, false)
	first := next(t, l, "a.txt", "digest of a")
	if other := next(t, l, "b.txt", "digest of a"); other.Draws == first.Draws {
		t.Error("two outputs have the same draws")
	}
	put(t, l, first)
	closed(t, l)

	l = begin(t, folder, `{"epsilon":2}`, true)
	if again := next(t, l, "a.txt", "digest of a"); again.Draws != first.Draws || again.Number != 1 {
		t.Errorf("an interrupted attempt is made again as attempt %d", again.Number)
	}
	if changed := next(t, l, "a.txt", "digest of another"); changed.Draws == first.Draws || changed.Number != 2 || changed.Input == first.Input {
		t.Errorf("another input is attempt %d", changed.Number)
	}
	first.Whole = &Whole{SHA256: "0", Counts: json.RawMessage(`{}`)}
	put(t, l, first)
	if redrawn := next(t, l, "a.txt", "digest of a"); redrawn.Draws == first.Draws || redrawn.Number != 2 {
		t.Errorf("a whole output is drawn again as attempt %d", redrawn.Number)
	}
	first.Whole = nil
	put(t, l, first)
	if err := l.End(); err != nil {
		t.Fatal(err)
	}
	if later := next(t, l, "a.txt", "digest of a"); later.Draws == first.Draws || later.Number != 2 {
		t.Errorf("without the key, the draws are made again as attempt %d", later.Number)
	}
	closed(t, l)
}

// Each part of an attempt is in its key.
func TestDrawsFollowFromTheWholeAttempt(t *testing.T) {
	key := []byte(strings.Repeat("k", 32))
	base := Attempted{"a", 1, []byte("s"), "digest"}
	seen := map[string]int{}
	for i, c := range []struct {
		key []byte
		of  Attempted
	}{
		{key, base},
		{[]byte(strings.Repeat("l", 32)), base},
		{key, Attempted{"b", 1, []byte("s"), "digest"}},
		{key, Attempted{"a", 2, []byte("s"), "digest"}},
		{key, Attempted{"a", 1, []byte("t"), "digest"}},
		{key, Attempted{"a", 1, []byte("s"), "digesu"}},
		{key, Attempted{"a1", 1, []byte("s"), "digest"}},
		{key, Attempted{"a", 1, []byte("sd"), "igest"}},
	} {
		draws, err := Draws(c.key, c.of)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[draws.Name()]; ok {
			t.Errorf("attempts %d and %d have one stream", other, i)
		}
		seen[draws.Name()] = i
	}
}

// A run that has drawn nothing keeps nobody from beginning another one, and one that has
// drawn does.
func TestRunThatDrewNothingIsReplaced(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	folder := t.TempDir()
	l := begin(t, folder, `{"field":"wrong"}`, false)
	next(t, l, "a.txt", "digest")
	path, err := runkey.DrawPath(l.header.Run)
	if err != nil {
		t.Fatal(err)
	}
	closed(t, l)
	l = begin(t, folder, `{"field":"right"}`, false)
	if _, err := os.Stat(path); err == nil {
		t.Error("the key of the replaced run is left")
	}
	put(t, l, next(t, l, "a.txt", "digest"))
	if _, err := Open(folder, []byte(`{"field":"right"}`), []byte("private"), true); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("two runs at once: %v", err)
	}
	closed(t, l)
	var refused *Refusal
	if _, err := Open(folder, []byte(`{"field":"right"}`), []byte("private"), false); !errors.As(err, &refused) || !strings.Contains(refused.What, "holds a run") {
		t.Errorf("a second run: %v", err)
	}
	if _, err := Open(folder, []byte(`{"field":"other"}`), []byte("private"), true); !errors.As(err, &refused) || !strings.Contains(refused.What, "other settings") {
		t.Errorf("other settings: %v", err)
	}
	closed(t, begin(t, folder, `{"field":"right"}`, true))
}

// A forged record cannot make a run remove another file of the folder.
func TestRecordNamesNoOtherFileAsItsTemporary(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	for _, temporary := range []string{"b.txt", "", ".a.txt", ".a.txt/../b.txt"} {
		folder := t.TempDir()
		l := begin(t, folder, `{}`, false)
		a := next(t, l, "a.txt", "digest")
		if a.Temporary = temporary; l.Put(a) == nil {
			t.Errorf("%q is recorded", temporary)
		}
		if err := l.append(a, true); err != nil {
			t.Fatal(err)
		}
		closed(t, l)
		if _, err := Open(folder, []byte(`{}`), []byte("private"), true); !errors.Is(err, ErrRecord) {
			t.Errorf("%q would be removed for a.txt: %v", temporary, err)
		}
	}
}

// What is no record is refused, and stays as it is. The beginning of a header is a record: a
// run was killed there.
func TestAnotherFileIsNoRecord(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	for content, taken := range map[string]bool{"{}\n": false, "precious": false, "{}": false, "{\"ru": true, `{"run":"ABC","ke`: true, "": true} {
		folder := t.TempDir()
		name := filepath.Join(folder, LogName)
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := Open(folder, []byte(`{}`), []byte("private"), true)
		if taken {
			if err != nil {
				t.Errorf("%q: %v", content, err)
			} else {
				closed(t, l)
			}
			continue
		}
		if data, _ := os.ReadFile(name); !errors.Is(err, ErrRecord) || string(data) != content {
			t.Errorf("%q ends with %v and becomes %q", content, err, data)
		}
	}
}

// Whoever has a record cannot try what a private setting may be: without the key of its user
// nothing in it follows from one.
func TestPrivateSettingsAreSameOrOther(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	folder := t.TempDir()
	l, err := Open(folder, []byte("{}"), []byte("Miller"), false)
	if err != nil {
		t.Fatal(err)
	}
	put(t, l, next(t, l, "a.txt", "digest"))
	closed(t, l)
	var refused *Refusal
	if _, err := Open(folder, []byte("{}"), []byte("Smith"), true); !errors.As(err, &refused) || refused.Remedy != SameFlags {
		t.Errorf("other private settings: %v", err)
	}
	l, err = Open(folder, []byte("{}"), []byte("Miller"), true)
	if err != nil {
		t.Fatal(err)
	}
	closed(t, l)
	first := l.header
	t.Setenv("SOTTO_HOME", t.TempDir()) // another user
	second, _, err := New([]byte("{}"), []byte("Miller"))
	if err != nil {
		t.Fatal(err)
	}
	second.Run = first.Run
	secret, err := runkey.Of(first.Run)
	if err != nil {
		t.Fatal(err)
	}
	if guess := privateDigest(secret, []byte("Miller")); first.Private == "" || first.Private == guess {
		t.Errorf("another user finds the digest %q", first.Private)
	}
}
