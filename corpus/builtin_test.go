package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// caching gives a test a cache directory of its own.
func caching(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the cache directory is that of Linux")
	}
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	return filepath.Join(dir, "sotto", "corpora")
}

func TestFieldsAreListedAndFound(t *testing.T) {
	caching(t)
	all := Builtins()
	if all[0].Name != EnglishName || all[0].SHA256 != EnglishDigest || len(all) < 6 {
		t.Errorf("the first of %d is %+v", len(all), all[0])
	}
	for _, b := range all {
		some, err := b.Samples(5)
		if err != nil || len(some) != 5 || some[0] == some[4] || !IsBuiltin(b.Name) {
			t.Errorf("%s has the samples %q, %v", b.Name, some, err)
		}
	}
	if IsMade("support") || !IsMade(EnglishName) || !IsMade("parcels") {
		t.Error("an empty cache has the wrong corpora")
	}
	if IsBuiltin("parcels") || IsBuiltin("") {
		t.Error("a name is builtin that is not")
	}
}

// tinyField is a field of few texts, which states what its build gives.
func tinyField(t *testing.T) *field {
	t.Helper()
	f := &field{build: func() (*Corpus, error) {
		texts := make([]string, 100)
		for i := range texts {
			texts[i] = fmt.Sprintf("parcel %d came late on day %d", i, i*i)
		}
		return BuildField("tiny", SIF, texts)
	}}
	c, err := f.build()
	if err != nil {
		t.Fatal(err)
	}
	f.Name, f.SHA256, f.File = "tiny", c.Digest(), c.FileDigest()
	return f
}

// A corpus of a field is made once. A kept file is used only if it is what was made.
func TestFieldIsKeptAndVerified(t *testing.T) {
	dir := caching(t)
	f, builds := tinyField(t), 0
	open := func() {
		t.Helper()
		fresh := &field{Field: f.Field, build: func() (*Corpus, error) { builds++; return f.build() }}
		for range 2 {
			c, err := fresh.open()
			if err != nil {
				t.Fatal(err)
			}
			if c.FileDigest() != f.File || c.Digest() != f.SHA256 || !c.Declared() {
				t.Errorf("%s: %+v", c.Digest(), c.Card())
			}
		}
	}
	open()
	path := filepath.Join(dir, "tiny.corpus")
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	open()
	if builds != 1 {
		t.Errorf("%d builds, want 1", builds)
	}
	// Clusters are no part of Digest, but of what is stated.
	made, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	forged := Corpus{card: made.card, content: made.content}
	forged.content[sectionCentres] = bytes.Clone(made.content[sectionCentres])
	forged.content[sectionCentres][0]++
	if err := forged.seal(); err != nil {
		t.Fatal(err)
	}
	if forged.Digest() != made.Digest() || forged.FileDigest() == made.FileDigest() {
		t.Fatal("the forged corpus does not differ in its clusters alone")
	}
	if err := forged.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if open(); builds != 2 {
		t.Error("a forged corpus was used")
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, kept) {
		t.Errorf("the forged file was not replaced: %v", err)
	}
}

// Texts that do not give the stated digest are refused, and nothing is kept.
func TestFieldWithAnotherDigestIsRefused(t *testing.T) {
	dir := caching(t)
	f := tinyField(t)
	f.File = EnglishDigest
	if _, err := f.open(); err == nil {
		t.Error("it was opened")
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("%d files were kept", len(files))
	}
}

// Each field gives the corpus whose digest the program states.
func TestFieldsHaveTheirDigests(t *testing.T) {
	stage.Needs(t, stage.Thorough) // the generator computes them again in the stage figures
	caching(t)
	for _, f := range fields() {
		c, err := (&field{Field: f.Field, build: f.build}).open()
		if err != nil {
			t.Error(err)
		} else if c.Len() != f.Texts || c.Name() != f.Name {
			t.Errorf("%s: %+v", f.Name, c.Card())
		}
	}
}
