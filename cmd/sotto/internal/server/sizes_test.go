package server_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/internal/stage"
)

// left is the log and the metrics that requests leave, without what differs between any two.
func left(t *testing.T, c server.Config, ask func(r *running)) string {
	t.Helper()
	c.Playground = true
	r := start(t, c)
	ask(r)
	varies := regexp.MustCompile(`"(time|request|bytes_out|charge|address)":("[^"]*"|[0-9.]+),?`)
	var all strings.Builder
	for line := range strings.Lines(r.ask("GET", "/metrics", "").body) {
		if strings.HasPrefix(line, "sotto_") {
			all.WriteString(line)
		}
	}
	r.shut()
	for line := range strings.Lines(varies.ReplaceAllString(r.log.String(), "")) {
		if !strings.Contains(line, `"route":"GET /metrics"`) {
			all.WriteString(line)
		}
	}
	return inOrder(all.String())
}

// A request that is refused may be one for whole texts with a mistake in it: the log and the
// metrics have neither its length nor its duration.
func TestRefusedRequestsLeaveNoSizes(t *testing.T) {
	stage.Unraced(t)
	refused := []string{`"unit":"texts"`, `"unit":"Text"`, `"unit":"word","corpus":"english"`, `"mechanism":"retrievel"`, `"corpora":"english"`,
		`"unit":"record"`, `"unit":"text","account":""`, `"notion":"pure","unit":"texts"`, `"embeddings":"nosuch"`, `"account":"alice"`}
	seen := func(text string) string {
		return left(t, server.Config{Spans: true}, func(r *running) {
			for _, more := range refused {
				for path, field := range map[string]string{"rewrite": "texts", "cost": "texts", "read": "texts", "explain": "texts"} {
					if a := r.ask("POST", "/v1/"+path, fmt.Sprintf(`{%q:[%q],"epsilon":4,%s}`, field, text, more)); a.status < 400 {
						t.Errorf("/v1/%s with %s gets %d", path, more, a.status)
					}
				}
			}
			r.ask("POST", "/v1/explain", fmt.Sprintf(`{"texts":[%q],"epsilon":4}`, text)).want(t, 400, "invalid-parameter")
			r.ask("POST", "/v1/explain", fmt.Sprintf(`{"words":[%q],"epsilon":4,"unit":"texts"}`, text)).want(t, 400, "invalid-parameter")
		})
	}
	short, long := seen("ok"), seen(strings.Repeat("zzqa river ", 3000))
	if short != long || !strings.Contains(short, `"problem":"invalid-parameter"`) {
		t.Errorf("short texts leave\n%s\nothers leave\n%s", short, long)
	}
	words := left(t, server.Config{}, func(r *running) { r.rewrite(`{"texts":["ok"],"epsilon":4}`).want(t, 200, "") })
	if !strings.Contains(words, `"bytes_in":28`) || !strings.Contains(words, `sotto_request_seconds_count{route="POST /v1/rewrite"} 1`) {
		t.Errorf("a request for words leaves %s", words)
	}
}

// A claim for marks covers their lengths: requests with the same marks outside of which the
// texts are equal leave the same log and metrics.
func TestLogsAndMetricsDoNotDependOnMarks(t *testing.T) {
	stage.Unraced(t)
	seen := func(name, day string) string {
		return left(t, server.Config{Spans: true}, func(r *running) {
			text := name + " came on " + day
			n, end := utf8.RuneCountInString(name), utf8.RuneCountInString(text)
			marks := fmt.Sprintf(`{"texts":[%q,null],"epsilon":2,"typed":true,"spans":[[{"start":0,"end":%d,"label":"PERSON"},{"start":%d,"end":%d,"label":"DATE"}],[]]`, text, n, end-len(day), end)
			r.ask("POST", "/v1/read", marks+`}`).want(t, 200, "")
			for _, more := range []string{"", `,"strict_types":true`, `,"consistent":true,"report":true`, `,"pieces":true`} {
				r.ask("POST", "/v1/rewrite", marks+more+`}`).want(t, 200, "")
			}
			for _, more := range []string{`,"account":"alice"`, `,"unit":"text"`, `,"nosuch":1`, `,"epsilon":1`} {
				if a := r.ask("POST", "/v1/rewrite", marks+more+`}`); a.status < 400 {
					t.Errorf("%s gets %d", more, a.status)
				}
			}
		})
	}
	one, other := seen("Bo", "2024-03-17"), seen("Maria del Carmen Fernández y Ortega", "17 March 2024 at noon")
	if one != other || !strings.Contains(one, `"unit":"mark","epsilon":2,"delta":0,"texts":1}`) {
		t.Errorf("short marks leave\n%s\nothers leave\n%s", one, other)
	}
}
