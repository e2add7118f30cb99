package server_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
)

// No table has this word, so it occurs only in the input.
const marker = "xylomarkerquux"

// Every place of a request where a person might put text, in requests that succeed and
// that fail. None of it is in an error, the log or the metrics.
func TestErrorsLogsAndMetricsHoldNoText(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "20"})
	r := start(t, server.Config{Ledger: l, Accept: privacy.Refuted})
	asks := []func() reply{
		func() reply { return r.rewrite(`{"texts":["` + marker + `"],"epsilon":8}`) },
		func() reply {
			return r.rewrite(`{"texts":["` + marker + `"],"epsilon":8,"account":"alice","report":true}`)
		},
		func() reply {
			return r.rewrite(`{"texts":["`+marker+` `+marker+`"],"epsilon":8,"account":"alice"}`, "Idempotency-Key", marker)
		},
		func() reply { return r.ask("GET", "/v1/accounts/"+marker, "") },
		func() reply {
			return r.ask("GET", "/"+marker+"?"+marker, "", "X-Request-Id", marker, "User-Agent", marker, "Referer", marker)
		},
		func() reply { return r.ask(strings.ToUpper(marker), "/v1/rewrite", "") },
		func() reply { return r.ask("GET", "/v1/mechanisms", "", "Host", marker) },
		func() reply { return r.ask("POST", "/v1/explain", `{"words":["`+marker+`"],"epsilon":8}`) },
		func() reply {
			return r.ask("POST", "/v1/explain", `{"words":["`+marker+`"],"epsilon":8,"mechanism":"madlib"}`)
		},
		func() reply { return r.rewrite(`{"texts":["`+marker+`"],"epsilon":8}`, "Content-Type", marker) },
		func() reply {
			return r.rewrite(`{"texts":["`+marker+`"],"epsilon":8}`, "Authorization", "Bearer "+marker)
		},
	}
	for _, body := range []string{
		`{"texts":["MARK"]}`, `{"texts":["MARK"],"epsilon":0}`, `{"texts":"MARK","epsilon":8}`, `{"texts":[{"MARK":1}],"epsilon":8}`,
		`{"texts":["MARK"],"MARK":1}`, `{"texts":["MARK"],"epsilon":8,"mechanism":"MARK"}`, `{"texts":["MARK"],"epsilon":8,"notion":"MARK"}`,
		`{"texts":["MARK"],"epsilon":8,"embeddings":"MARK"}`, `{"texts":["MARK"],"epsilon":8,"account":"MARK"}`, `{"texts":["MARK"],"epsilon":8,"account":"MARK MARK"}`,
		`{"texts":["MARK"],"epsilon":8,"calibrate":"MARK"}`, `{"texts":["MARK"],"epsilon":8,"accept":"MARK"}`, `{"texts":["MARK"],"epsilon":8,"neighbours":"MARK"}`,
		`{"texts":["MARK"],"epsilon":8,"parameters":{"MARK":1}}`, `{"texts":["MARK"],"epsilon":8,"parameters":{"neighbours":"MARK"}}`,
		`{"texts":["MARK"],"epsilon":8,"mechanism":"trlaplace","parameters":{"sensitivity":"MARK"}}`, `{"texts":["MARK"],"epsilon":8,"seed":"MARK"}`,
		`{"texts":["MARK"],"epsilon":MARK}`, `MARK`, `{"texts":["MARK"],"epsilon":8} MARK`, `{"texts":["MARK"],"epsilon":8,"mechanism":"packing"}`, `{"parameters":["MARK"],"epsilon":8}`,
		`{"parameters":{"MARK":{"MARK":1}},"epsilon":8}`, `{"texts":["MARK"],"epsilon":2,"account":"alice","scope":"MARKMARK"}`, `{"texts":["MARK"],"epsilon":8,"account":"alice","scope":"MARK"}`,
		`{"texts":["MARK"],"epsilon":800,"account":"alice","scope":"MARKMARK"}`, `{"texts":["MARK MARK"],"document_epsilon":8,"document_tokens":1}`,
		`{"texts":["MARK MARK"],"document_epsilon":8,"document_tokens":1,"over":"MARK"}`,
		`{"texts":["MARK"],"epsilon":4,"unit":"text"}`, `{"texts":["MARK"],"epsilon":4,"unit":"text","account":"alice","report":true,"pieces":true}`, `{"texts":["MARK"],"epsilon":4,"unit":"MARK"}`,
		`{"texts":["MARK"],"epsilon":4,"corpus":"MARK"}`, `{"texts":["MARK"],"epsilon":4,"unit":"text","objective":"MARK"}`, `{"texts":["MARK"],"epsilon":900,"unit":"text","account":"alice"}`,
		`{"texts":["MARK"],"epsilon":4,"mechanism":"retrieval","corpus":"../MARK"}`, `{"texts":[{"MARK":1}],"epsilon":4,"unit":"text"}`,
	} {
		asks = append(asks, func() reply { return r.rewrite(strings.ReplaceAll(body, "MARK", marker)) })
	}
	failed := 0
	for i, ask := range asks {
		a := ask()
		if a.status >= 400 {
			failed++
		}
		if a.status >= 500 {
			t.Errorf("request %d got %d", i, a.status)
		}
		var all strings.Builder
		_ = a.header.Write(&all)
		if strings.Contains(strings.ToLower(all.String()+a.body), marker) {
			t.Errorf("request %d: the answer repeats its text: %s%s", i, all.String(), a.body)
		}
	}
	if failed < 25 {
		t.Errorf("only %d requests failed", failed)
	}
	if m := r.ask("GET", "/metrics", "").body; strings.Contains(m, marker) || !strings.Contains(m, `sotto_tokens_total{mechanism="neighbours"}`) {
		t.Error("the metrics hold the text, or nothing")
	}
	log := r.log.String()
	if strings.Contains(strings.ToLower(log), marker) || strings.Count(log, `"msg":"request"`) < len(asks) {
		t.Errorf("the log holds the text, or nothing: %s", log)
	}
}

// All label values are constants of this program: a client cannot create labels.
func TestClientsMakeNoLabels(t *testing.T) {
	r := start(t, server.Config{})
	count := func() int { return strings.Count(r.ask("GET", "/metrics", "").body, "\nsotto_") }
	r.ask("GET", "/nosuch", "")
	count()
	before := count()
	for _, path := range []string{"/a", "/b", "/c/d", "/v1/x"} {
		r.ask("GET", path, "")
	}
	if after := count(); after != before {
		t.Errorf("%d lines of metrics became %d", before, after)
	}
}

// timed matches the lines of metrics that hold durations. The number of durations is
// compared.
var timed = regexp.MustCompile(`^sotto_[a-z_]+_seconds_(sum|bucket)`)

// Two requests with the same number of tokens leave the same log and metrics, whatever
// their words are: known or not, new or repeated. Differences may show in time, in the
// private text's length and in the ledger's numbers.
func TestLogsAndMetricsDoNotDependOnContent(t *testing.T) {
	stage.Unraced(t)
	varies := regexp.MustCompile(`"(time|request|duration_ms|bytes_in|bytes_out|charge|address)":("[^"]*"|[0-9.]+),?`)
	seen := func(words, more string) string {
		r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "1000"})})
		if a := r.rewrite(`{"texts":["` + words + `"],"epsilon":1,"account":"alice"` + more + `}`).rewritten(t); a.Tokens != 8 {
			t.Fatalf("%d tokens, want 8", a.Tokens)
		}
		var all strings.Builder
		for line := range strings.Lines(r.ask("GET", "/metrics", "").body) {
			if strings.HasPrefix(line, "sotto_") && !timed.MatchString(line) {
				all.WriteString(line)
			}
		}
		return inOrder(varies.ReplaceAllString(r.log.String(), "")) + all.String()
	}
	for _, more := range []string{"", `,"consistent":true`, `,"scope":"` + scopeName + `"`, `,"report":true,"pieces":true`} {
		known, other := seen(eight, more), seen("zzqa zzqb river river river river zzqa zzqc", more)
		if known != other {
			t.Errorf("with %s: known and distinct words leave\n%s\nothers leave\n%s", more, known, other)
		}
		if !strings.Contains(known, `sotto_tokens_total{mechanism="neighbours"} 8`) || !strings.Contains(known, `"tokens":8`) || !strings.Contains(known, `sotto_account_left_epsilon{account="alice",notion="pure"} 990`) {
			t.Errorf("nothing is compared: %s", known)
		}
	}
}

// The answer of a reading or an explanation says of each word whether it is known, so its
// length would reveal how many are not.
func TestLogHasNoSizesOfPrivateAnswers(t *testing.T) {
	varies := regexp.MustCompile(`"(time|request|duration_ms|address)":("[^"]*"|[0-9.]+),?`)
	for path, body := range map[string]string{"/v1/read": `{"texts":["WORD"],"epsilon":8}`, "/v1/explain": `{"words":["WORD"],"epsilon":8}`} {
		seen := func(word string) string {
			r := start(t, server.Config{Playground: true})
			r.ask("POST", path, strings.ReplaceAll(body, "WORD", word)).want(t, 200, "")
			r.shut()
			return inOrder(varies.ReplaceAllString(r.log.String(), ""))
		}
		known, unknown := seen("river"), seen("zzqxj")
		if known != unknown || !strings.Contains(known, `"bytes_in":`) {
			t.Errorf("%s: a known word leaves\n%s\nan unknown one\n%s", path, known, unknown)
		}
	}
}

// inOrder sorts the lines of a log: a request may be logged before the line that the service
// has begun.
func inOrder(log string) string {
	return strings.Join(slices.Sorted(strings.Lines(log)), "")
}

// A claim for whole texts covers their lengths too. Requests with the same number of
// texts leave the same log and metrics, whatever the texts are, also if they fail.
// bytes_out is the length of what is released.
func TestLogsAndMetricsDoNotDependOnWholeTexts(t *testing.T) {
	stage.Unraced(t)
	varies := regexp.MustCompile(`"(time|request|bytes_out|charge|address)":("[^"]*"|[0-9.]+),?`)
	seen := func(texts, more string) string {
		r := start(t, server.Config{Playground: true, Ledger: newBudgets(t, map[string]string{"alice": "1000"})})
		of := `"texts":["` + strings.ReplaceAll(texts, "|", `","`) + `"],"epsilon":4,` + more
		r.rewrite(`{`+of+`,"account":"alice"}`).want(t, 200, "")
		r.rewrite(`{`+of+`,"report":true,"pieces":true}`).want(t, 200, "")
		r.ask("POST", "/v1/read", `{`+of+`}`).want(t, 200, "")
		r.ask("POST", "/v1/explain", `{`+of+`}`).want(t, 200, "")
		for _, fails := range []string{`{` + of + `,"account":"bob"}`, `{` + of + `,"neighbours":0}`, `{` + of, `{` + of + `,"nosuch":1}`} {
			if a := r.rewrite(fails); a.status < 400 {
				t.Errorf("%.100s gets %d", fails, a.status)
			}
		}
		r.rewrite(`{`+of+`}`, "Authorization", "Bearer x")
		r.ask("POST", "/v1/rewrote", `{`+of+`}`).want(t, 404, "not-found")
		var all strings.Builder
		for line := range strings.Lines(r.ask("GET", "/metrics", "").body) {
			if strings.HasPrefix(line, "sotto_") && !strings.HasPrefix(line, "sotto_ledger_charge_seconds_sum") && !strings.HasPrefix(line, "sotto_ledger_charge_seconds_bucket") {
				all.WriteString(line)
			}
		}
		r.shut()
		for line := range strings.Lines(varies.ReplaceAllString(r.log.String(), "")) {
			if !strings.Contains(line, `"route":"GET /metrics"`) { // such a request holds no text
				all.WriteString(line)
			}
		}
		return inOrder(all.String())
	}
	for _, more := range []string{`"unit":"text"`, `"mechanism":"retrieval"`, `"corpus":"english"`} {
		one, other := seen("my doctor agreed|ok", more), seen("|"+strings.Repeat("zzqa river ", 30_000), more)
		if one != other {
			t.Errorf("with %s: short texts leave\n%s\nothers leave\n%s", more, one, other)
		}
		if !strings.Contains(one, `sotto_texts_total{mechanism="retrieval"} 6`) || !strings.Contains(one, `"texts":2`) || strings.Contains(one, "tokens\":") {
			t.Errorf("nothing is compared: %s", one)
		}
	}
}
