package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/writing/modeltest"
)

// A model writes a corpus. A run that ends early is gone on with, and the key is in nothing
// that is written.
func TestCorpusIsWrittenByAModel(t *testing.T) {
	stage.Unraced(t)
	const key = "sk-0123456789-abcdef"
	t.Setenv("SOTTO_WRITE_KEY", key)
	dir := t.TempDir()
	out := filepath.Join(dir, "parcels.corpus")
	ends := true
	model := modeltest.Start(t, func(w http.ResponseWriter, n int, r modeltest.Request) bool {
		if ends && r.Seed > 4 && !r.Proposes() {
			http.Error(w, `{"error":{"message":"quota of `+key+` used up"}}`, http.StatusPaymentRequired)
			return true
		}
		return false
	})
	write := func(more ...string) (string, error) {
		var printed, warned bytes.Buffer
		args := []string{"corpus", "write", "--public", "--endpoint", model.URL, "--model", "small-7b", "--about", "support tickets of a parcel service", "--texts", "60", "--workers", "2", "-o", out}
		_, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &printed, Err: &warned}, append(args, more...))
		text := printed.String() + warned.String()
		if err != nil {
			text += err.Error()
		}
		if strings.Contains(text, key) || strings.Contains(text, key[3:12]) {
			t.Errorf("the key is printed: %s", text)
		}
		return text, err
	}
	said, err := write()
	if err == nil || !strings.Contains(said, "402 Payment Required") || !strings.Contains(said, "has 20 texts: continue with --resume") {
		t.Fatalf("the first run: %s", said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("an unfinished run wrote the corpus")
	}
	if said, err = write(); err == nil || !strings.Contains(said, "unfinished run") {
		t.Fatalf("a run over an unfinished one: %s", said)
	}
	ends = false
	if said, err = write("--resume"); err != nil || !strings.Contains(said, "60 of 60 texts") {
		t.Fatalf("%s, %v", said, err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files are left, %v", len(files), err)
	}
	c, err := corpus.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	want := corpus.Written{Model: "small-7b", About: "support tickets of a parcel service", Seed: 1, Calls: 12}
	if c.Len() != 60 || !c.Declared() || c.Card().Written == nil || *c.Card().Written != want {
		t.Errorf("%d texts, written %+v", c.Len(), c.Card().Written)
	}
	data, err := os.ReadFile(out)
	if err != nil || bytes.Contains(data, []byte(key)) || bytes.Contains(data, []byte(model.URL)) {
		t.Errorf("the corpus has the key or the endpoint: %v", err)
	}
	// A link in place of the run's file leads to nobody's file.
	diary := filepath.Join(dir, "diary")
	if err := os.WriteFile(diary, []byte("private\nand unfinished"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(diary, out+".writing"); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{nil, {"--resume"}} {
		if said, err := write(more...); err == nil {
			t.Errorf("over a link: %s", said)
		}
	}
	if now, err := os.ReadFile(diary); err != nil || string(now) != "private\nand unfinished" {
		t.Errorf("what the link leads to is now %q, %v", now, err)
	}
	if err := os.Remove(out + ".writing"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--texts=-1"}, {"--encoder", "bert"}, {"--endpoint", "http://models.example/v1"}, {"--attributes", filepath.Join(dir, "none")}, {"--attributes", diary}} {
		if said, err := write(args...); err == nil {
			t.Errorf("%v: %s", args, said)
		}
	}
}
