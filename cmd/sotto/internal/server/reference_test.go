package server_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/ledger"
)

// referenceTable returns the rows of a table of the reference page, under a heading.
func referenceTable(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "reference", "service.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if cells := strings.Split(strings.TrimSpace(line), "|"); strings.HasPrefix(line, "| `") {
			row := []string{}
			for _, cell := range cells[1 : len(cells)-1] {
				row = append(row, strings.Trim(strings.TrimSpace(cell), "`"))
			}
			rows = append(rows, row)
		}
	}
	if len(rows) < 10 {
		t.Fatalf("%s has %d rows", heading, len(rows))
	}
	return rows
}

// everything asks for at least one answer of each kind that logs and metrics have fields
// for. It returns the service and the header of its key.
func everything(t *testing.T) (r *running, as []string) {
	t.Helper()
	var lines string
	bearer := map[string]string{}
	for _, name := range []string{"app", "old"} {
		secret, line, err := gate.NewKey(name, gate.Admin, nil)
		if err != nil {
			t.Fatal(err)
		}
		lines += line + "\n"
		bearer[name] = "Bearer " + secret
	}
	lines, err := gate.RevokeKey(lines, "old")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := gate.ReadKeys(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	l := newBudgets(t, map[string]string{"alice": "1000"})
	amount, err := ledger.ParseLimit("10", "1e-6")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "bob", Amount: amount}); err != nil {
		t.Fatal(err)
	}
	r = start(t, server.Config{Keys: keys, Ledger: l})
	as = []string{"Authorization", bearer["app"]}
	keyed := append([]string{"Idempotency-Key", "2f1c6a52-8b5e-4b1e-9a57-3f1b7c9d0e11"}, as...)
	for range 2 {
		r.rewrite(`{"texts":["a river"],"epsilon":4,"account":"alice"}`, keyed...).want(t, 200, "")
	}
	r.rewrite(`{"texts":["a river"],"epsilon":4,"unit":"text","account":"alice"}`, as...).want(t, 200, "")
	r.ask("GET", "/v1/mechanisms", "", "Authorization", bearer["old"]).want(t, 401, "unauthorized")
	return r, as
}

func TestMetricsAreThoseOfTheReference(t *testing.T) {
	documented := map[string]string{}
	for _, row := range referenceTable(t, "The metrics") {
		labels := regexp.MustCompile("[a-z]+").FindAllString(row[2], -1)
		slices.Sort(labels)
		documented[row[0]] = strings.Join(append([]string{row[1]}, labels...), " ")
	}
	r, as := everything(t)
	got := map[string]string{}
	label := regexp.MustCompile(`([a-z]+)="`)
	for line := range strings.Lines(r.ask("GET", "/metrics", "", as...).want(t, 200, "").body) {
		if of, ok := strings.CutPrefix(line, "# TYPE "); ok {
			if name, kind, _ := strings.Cut(strings.TrimSpace(of), " "); !strings.HasPrefix(name, "go_") && !strings.HasPrefix(name, "process_") {
				got[name] = kind
			}
			continue
		}
		name, _, _ := strings.Cut(line, "{")
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			name = strings.TrimSuffix(name, suffix)
		}
		if kind := strings.Fields(got[name]); len(kind) == 1 {
			for _, m := range label.FindAllStringSubmatch(line, -1) {
				if m[1] != "le" {
					kind = append(kind, m[1])
				}
			}
			slices.Sort(kind[1:])
			got[name] = strings.Join(kind, " ")
		}
	}
	if !maps.Equal(got, documented) {
		for _, name := range slices.Sorted(maps.Keys(documented)) {
			if got[name] != documented[name] {
				t.Errorf("%s: the service has %q, the reference %q", name, got[name], documented[name])
			}
			delete(got, name)
		}
		for name, kind := range got {
			t.Errorf("%s (%s) is not in the reference", name, kind)
		}
	}
}

func TestLogFieldsAreThoseOfTheReference(t *testing.T) {
	documented := map[string]bool{"time": true, "level": true, "msg": true}
	for _, row := range referenceTable(t, "The log") {
		documented[row[0]] = true
	}
	r, _ := everything(t)
	r.shut()
	seen := map[string]bool{"cause": true, "stack": true} // of errors that no request causes
	lines := bufio.NewScanner(strings.NewReader(r.log.String()))
	for lines.Scan() {
		var fields map[string]any
		if err := json.Unmarshal(lines.Bytes(), &fields); err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			if fields["msg"] == "request" {
				seen[name] = true
			}
		}
	}
	if !maps.Equal(seen, documented) {
		t.Errorf("requests are logged with %v, the reference has %v", slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(documented)))
	}
}
