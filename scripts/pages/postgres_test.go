//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/internal/stage"
)

// Pages with blocks for a PostgreSQL server run whole, with a real server.
func TestPostgresCommandsOfPages(t *testing.T) {
	stage.Needs(t, stage.Postgres) // starts PostgreSQL
	server := postgrestest.Start(t)
	t.Setenv("PATH", server.Programs()+string(filepath.ListSeparator)+os.Getenv("PATH"))
	files, err := pagesOf(root)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRunner(t.Context(), root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.postgres = server.Environment()
	ran := 0
	for _, file := range files {
		p := load(t, file)
		if !slices.ContainsFunc(p.blocks, func(b block) bool { return b.server }) {
			continue
		}
		ran++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) {
			if err := r.run(t.Context(), p); err != nil {
				t.Error(err)
			}
		})
	}
	if ran == 0 {
		t.Error("no page has a block for a server")
	}
}
