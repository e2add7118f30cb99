package main

import (
	"debug/elf"
	"debug/macho"
	"encoding/binary"
	"github.com/sotto-dp/sotto/internal/stage"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A program is taken for its own platform and for no other.
func TestProgramsAreForThePlatformOfTheirWheel(t *testing.T) {
	stage.Needs(t, stage.Platforms) // compiles for other platforms
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	programs := make([][]byte, len(platforms))
	for i, p := range platforms {
		name := filepath.Join(dir, "program")
		cmd := exec.CommandContext(t.Context(), "go", "build", "-o", name, source)
		cmd.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOFLAGS=-trimpath")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s/%s: %v\n%s", p.os, p.arch, err, out)
		}
		var err error
		if programs[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range platforms {
		for j, of := range platforms {
			if err := p.checkProgram(programs[j]); (err == nil) != (i == j) {
				t.Errorf("a program for %s/%s in the wheel for %s/%s: %v", of.os, of.arch, p.os, p.arch, err)
			}
		}
		for _, size := range []int{0, 3, 64} {
			if p.checkProgram(programs[i][:size]) == nil {
				t.Errorf("%s/%s: %d bytes of a program are accepted", p.os, p.arch, size)
			}
		}
	}
	later := asOfMacOS(t, programs[2], macOS+1)
	if err := platforms[2].checkProgram(later); err == nil || !strings.Contains(err.Error(), "version 13") {
		t.Errorf("a program for a later macOS than its wheel: %v", err)
	}
}

// asOfMacOS returns a copy of a program that says it needs this version of macOS.
func asOfMacOS(t *testing.T, program []byte, version uint32) []byte {
	t.Helper()
	program = slices.Clone(program)
	at := 32 // the size of the header
	for range binary.LittleEndian.Uint32(program[16:]) {
		if binary.LittleEndian.Uint32(program[at:]) == loadBuildVersion {
			binary.LittleEndian.PutUint32(program[at+12:], version<<16)
			return program
		}
		at += int(binary.LittleEndian.Uint32(program[at+4:]))
	}
	t.Fatalf("no version in a program of type %v", macho.TypeExec)
	return nil
}

// The tags of a wheel promise that its program needs no library. This test's shell does.
func TestProgramsThatNeedALoaderAreRefused(t *testing.T) {
	shell, err := filepath.EvalSymlinks("/bin/sh")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("needs /bin/sh of a Linux")
	}
	f, err := elf.Open(shell)
	if err != nil || !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Skip("/bin/sh is static")
	}
	defer f.Close()
	data, err := os.ReadFile(shell)
	if err != nil {
		t.Fatal(err)
	}
	of := platform{os: "linux", arch: runtime.GOARCH}
	if of.checkProgram(data) == nil {
		t.Error("no error")
	}
}

// pip chooses the wheel of a platform by its tags alone.
func TestPipPicksTheWheelOfEachPlatform(t *testing.T) {
	stage.Needs(t, stage.Platforms) // runs pip once for each platform
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3", "python"} {
		if exec.CommandContext(t.Context(), name, "-m", "pip", "--version").Run() == nil {
			python = name
			break
		}
	}
	if python == "" {
		t.Skip("SKIPPED, NOT CHECKED: no Python with pip")
	}
	s, shelf := packageOf(t), t.TempDir()
	for _, p := range platforms {
		data, err := wheel(s, p, []byte("a program"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(shelf, wheelName(p)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for tag, want := range map[string]int{
		"manylinux_2_17_x86_64": 0, "musllinux_1_1_x86_64": 0, "manylinux2014_aarch64": 1, "musllinux_1_1_aarch64": 1,
		"macosx_15_0_x86_64": 2, "macosx_12_0_arm64": 3, "win_amd64": 4, "win_arm64": 5,
		"macosx_11_0_arm64": -1, "win32": -1,
	} {
		got := t.TempDir()
		cmd := exec.CommandContext(t.Context(), python, "-I", "-m", "pip", "--isolated", "--disable-pip-version-check", "download", "--no-index", "--no-deps",
			"--only-binary=:all:", "--platform", tag, "--python-version", "3.9", "--find-links", shelf, "--dest", got, "sotto")
		out, err := cmd.CombinedOutput()
		if want < 0 {
			if err == nil {
				t.Errorf("%s: pip takes a wheel\n%s", tag, out)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", tag, err, out)
			continue
		}
		if _, err := os.Stat(filepath.Join(got, wheelName(platforms[want]))); err != nil {
			t.Errorf("%s: pip takes another wheel\n%s", tag, out)
		}
	}
}
