// Command wheels builds the Python package: a wheel for each platform, which holds the
// program, and a source distribution, which does not.
//
//	go run ./scripts/wheels              # for this machine, into dist/
//	go run ./scripts/wheels -all         # for all platforms, and the source distribution
//	go run ./scripts/wheels -o FOLDER
//
// The program needs no C library, so one wheel serves glibc and musl. The same commit and
// the same version of Go give the same bytes.
package main

import (
	"context"
	"debug/elf"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/files/atomicfile"
)

// platform is an operating system and an architecture, with the tags of its wheel.
type platform struct {
	os, arch string
	tags     []string
}

// platforms are those of the wheels. The versions of macOS are the oldest that Go
// supports.
var platforms = []platform{
	{"linux", "amd64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	{"linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	{"darwin", "amd64", []string{"macosx_12_0_x86_64"}},
	{"darwin", "arm64", []string{"macosx_12_0_arm64"}},
	{"windows", "amd64", []string{"win_amd64"}},
	{"windows", "arm64", []string{"win_arm64"}},
}

func main() {
	all := flag.Bool("all", false, "build for all platforms, and the source distribution")
	folder := flag.String("o", "dist", "write into this `folder`")
	commit := flag.String("commit", history(), "the `commit` that sotto version names")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := do(ctx, *folder, *commit, *all); err != nil {
		fmt.Fprintln(os.Stderr, "wheels:", err)
		os.Exit(1)
	}
}

func do(ctx context.Context, folder, commit string, all bool) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	sources, err := readPackage("python")
	if err != nil {
		return err
	}
	for _, p := range platforms {
		if !all && (p.os != runtime.GOOS || p.arch != runtime.GOARCH) {
			continue
		}
		program, err := build(ctx, p, commit)
		if err != nil {
			return err
		}
		data, err := wheel(sources, p, program)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(folder, wheelName(p)), data); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	data, err := sourceDistribution(sources)
	if err != nil {
		return err
	}
	return write(filepath.Join(folder, "sotto-"+sotto.Version+".tar.gz"), data)
}

// history returns the commit of the sources; empty without a history.
func history() string {
	commit, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return ""
	}
	name := strings.TrimSpace(string(commit))
	if changed, err := exec.Command("git", "status", "--porcelain").Output(); err != nil || len(changed) > 0 {
		name += "+modified"
	}
	return name
}

// build returns the program for a platform.
func build(ctx context.Context, p platform, commit string) ([]byte, error) {
	scratch, err := os.MkdirTemp("", "wheels-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	name := filepath.Join(scratch, "program")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid= -X main.commit="+commit, "-o", name, "./cmd/sotto")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go build for %s/%s: %w", p.os, p.arch, err)
	}
	if p.os == "linux" {
		if err := checkStatic(name); err != nil {
			return nil, err
		}
	}
	return os.ReadFile(name)
}

// checkStatic fails if a program needs a loader or a library of its system: the tags of
// the wheels for Linux say that it needs neither.
func checkStatic(name string) error {
	f, err := elf.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			return fmt.Errorf("%s is not static", name)
		}
	}
	return nil
}

func write(name string, data []byte) error {
	if err := atomicfile.WriteFile(name, data); err != nil {
		return err
	}
	fmt.Printf("%s  %.1f MB\n", name, float64(len(data))/1e6)
	return nil
}
