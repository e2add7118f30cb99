package jsonfield

import (
	"slices"
	"testing"
)

// Every path in brackets has its twin with dots.
func TestPathsAreReadInBothSpellings(t *testing.T) {
	for in, want := range map[string][]string{
		"a":         {"a"},
		"a.b.c":     {"a", "b", "c"},
		"a[0].b":    {"a", "0", "b"},
		"a[1][2]":   {"a", "1", "2"},
		"[3].a":     {"3", "a"},
		"a[*].b[4]": {"a", everyElement, "b", "4"},
		"a[].b":     {"a", everyElement, "b"},
		`a\.b`:      {"a.b"},
		`a\.b.c[0]`: {"a.b", "c", "0"},
		`\.a\.`:     {".a."},
		`a\\.b`:     {`a\`, "b"},
		`a\b`:       {`a\b`},
		`a\\\.b`:    {`a\.b`},
		`a\\b`:      {`a\\b`},
		`a\\b.c\\`:  {`a\\b`, `c\\`},
	} {
		p, err := Parse(in)
		if err != nil || !slices.Equal(p.steps, want) {
			t.Errorf("%s is read as %q (%v), want %q", in, p.steps, err, want)
		}
	}
}
