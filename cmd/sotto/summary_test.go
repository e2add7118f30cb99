package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
)

// A log gets what the report has, and no count of content: that is printed on a terminal
// only. With --quiet it gets nothing.
func TestSummaryOfContentGoesToAScreenAlone(t *testing.T) {
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	statement := r.Statement(sotto.Counts{Documents: 3, Tokens: 18, Draws: 18, LongestTokens: 7, LongestDraws: 7})
	var log bytes.Buffer
	c := &rewriteCmd{content: sotto.Content{UnknownTokens: 2}}
	if err := c.summarise(t.Context(), &terminal{err: &log}, r, statement); err != nil {
		t.Fatal(err)
	}
	if want := "sotto: done: 3 texts, 18 tokens, each at epsilon 2; the longest text loses at most 14\n"; log.String() != want {
		t.Errorf("a log got %q, want %q", log.String(), want)
	}
	log.Reset()
	c.Quiet = true
	if err := c.summarise(t.Context(), &terminal{err: &log}, r, statement); err != nil || log.Len() > 0 {
		t.Errorf("a quiet run says %q (%v)", log.String(), err)
	}
}

func TestContentIsDescribedForTheOperator(t *testing.T) {
	for n, want := range map[int]string{1: "; 1 text is not UTF-8", 2: "; 2 texts are not UTF-8"} {
		if line := ofContent(sotto.Content{UnreadTexts: n}, false); !strings.HasPrefix(line, want) || strings.Contains(line, "\n") {
			t.Errorf("the summary is %q", line)
		}
	}
	if line := ofContent(sotto.Content{UnknownTokens: 2}, true); !strings.HasPrefix(line, "; 2 tokens are not in the table (do not publish") || strings.Contains(line, "\n") {
		t.Errorf("the summary is %q", line)
	}
}

// Warnings are for words that stay and for texts that lose much, and for nothing else.
func TestWarnings(t *testing.T) {
	f := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		unchanged, longest *float64
		want               []string
	}{
		{f(0.2), f(50), nil},
		{nil, f(10), nil},
		{f(0.21), f(10), []string{"warning: 21 % of the known words (expected"}},
		{f(0.01), f(50.5), []string{"rewrite --unit text and embed -m privunit protect whole texts, rewrite --document-epsilon caps"}},
		{f(0.01), nil, []string{"up to infinity nats"}},
		{f(1), f(60), []string{"a smaller --epsilon", "--document-epsilon"}},
	} {
		var log bytes.Buffer
		warn(&log, sotto.Cost{Texts: 1, Units: 5, Unchanged: c.unchanged, EpsilonLongest: c.longest})
		lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")
		if len(c.want) == 0 && log.Len() > 0 || len(c.want) > 0 && len(lines) != len(c.want) {
			t.Errorf("%+v: %q", c, log.String())
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%q lacks %q", lines[i], want)
			}
		}
	}
}
