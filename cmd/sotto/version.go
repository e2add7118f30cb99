package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

type versionCmd struct {
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

// commit is set by the build of a release, whose sources have no history beside them.
var commit string

// build describes this program.
type build struct {
	Version  string `json:"version"`
	Module   string `json:"module"` // its version as Go knows it: a tag, a pseudo-version or (devel)
	Commit   string `json:"commit"` // empty if unknown
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Table    digest `json:"table"`  // the embedded table
	Corpus   digest `json:"corpus"` // the embedded corpus
}

// digest names public data that is part of the program.
type digest struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Run prints what the program is made of.
func (c *versionCmd) Run(ctx context.Context, term *cli.Terminal) error {
	table, err := builtin.English()
	if err != nil {
		return err
	}
	book, err := opening.Corpus(ctx, "")
	if err != nil {
		return err
	}
	b := build{
		Version: sotto.Version, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Table: digest{table.Name(), table.Digest()}, Corpus: digest{book.Name(), book.Digest()},
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	if c.JSON {
		return cli.PrintJSON(term, b)
	}
	revision := b.Commit
	switch {
	case revision == "":
		revision = "unknown"
	case b.Modified:
		revision += " (modified)"
	}
	_, err = fmt.Fprintf(term.Out, "sotto %s\nmodule  %s\ncommit  %s\ngo      %s %s\ntable   %s %s\ncorpus  %s %s\n",
		b.Version, b.Module, revision, b.Go, b.Platform, b.Table.Name, b.Table.SHA256, b.Corpus.Name, b.Corpus.SHA256)
	return err
}

// read reads what the compiler recorded.
func (b *build) read(info *debug.BuildInfo) {
	b.Module = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			if b.Commit == "" {
				b.Commit = s.Value
			}
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
}
