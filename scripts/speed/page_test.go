//go:build linux

package main

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// The page has a place for each table, and no other.
func TestPageHasEveryTable(t *testing.T) {
	text, err := os.ReadFile("../../" + document)
	if err != nil {
		t.Fatal(err)
	}
	var marked, made []string
	for _, m := range regexp.MustCompile(`(?m)^<!-- table: (.*) -->$`).FindAllStringSubmatch(string(text), -1) {
		marked = append(marked, m[1])
	}
	for _, x := range tables {
		made = append(made, x.name)
		if _, err := replace(string(text), x.name, ""); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(marked, made) {
		t.Errorf("the page has the tables %q, the script makes %q", marked, made)
	}
}

func TestReplaceChangesOneTableOnly(t *testing.T) {
	const page = "a\n<!-- table: x -->\nold\n<!-- end -->\nb\n<!-- table: y -->\nkept\n<!-- end -->\n"
	got, err := replace(page, "x", "new\n")
	if want := "a\n<!-- table: x -->\nnew\n<!-- end -->\nb\n<!-- table: y -->\nkept\n<!-- end -->\n"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", "<!-- table: x -->\nno end"} {
		if _, err := replace(bad, "x", ""); err == nil {
			t.Errorf("%q has a place for the table", bad)
		}
	}
}

func TestNumberHasThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{0.0123456: "0.0123", 0.5: "0.500", 1.2345: "1.23", 12.345: "12.3", 123.45: "123", 1234.5: "1,230", 6589662: "6,590,000", 999.7: "1000"} {
		if got := number(x); got != want {
			t.Errorf("number(%v) = %s, want %s", x, got, want)
		}
	}
}

func TestBestLineOfABenchmarkCounts(t *testing.T) {
	const out = "goos: linux\nBenchmarkA/x=1-2 \t 10\t 200 ns/op\t 5.5 MB/s\nBenchmarkA/x=1-2 10 100 ns/op 7 MB/s\nBenchmarkB 1 9 ns/op\nPASS\n"
	found, err := parse(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || found[0].name != "BenchmarkA/x=1" || found[0].values["MB/s"] != 7 || found[1].values["ns/op"] != 9 {
		t.Errorf("%+v", found)
	}
	if _, err := parse("BenchmarkA 1 x ns/op\n"); err == nil {
		t.Error("x is a number")
	}
}
