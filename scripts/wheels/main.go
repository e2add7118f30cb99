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
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/scripts/internal/program"
)

func main() {
	all := flag.Bool("all", false, "build for all platforms, and the source distribution")
	folder := flag.String("o", "dist", "write into this `folder`")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	here, err := program.Commit(ctx)
	commit := flag.String("commit", here, "the `commit` that sotto version names")
	flag.Parse()
	if err == nil {
		err = do(ctx, *folder, *commit, *all)
	}
	if err != nil {
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
		fmt.Printf("building %s/%s\n", p.os, p.arch)
		executable, err := build(ctx, p, commit)
		if err != nil {
			return err
		}
		data, err := wheel(sources, p, executable)
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

// build returns the program for a platform.
func build(ctx context.Context, p platform, commit string) ([]byte, error) {
	scratch, err := os.MkdirTemp("", "wheels-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	name := filepath.Join(scratch, "program")
	if err := program.Build(ctx, name, p.os, p.arch, commit); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return data, p.checkProgram(data)
}

func write(name string, data []byte) error {
	if err := atomicfile.WriteFile(name, data); err != nil {
		return err
	}
	fmt.Printf("%s  %.1f MB\n", name, float64(len(data))/1e6)
	return nil
}
