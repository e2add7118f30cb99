package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// IsLabelFile distinguishes a file of labels from a list.
func IsLabelFile(value string) bool {
	info, err := os.Stat(value)
	return err == nil && !info.IsDir()
}

// namesFile reports whether a value that does not exist is meant as a file, not as a single label.
func namesFile(value string) bool {
	if info, err := os.Stat(value); err == nil && info.IsDir() {
		return true
	}
	ends := []string{".txt", ".csv", ".tsv", ".json", ".jsonl", ".list", ".gz", ".zst"}
	return !strings.Contains(value, ",") && (strings.ContainsRune(value, os.PathSeparator) || slices.Contains(ends, strings.ToLower(filepath.Ext(value))))
}

// ReadLabelSet reads a list, or a file with one label per line.
func ReadLabelSet(ctx context.Context, value string) ([]string, error) {
	if !IsLabelFile(value) {
		if namesFile(value) {
			return nil, WrongUsage("give a file with one label per line, or the labels with commas between them", "--labels %s: there is no such file", value)
		}
		labels := strings.Split(value, ",")
		for _, label := range labels {
			if strings.TrimSpace(label) != label { // charged, and then no record would have it
				return nil, WrongUsage("leave no spaces beside commas, or give a file with one label per line", "--labels has %q, with a space at an end", label)
			}
		}
		return labels, nil
	}
	data, err := ReadInput(ctx, value)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, WrongUsage("give a file with one label per line", "--labels %s: it is not UTF-8 text", value)
	}
	var labels []string
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			labels = append(labels, line)
		}
	}
	return labels, nil
}
