//go:build linux

package main

import (
	"fmt"
	"path/filepath"
)

// notes is the number of notes whose marks are replaced.
const notes = 30_000

// marks measures marks that are replaced within their types, beside the same marks drawn as words.
func marks(m *meter) ([][]string, error) {
	in, spans, err := m.markedNotes(notes / 30)
	if err != nil {
		return nil, err
	}
	var jobs []job
	ways := []string{"--spans SPANS", "--typed --spans SPANS", "--typed --spans SPANS --mark-patterns"}
	for i, more := range [][]string{{}, {"--typed"}, {"--typed", "--mark-patterns"}} {
		args := append([]string{"rewrite", "-q", "-e", "6", "--spans", spans, "-o", filepath.Join(m.work, "out.txt")}, more...)
		jobs = append(jobs, job{fmt.Sprintf("Marks/%d", i), append(args, in)})
	}
	costs, err := m.inTurns(jobs)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for i, c := range costs {
		rows = append(rows, []string{"`sotto rewrite -e 6 " + ways[i] + " NOTES`", number(notes / c.processor), number(c.processor), fmt.Sprintf("%.2f", c.processor/costs[0].processor), megabytes(c.peak)})
	}
	return rows, nil
}
