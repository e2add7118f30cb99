package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/corpora/internal/choose"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/stage"
)

const folder, shipped = "..", "../../corpus/fields"

// What is shipped was made from the frames and lists of the repository.
func TestShippedFieldsAreThoseOfTheRepository(t *testing.T) {
	names, err := choose.Fields(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	fields, err := read(filepath.Join(shipped, "fields.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(fields) != len(names) || len(names) < 5 {
		t.Errorf("%d fields are shipped, of %q", len(fields), names)
	}
	for _, name := range names {
		source, err := choose.Source(os.DirFS(folder), name)
		if err != nil {
			t.Fatal(err)
		}
		if f := fields[name]; f.Source != source || f.Texts < 12_000 || f.Field == "" || f.Language == "" {
			t.Errorf("%s is not what is shipped: run go generate ./corpora/gen", name)
		}
	}
}

// The generator gives the shipped texts and digests again.
func TestGeneratorGivesTheShippedFields(t *testing.T) {
	stage.Needs(t, stage.Figures)
	out := t.TempDir()
	if err := run(folder, out, true); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(shipped, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(out, filepath.Base(file))); err != nil || string(got) != string(want) {
			t.Errorf("%s is another: %v", file, err)
		}
	}
}

// Another processor gives the same texts and digests, here for fewer texts: reports name a
// corpus by its digest, whoever made it.
func TestGeneratorGivesTheSameOnArm64(t *testing.T) {
	stage.Needs(t, stage.Platforms)
	stage.Sources(t, []string{"GOARCH=arm64", "CGO_ENABLED=0"}, ".")
	emulator, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		t.Skip("SKIPPED, NOT CHECKED: arm64 needs qemu-aarch64-static (Debian: qemu-user-static)")
	}
	const name = "chat" // which has every part of an encoder
	dir := t.TempDir()
	program, fields := filepath.Join(dir, "gen"), filepath.Join(dir, "fields")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if err := os.CopyFS(filepath.Join(fields, name), os.DirFS(filepath.Join(folder, name))); err != nil {
		t.Fatal(err)
	}
	about := filepath.Join(fields, name, "about.txt")
	if err := os.WriteFile(about, []byte("title: Chat\nlanguage: en\ntexts: 1500\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := map[string]corpus.Field{}
	for _, where := range []string{"here", "there"} {
		out := filepath.Join(dir, where)
		if err := os.Mkdir(out, 0o700); err != nil {
			t.Fatal(err)
		}
		if where == "here" {
			err = run(fields, out, true)
		} else if said, fault := exec.Command(emulator, program, "-folder", fields, "-o", out).CombinedOutput(); fault != nil {
			t.Fatalf("%v: %s", fault, said)
		}
		if err != nil {
			t.Fatal(err)
		}
		all, err := read(filepath.Join(out, "fields.json"))
		if err != nil {
			t.Fatal(err)
		}
		made[where] = all[name]
	}
	if made["here"] != made["there"] || made["here"].Texts != 1500 {
		t.Errorf("on arm64 %+v, here %+v", made["there"], made["here"])
	}
}
