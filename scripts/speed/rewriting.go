//go:build linux

package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A setting is a mechanism, its epsilon and further flags, as in "neighbours 10
// --neighbours 2".
type setting string

func (s setting) parts() (mechanism, epsilon string, flags []string) {
	f := strings.Fields(string(s))
	return f[0], f[1], f[2:]
}

// rewritten measures settings over the texts of a TSV file. It returns
// the cost of each, start included, and the tokens of the file.
func (m *meter) rewritten(file string, settings []setting) ([]cost, float64, error) {
	report := filepath.Join(m.work, "report.json")
	var jobs []job
	for _, s := range settings {
		mechanism, epsilon, flags := s.parts()
		name := "Rewrite/" + strings.ReplaceAll(strings.Join(strings.Fields(string(s)), "/"), "--", "")
		args := []string{"rewrite", "-m", mechanism, "-e", epsilon, "--accept", "refuted", "--format", "tsv", "--field", "text",
			"-q", "--report", report, "-o", filepath.Join(m.work, "out.tsv"), file}
		jobs = append(jobs, job{name, append(args, flags...)})
	}
	costs, err := m.inTurns(jobs)
	if err != nil {
		return nil, 0, err
	}
	tokens, err := tokensOf(report)
	return costs, tokens, err
}

// tokensOf returns the tokens that a report counts.
func tokensOf(report string) (float64, error) {
	data, err := os.ReadFile(report)
	if err != nil {
		return 0, err
	}
	var counts struct{ Tokens float64 }
	err = json.Unmarshal(data, &counts)
	return counts.Tokens, err
}

func (m *meter) imdb() string { return filepath.Join(m.data, "imdb", "train.tsv.gz") }

// rewriting measures the whole IMDB training set.
func rewriting(m *meter) ([][]string, error) {
	settings := []setting{"neighbours 10 --neighbours 2", "neighbours 10", "neighbours 8", "neighbours 4", "tem 1", "tem 3", "tem 6", "exponential 1", "exponential 3"}
	costs, tokens, err := m.rewritten(m.imdb(), settings)
	var rows [][]string
	for i, c := range costs {
		mechanism, epsilon, flags := settings[i].parts()
		name := "`" + strings.Join(append([]string{mechanism}, flags...), " ") + "`"
		rows = append(rows, []string{name, epsilon, number(tokens / c.seconds), number(c.processor), fmt.Sprintf("%.2f", costs[0].processor/c.processor), megabytes(c.peak)})
	}
	return rows, err
}

// noiseMembers measures the members that add noise to a vector, on the first 600 reviews.
func noiseMembers(m *meter) ([][]string, error) {
	some := filepath.Join(m.work, "some.tsv")
	if err := firstLines(m.imdb(), some, 601); err != nil {
		return nil, err
	}
	settings := []setting{"madlib 10", "mahalanobis 10", "vickrey 10", "privemb 10", "laplace 10", "gaussian 1", "gaussian-analytic 10", "trlaplace 10",
		"trlaplace-published 4", "brr 0.2", "truncated-gumbel 45"}
	costs, tokens, err := m.rewritten(some, settings)
	var rows [][]string
	for i, c := range costs {
		mechanism, epsilon, _ := settings[i].parts()
		rows = append(rows, []string{"`" + mechanism + "`", epsilon, number(tokens / c.seconds), number(c.processor), megabytes(c.peak)})
	}
	return rows, err
}

// firstLines writes the first lines of a gzip file.
func firstLines(from, to string, n int) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	r := bufio.NewReader(unpacked)
	for range n {
		line, err := r.ReadString('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if _, err := out.WriteString(line); err != nil {
			return err
		}
	}
	return out.Close()
}
