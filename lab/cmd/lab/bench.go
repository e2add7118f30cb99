package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/experiment"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/lab/source"
)

// benchFlags are shared by all commands.
type benchFlags struct {
	Data    string `default:"../../shared/data" help:"Folder of the data sets (see docs/howto/data.md)."`
	Store   string `default:"store" help:"Folder of rows and of calibrations."`
	Workers int    `placeholder:"N" help:"Trials at once (default: one per processor)."`
}

// runner opens a bench for a size. Smoke needs no data.
func (f benchFlags) runner(ctx context.Context, s plan.Size) (*plan.Runner, error) {
	code, err := source.Code(ctx)
	if err != nil {
		return nil, err
	}
	var source dataset.Source = dataset.Folder(f.Data)
	if s == plan.Smoke {
		source = dataset.Generated{Train: 200, Test: 100, Words: 12}
	}
	workers := f.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &plan.Runner{
		Bench:   &experiment.Bench{Source: source, Opener: &private.Opener{Cache: private.Folder(filepath.Join(f.Store, "calibrations")), Channels: filepath.Join(f.Store, "channels")}, Models: filepath.Join(f.Store, "models")},
		Store:   result.Store(f.Store),
		Code:    code,
		Commit:  commit(),
		Workers: workers,
	}, nil
}

// commit is that of the working tree, with "+" where files differ from it, or
// that of the build; empty where neither is known.
func commit() string {
	if head, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output(); err == nil {
		id := strings.TrimSpace(string(head))
		if changes, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output(); err != nil || len(changes) > 0 {
			id += "+"
		}
		return id
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	at := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" })
	if at < 0 {
		return ""
	}
	return info.Settings[at].Value
}

// parseSize reads a size.
func parseSize(name string) (plan.Size, error) {
	if s := plan.Size(name); slices.Contains(plan.Sizes, s) {
		return s, nil
	}
	return "", fmt.Errorf("size must be one of %[2]v, got %[1]q", name, plan.Sizes)
}
