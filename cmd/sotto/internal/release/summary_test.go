package release

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
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
	c := &RewriteCmd{content: sotto.Content{UnknownTokens: 2}}
	if err := c.summarise(t.Context(), &cli.Terminal{Err: &log}, r, statement, sotto.Counts{}); err != nil {
		t.Fatal(err)
	}
	if want := "sotto: done: 3 texts, 18 tokens, each at epsilon 2; the longest text loses at most 14\n"; log.String() != want {
		t.Errorf("a log got %q, want %q", log.String(), want)
	}
	log.Reset()
	c.Quiet = true
	if err := c.summarise(t.Context(), &cli.Terminal{Err: &log}, r, statement, sotto.Counts{}); err != nil || log.Len() > 0 {
		t.Errorf("a quiet run says %q (%v)", log.String(), err)
	}
}

// Off a terminal the share of words that stay is of public words: the summary is the same for
// a word of the table and for one that the table lacks.
func TestSummaryInALogDoesNotDependOnWords(t *testing.T) {
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 14})
	if err != nil {
		t.Fatal(err)
	}
	var logs []string
	for _, word := range []string{"river", "zyxxyz"} {
		c := &RewriteCmd{}
		counts, err := r.Count(t.Context(), strings.NewReader(word), sotto.Stream{Words: &c.words})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		if err := c.summarise(t.Context(), &cli.Terminal{Err: &log}, r, r.Statement(counts), counts); err != nil {
			t.Fatal(err)
		}
		logs = append(logs, log.String())
	}
	if logs[0] != logs[1] || !strings.Contains(logs[0], "of a sample of the table's words stay") {
		t.Errorf("the logs are %q", logs)
	}
}
