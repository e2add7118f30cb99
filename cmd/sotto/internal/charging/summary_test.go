package charging

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
)

func TestContentIsDescribedForTheOperator(t *testing.T) {
	for n, want := range map[int]string{1: "; 1 text is not UTF-8", 2: "; 2 texts are not UTF-8"} {
		if line := OfContent(sotto.Content{UnreadTexts: n}, false); !strings.HasPrefix(line, want) || strings.Contains(line, "\n") {
			t.Errorf("the summary is %q", line)
		}
	}
	if line := OfContent(sotto.Content{UnknownTokens: 2}, true); !strings.HasPrefix(line, "; 2 tokens are not in the table (do not publish") || strings.Contains(line, "\n") {
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
		Warn(&log, sotto.Cost{Texts: 1, Units: 5, Unchanged: c.unchanged, EpsilonLongest: c.longest})
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
