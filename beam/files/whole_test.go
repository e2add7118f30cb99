package files

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/text"
)

// Whole texts are drawn for whatever a record holds: none is left out, unless that is
// asked for.
func TestNoRecordOfWholeTextsIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	jsonl := write(t, filepath.Join(dir, "a.jsonl"), `{"text":"one"}`+"\n"+hidden+"\n"+`{"text":"`+hidden+"\xff"+`"}`+"\n"+`{"text":3}`+"\n")
	csv := write(t, filepath.Join(dir, "b.csv"), "text\none\n"+hidden+"\n"+hidden+","+hidden+"\n")
	for _, c := range []struct {
		invalid       text.Invalid
		records, gone int
	}{{"", 7, 0}, {text.ReplaceInvalid, 7, 0}, {text.FailInvalid, 1, 4}} {
		out := t.TempDir()
		cfg := config(out, jsonl, csv)
		cfg.Unit, cfg.Parameters, cfg.Invalid = "text", nil, c.invalid
		if err := pipeline(cfg); err != nil {
			t.Fatal(err)
		}
		written := outputs(t, out)
		records := strings.Count(written["a-000000.jsonl"], "\n") + strings.Count(written["b-000000.csv"], "\n") - 1
		if records != c.records || len(seen.failures) != c.gone {
			t.Errorf("%q: %d records of %v, failures %v", c.invalid, records, written, seen.failures)
		}
		if all := written["a-000000.jsonl"] + written["b-000000.csv"]; strings.Contains(all, hidden) {
			t.Errorf("%q: the outputs hold the original: %s", c.invalid, all)
		}
	}
}

// A part of rows that cannot be told apart is left out as a whole. The list of failures is public:
// it shows neither the line of a row nor how many commas it has.
func TestFailureOfWholeTextsShowsThePartAlone(t *testing.T) {
	const n = text.PartRecords
	for _, c := range []struct{ name, bad, worse string }{
		{"a.tsv", "2\ttwo\n" + "3\tthree\tfour\n", "2\ttwo\tthree\tfour\n3\tthree\n"},
		{"a.csv", "2,two\n3,three,four\n", "2,\"two\n3,three\n"},
	} {
		var all [][]sottobeam.Failure
		for _, bad := range []string{c.bad, c.worse} {
			out := t.TempDir()
			separator := map[string]string{"a.tsv": "\t", "a.csv": ","}[c.name]
			name := write(t, filepath.Join(t.TempDir(), c.name), "id"+separator+"text\n"+strings.Repeat("1"+separator+"one\n", n)+bad)
			cfg := config(out, name)
			cfg.Unit, cfg.Parameters = "text", nil
			if err := pipeline(cfg); err != nil {
				t.Fatal(err)
			}
			for i := range seen.failures {
				seen.failures[i].Key = strings.TrimPrefix(seen.failures[i].Key, name)
			}
			all = append(all, seen.failures)
			if got := outputs(t, out); strings.Count(got["a-000000"+filepath.Ext(c.name)], "\n") != 1+n || strings.Count(got["a-000001"+filepath.Ext(c.name)], "\n") != 1 {
				t.Errorf("%s: the outputs have other rows", c.name)
			}
		}
		if want := []sottobeam.Failure{{Key: ":part 1", What: unreadPart}}; !slices.Equal(all[0], want) || !slices.Equal(all[1], want) {
			t.Errorf("%s: the failures are %v, want %v", c.name, all, want)
		}
	}
}

// The names of fields are those of the whole file: where all records of a later part lack the field,
// they are drawn for like any other.
func TestFieldMayBeAbsentFromALaterPart(t *testing.T) {
	out := t.TempDir()
	name := write(t, filepath.Join(t.TempDir(), "a.jsonl"), strings.Repeat(`{"text":"one"}`+"\n", text.PartRecords)+strings.Repeat(`{"txet":"two"}`+"\n", text.PartRecords))
	cfg := config(out, name)
	cfg.Unit, cfg.Parameters = "text", nil
	if err := pipeline(cfg); err != nil {
		t.Fatal(err)
	}
	if got := outputs(t, out)["a-000001.jsonl"]; strings.Count(got, "\n") != text.PartRecords || len(seen.failures) > 0 {
		t.Errorf("the second part has %d records, and %v", strings.Count(got, "\n"), seen.failures)
	}
}
