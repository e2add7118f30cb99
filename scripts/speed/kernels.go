//go:build linux

package main

import (
	"bytes"
	"fmt"
	"strings"
)

// stages takes the table that scripts/stages prints of the fastest round.
func stages(m *meter) ([][]string, error) {
	return m.printed("bash", "scripts/stages", m.imdb(), "text", fmt.Sprint(m.rounds))
}

// peers takes the table that scripts/peers.py prints.
func peers(m *meter) ([][]string, error) {
	return m.printed("/usr/bin/python3", "scripts/peers.py", "--program", m.program, "--rounds", fmt.Sprint(m.rounds))
}

// printed returns the rows of the Markdown table that a command prints. Its lines for
// benchstat are passed on.
func (m *meter) printed(name string, args ...string) ([][]string, error) {
	var out bytes.Buffer
	if err := m.command(&out, name, args...); err != nil {
		return nil, err
	}
	var rows [][]string
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "Benchmark") {
			fmt.Fprint(m.lines, line)
		}
		if cells, ok := strings.CutPrefix(strings.TrimSpace(line), "| "); ok {
			rows = append(rows, strings.Split(strings.TrimSuffix(cells, " |"), " | "))
		}
	}
	if len(rows) < 3 {
		return nil, fmt.Errorf("%s printed no table", args[0])
	}
	return rows[2:], nil // without head and rule
}

// kernel measures the exact search of the nearest word.
func kernel(m *meter) ([][]string, error) {
	found, err := m.benchmarks("./internal/grid", "^BenchmarkNearest$", "-benchtime", "60x", "-count", fmt.Sprint(m.rounds))
	var rows [][]string
	for _, b := range found { // Nearest/dim=300/vnni/threads=1
		part := strings.Split(b.name, "/")
		peak := ""
		if p, ok := b.values["%peak"]; ok {
			peak = fmt.Sprintf("%.0f %%", p)
		}
		rows = append(rows, []string{strings.TrimPrefix(part[1], "dim="), part[2], strings.TrimPrefix(part[3], "threads="), number(b.values["queries/s"]), peak})
	}
	return rows, err
}

// noises measures the noise of members on vectors.
func noises(m *meter) ([][]string, error) {
	found, err := m.benchmarks("./noise", "^BenchmarkFill", "-benchtime", "10ms", "-count", "25", "-cpu", "1")
	var rows [][]string
	for _, b := range found {
		rows = append(rows, []string{strings.TrimPrefix(b.name, "BenchmarkFill"), number(b.values["MB/s"])})
	}
	return rows, err
}

// searches measures the search of the nearest public texts, on one processor.
func searches(m *meter) ([][]string, error) {
	exact, err := m.benchmarks("./internal/nearest", "^BenchmarkNearest$/^1000000x/", "-cpu", "1", "-benchtime", "2x")
	if err != nil {
		return nil, err
	}
	lists, err := m.benchmarks("./internal/nearest", "^BenchmarkLists$", "-cpu", "1", "-benchtime", "2x")
	var rows [][]string
	for _, b := range append(exact, lists...) {
		found := "all"
		if recall, ok := b.values["recall"]; ok {
			found = fmt.Sprintf("%.2f", recall)
		}
		rows = append(rows, []string{"`" + strings.TrimPrefix(b.name, "Benchmark") + "`", number(1000 / b.values["texts/s"]), number(b.values["texts/s"]), found})
	}
	return rows, err
}

// restoring measures the restoring of words of news at epsilon 6 by a beam of 50.
func restoring(m *meter) ([][]string, error) {
	found, err := m.benchmarks("./restore", "^BenchmarkNews", "-count", fmt.Sprint(m.rounds))
	var rows [][]string
	for _, b := range found {
		rows = append(rows, []string{"`" + strings.TrimPrefix(b.name, "Benchmark") + "`", number(b.values["words/cpu-s"])})
	}
	return rows, err
}

// charges measures the ledger: charges and whole requests under a key, by one caller and
// by 64, and entries that are verified.
func charges(m *meter) ([][]string, error) {
	found, err := m.benchmarks("./ledger/sqlite", "^BenchmarkCharge$/^callers", "-benchtime", "10000x", "-count", fmt.Sprint(m.rounds))
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, b := range found {
		name := strings.ReplaceAll(strings.TrimPrefix(b.name, "BenchmarkCharge/callers="), "/", ", ")
		rows = append(rows, []string{"callers: " + name, number(1e9 / b.values["ns/op"])})
	}
	found, err = m.benchmarks("./ledger/sqlite", "^BenchmarkCharge$/^verify$", "-benchtime", "5x", "-count", fmt.Sprint(m.rounds))
	for _, b := range found {
		rows = append(rows, []string{"entries verified", number(b.values["entries/s"])})
	}
	return rows, err
}
