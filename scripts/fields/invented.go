package main

import (
	"embed"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// invented names, in rows, the texts that replace private ones for a field without a data set.
const invented = "invented"

// private has ten texts for each such field. They were written before a copy was seen.
//
//go:embed private
var private embed.FS

// inventedFields are the fields with a file in private.
func inventedFields() (names []string) {
	entries, _ := private.ReadDir("private") // it is part of the program
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return names
}

// showInvented copies the texts of each field once.
func (b *bench) showInvented(only string) error {
	for _, name := range inventedFields() {
		if only != "" && !slices.Contains(strings.Split(only, ","), name) {
			continue
		}
		texts, err := private.ReadFile("private/" + name + ".txt")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.dir, "invented.txt"), texts, 0o600); err != nil {
			return err
		}
		var info struct {
			SHA256 string `json:"sha256"`
			Texts  int    `json:"texts"`
		}
		if err := b.sotto(&info, "corpus", "info", "--json", name); err != nil {
			return err
		}
		for _, epsilon := range []float64{4, 8} {
			r := row{Set: invented, Corpus: name, Way: "whole", Epsilon: epsilon, Seed: 1, SHA256: info.SHA256, Texts: info.Texts}
			if slices.ContainsFunc(b.rows, r.sameAs) {
				continue
			}
			if err := b.sotto(nil, "rewrite", "--unit", "text", "--quiet", "--corpus", name, "-e", strconv.FormatFloat(epsilon, 'g', -1, 64), "--insecure-seed", "1", "-o", "copies.txt", "invented.txt"); err != nil {
				return err
			}
			copies, err := os.ReadFile(filepath.Join(b.dir, "copies.txt"))
			if err != nil {
				return err
			}
			to := strings.Split(string(copies), "\n")
			for i, text := range strings.Split(strings.TrimSpace(string(texts)), "\n") {
				r.Sample = append(r.Sample, text+"\t"+to[i])
			}
			b.rows = slices.DeleteFunc(b.rows, func(o row) bool { return o.Set == invented && o.Corpus == name && o.SHA256 != r.SHA256 })
			b.rows = append(b.rows, r)
			if err := writeRows(b.file, b.rows); err != nil {
				return err
			}
		}
	}
	return nil
}
