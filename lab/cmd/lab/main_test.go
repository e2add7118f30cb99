package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/lab/source"
)

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func try(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(args, &o, &e)
	return o.String(), e.String(), code
}

func TestSmokeRunsGoesOnAndReports(t *testing.T) {
	dir := t.TempDir()
	store, folder := filepath.Join(dir, "store"), filepath.Join(dir, "page")
	if _, errs, code := try(t, "run", "smoke", "--sample", "1", "--store", store); code != 0 {
		t.Fatalf("the sample ends with %d: %s", code, errs)
	}
	if _, errs, code := try(t, "run", "smoke", "--store", store); code != 0 {
		t.Fatalf("the rest ends with %d: %s", code, errs)
	}
	if _, errs, _ := try(t, "run", "smoke", "--store", store); !strings.Contains(errs, " 0 rows ") {
		t.Errorf("a second run makes rows again: %s", errs)
	}
	out, _, _ := try(t, "list", "--size", "smoke", "--store", store)
	if strings.Contains(out, " ? ") || !strings.Contains(out, "about 0s left") {
		t.Errorf("after the run the list says:\n%s", out)
	}
	if out, errs, code := try(t, "report", "--png", "--size", "smoke", "--store", store, "-o", folder); code != 0 || !strings.Contains(out, " 0 missing") {
		t.Fatalf("the report ends with %d: %s%s", code, out, errs)
	}
	page, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, foreign := range []string{"<script", "src=", "href=\"http", "@import"} {
		if strings.Contains(string(page), foreign) {
			t.Errorf("the page is not self-contained: it has %s", foreign)
		}
	}
	for _, must := range []string{"<svg", "proved", "certified"} {
		if !strings.Contains(string(page), must) {
			t.Errorf("the page lacks %s", must)
		}
	}
	table, err := os.ReadFile(filepath.Join(folder, "tem-accuracy.csv"))
	if err != nil || strings.Count(string(table), "\n") < 10 || !strings.Contains(string(table), "certified_metric_epsilon") {
		t.Errorf("the table of tem-accuracy is %.200s (%v)", table, err)
	}
	if out, errs, code := try(t, "list", "--stale", "--size", "smoke", "--rows", folder); code != 0 || !strings.Contains(out, "\n0 of ") || strings.Contains(out, "tem-accuracy") {
		t.Errorf("fresh rows are listed as stale (%d, %s):\n%s", code, errs, out)
	}
	digest, err := source.Code(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := strings.Count(string(table), digest)
	write(t, filepath.Join(folder, "tem-accuracy.csv"), strings.ReplaceAll(string(table), digest, "0123456789abcdef"))
	if err := os.Remove(filepath.Join(folder, "baselines.csv")); err != nil {
		t.Fatal(err)
	}
	out, _, _ = try(t, "list", "--stale", "--size", "smoke", "--rows", folder)
	if !strings.Contains(out, fmt.Sprintf("\n%d of ", n)) || !strings.Contains(out, "0123456789abcdef") || !strings.Contains(out, "\nbaselines ") || strings.Contains(out, "\nfrontier ") {
		t.Errorf("%d rows of other code and those of a missing file are listed as:\n%s", n, out)
	}
	if data, err := os.ReadFile(filepath.Join(folder, "tem-accuracy-1.png")); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Errorf("the plot is no PNG (%v)", err)
	}
}

func TestWrongUsageIsSaid(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"run", 2, "expected"},
		{"run nothing-like-it", 1, "is none of"},
		{"run quick --size full", 1, "exclude each other"},
		{"list --size huge", 1, "must be one of"},
		{"list --rows x", 1, "for --stale"},
		{"list --stale --rows /nowhere", 1, "results/quick"},
		{"run tem-accuracy --data /nowhere --store /nowhere", 1, "no such file"},
	} {
		if _, errs, code := try(t, strings.Fields(c.args)...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("lab %s ends with %d and says %q", c.args, code, errs)
		}
	}
	if _, errs, code := try(t, "report", "--rows", t.TempDir()); code != 1 || !strings.Contains(errs, "results/quick") {
		t.Errorf("a report of an empty folder ends with %d and says %q", code, errs)
	}
	if _, errs, code := try(t, "report", "--size", "smoke", "--store", t.TempDir()); code != 1 || !strings.Contains(errs, "no rows") {
		t.Errorf("a report of nothing ends with %d and says %q", code, errs)
	}
}
