//go:build linux

package main

import (
	"fmt"
	"strings"
)

// A table is a generated part of the page.
type table struct {
	name    string
	head    []string
	measure func(*meter) ([][]string, error)
}

var tables = []table{
	{"rewrite", []string{"mechanism", "epsilon", "tokens/second", "processor seconds", "in that of the first", "peak memory"}, rewriting},
	{"noise-members", []string{"mechanism", "epsilon", "tokens/second", "processor seconds", "peak memory"}, noiseMembers},
	{"columns", []string{"format", "tokens/second", "processor seconds"}, formats},
	{"marks", []string{"command", "notes per processor second", "processor seconds", "in that of the first", "peak memory"}, marks},
	{"stages", []string{"stage", "ns per token"}, stages},
	{"kernel", []string{"dimensions", "kernel", "threads", "queries/second", "of the peak of float32"}, kernel},
	{"peers", []string{"dimensions", "program", "words per processor second", "time, in that of sotto", "words that stay"}, peers},
	{"noise", []string{"noise", "MB/s of float32"}, noises},
	{"texts", []string{"what", "processor time", "texts/second per core"}, texts},
	{"search", []string{"what", "milliseconds per text", "texts/second", "found"}, searches},
	{"restore", []string{"what", "words per processor second"}, restoring},
	{"once", []string{"what", "command", "seconds", "processor seconds", "peak memory"}, once},
	{"ledger", []string{"what", "SQLite, per second"}, charges},
	{"waits", []string{"what", "command", "processor seconds", "before", "at most", "peak memory"}, waits},
	{"growth", []string{"what", "command", "N", "processor seconds at N", "2 N", "4 N", "(4 N - 2 N) in (2 N - N)"}, growth},
}

// replace puts a table between its two marks.
func replace(page, name, table string) (string, error) {
	const end = "<!-- end -->"
	mark := "<!-- table: " + name + " -->\n"
	before, rest, ok := strings.Cut(page, mark)
	if !ok {
		return "", fmt.Errorf("%s has no line %s", document, strings.TrimSpace(mark))
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("%s: the table %s has no line %s", document, name, end)
	}
	return before + mark + table + end + after, nil
}

func markdown(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	b.WriteString("|" + strings.Repeat(" --- |", len(head)) + "\n")
	for _, cells := range rows {
		line(cells)
	}
	return b.String()
}
