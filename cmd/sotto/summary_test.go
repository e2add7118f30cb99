package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
)

// The count of unknown words goes to a person's screen alone.
func TestTheSummaryGoesToAScreenAlone(t *testing.T) {
	counts, content := sotto.Counts{Documents: 3, Tokens: 18}, sotto.Content{UnknownTokens: 2}
	if line := summary(counts, content); !strings.HasPrefix(line, "sotto: 3 texts, 18 tokens; 2 tokens are not in the table") || strings.Contains(line, "\n") {
		t.Errorf("the summary is %q", line)
	}
	var log bytes.Buffer
	c := &rewriteCmd{content: content}
	c.summarise(&terminal{err: &log}, counts)
	if log.Len() > 0 {
		t.Errorf("a log got %q", log.String())
	}
}
