package playground_test

import (
	"context"
	"encoding/json"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/playground"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/tune"
)

func TestPageNamesOnlyItsOwnFilesAndHasNoInlineCode(t *testing.T) {
	assets, err := playground.Assets()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(assets, func(a playground.Asset) bool { return a.Path == "/" })
	if at < 0 {
		t.Fatal("there is no page")
	}
	page := string(assets[at].Body)
	named := regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(named) < 3 {
		t.Errorf("the page names %d files, want its script, style and icon", len(named))
	}
	for _, n := range named {
		if !slices.ContainsFunc(assets, func(a playground.Asset) bool { return a.Path == n[1] && a.Forever }) {
			t.Errorf("the page names %s, which is not there forever", n[1])
		}
	}
	for _, inline := range []string{"<style", " style=", " onclick", "<script>", "javascript:", "http://", "https://", "//cdn"} {
		if strings.Contains(page, inline) {
			t.Errorf("the page holds %q", inline)
		}
	}
	for _, a := range assets {
		if path.Ext(a.Path) == ".map" || len(a.Body) > 256<<10 {
			t.Errorf("%s has %d bytes", a.Path, len(a.Body))
		}
	}
}

// tables returns the tables for which figures ship.
func tables(t *testing.T) (english, first *embedding.Table) {
	t.Helper()
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	if first, err = english.First(packing.Words); err != nil {
		t.Fatal(err)
	}
	return english, first
}

func TestShippedFiguresStandAtTheStopsWithTheClaimsOfToday(t *testing.T) {
	stage.Needs(t, stage.Figures) // computes the figures of the page again
	english, first := tables(t)
	shipped := 0
	for _, entry := range catalog.All() {
		table := english
		if entry.Name == "packing" {
			table = first
		}
		stops := playground.Stops(entry.Name)
		if !slices.IsSorted(stops) || len(stops) < 2 {
			t.Errorf("%s: the stops are %g", entry.Name, stops)
		}
		rows, err := playground.Rows(entry.Name, table)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) == 0 {
			continue
		}
		shipped++
		if len(rows) != len(stops) {
			t.Errorf("%s: figures at %d of %d stops", entry.Name, len(rows), len(stops))
			continue
		}
		for i, row := range rows {
			if row.Epsilon != stops[i] || row.Standing != entry.Standing {
				t.Errorf("%s: row %d is at %g, %s; want %g, %s", entry.Name, i, row.Epsilon, row.Standing, stops[i], entry.Standing)
			}
			m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: row.Epsilon})
			if err != nil {
				t.Errorf("%s at %g: %v", entry.Name, row.Epsilon, err)
				continue
			}
			now, _ := json.Marshal(m.Claim())
			if then, _ := json.Marshal(row.Claim); string(now) != string(then) {
				t.Errorf("%s at %g ships with the claim %s, and claims %s", entry.Name, row.Epsilon, then, now)
			}
		}
	}
	if shipped < 13 {
		t.Errorf("figures ship for %d members, want 13", shipped)
	}
	if rows, err := playground.Rows("neighbours", first); err != nil || len(rows) != 0 {
		t.Errorf("the figures of one table are shown for another: %v, %v", rows, err)
	}
}

func TestShippedFiguresAreWhatIsComputedNow(t *testing.T) {
	stage.Needs(t, stage.Figures) // computes the figures of the page again
	english, first := tables(t)
	for _, of := range []struct {
		name  string
		table *embedding.Table
		at    int
	}{{"packing", first, 2}, {"madlib", english, 7}, {"gaussian-analytic", english, 8}, {"response", english, 30}} {
		if testing.Short() && of.name == "response" {
			continue
		}
		rows, err := playground.Rows(of.name, of.table)
		if err != nil || len(rows) <= of.at {
			t.Fatalf("%s: %d rows, %v", of.name, len(rows), err)
		}
		entry, _ := catalog.Find(of.name)
		then := rows[of.at]
		now, err := tune.Compare(context.Background(), entry, of.table, mechanism.Spec{Epsilon: then.Epsilon})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []struct {
			name      string
			then, now float64
		}{{"unchanged", then.Unchanged, now.Unchanged}, {"distance", then.ExpectedDistance, now.ExpectedDistance}, {"attack", then.AttackLow, now.AttackLow}} {
			// Sums of float64 differ by order and by processor.
			if math.Abs(f.then-f.now) > 1e-9*math.Abs(f.now) {
				t.Errorf("%s at %g: %s ships as %v and is %v", of.name, then.Epsilon, f.name, f.then, f.now)
			}
		}
	}
}

// The most exposed words ship with every row of a channel: they agree with the row, and
// with what is computed now.
func TestShippedExposuresAreWhatIsComputedNow(t *testing.T) {
	stage.Needs(t, stage.Figures) // computes the figures of the page again
	english, first := tables(t)
	for _, entry := range catalog.All() {
		table := english
		if entry.Name == "packing" {
			table = first
		}
		rows, err := playground.Rows(entry.Name, table)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			e, err := playground.MostExposed(entry.Name, table, row.Epsilon)
			if err != nil {
				t.Fatal(err)
			}
			if row.AttackSuccess == nil {
				if e != nil {
					t.Errorf("%s at %g has no channel, and ships exposed words", entry.Name, row.Epsilon)
				}
				continue
			}
			if e == nil || len(e.Words) != playground.ExposedWords || math.Abs(e.Mean-*row.AttackSuccess) > 1e-9 || e.Words[0].Recovered < e.Mean*(1-1e-9) {
				t.Errorf("%s at %g ships the exposed words %+v", entry.Name, row.Epsilon, e)
			}
		}
	}
	for _, of := range []struct {
		name    string
		table   *embedding.Table
		epsilon float64
	}{{"packing", first, 2}, {"neighbours", english, 8}} {
		if testing.Short() && of.table == english {
			continue
		}
		entry, _ := catalog.Find(of.name)
		m, err := entry.New(t.Context(), of.table, mechanism.Spec{Epsilon: of.epsilon})
		if err != nil {
			t.Fatal(err)
		}
		now, err := tune.MostExposed(t.Context(), tune.Opened{Entry: entry, Channel: m.(mechanism.Channel), Table: of.table}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		then, err := playground.MostExposed(of.name, of.table, of.epsilon)
		if err != nil || then == nil {
			t.Fatalf("%s: %v, %v", of.name, then, err)
		}
		for i, w := range then.Words {
			if n := now.Words[i]; n.Word != w.Word || math.Abs(n.Recovered-w.Recovered) > 1e-9 || math.Abs(n.Unchanged-w.Unchanged) > 1e-9 {
				t.Errorf("%s: word %d ships as %+v and is %+v", of.name, i, w, n)
			}
		}
		if then.Alike != now.Alike {
			t.Errorf("%s: %d words ship as alike, %d are", of.name, then.Alike, now.Alike)
		}
	}
}
