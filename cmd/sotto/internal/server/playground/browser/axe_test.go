package browser

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/privacy"
)

// axe reads axe-core, which scripts/playground takes from the locked packages, or skips
// the test. It is no part of the page.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("SOTTO_AXE")
	if path == "" {
		t.Skip("NO AXE: the playground was not checked with axe-core (scripts/playground does it)")
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// accessible checks what is shown by all rules of axe-core but the experimental ones.
func (v *visit) accessible(name, axe string) {
	v.t.Helper()
	v.do(chromedp.Evaluate[chromedp.Void](axe + "; undefined"))
	found, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](`axe.run(document, {resultTypes: ['violations', 'incomplete']}).then((r) => JSON.stringify({
		passes: r.passes.length,
		violations: r.violations.map((x) => x.id + ': ' + x.help + ' at ' + x.nodes.map((n) => n.target.join(' ')).join(', ')),
	}))`, await))
	if err != nil {
		v.t.Fatal(err)
	}
	var result struct {
		Passes     int
		Violations []string
	}
	if err := json.Unmarshal([]byte(found), &result); err != nil {
		v.t.Fatal(err)
	}
	if result.Passes < 20 {
		v.t.Errorf("%s: only %d rules were checked", name, result.Passes)
	}
	if len(result.Violations) > 0 {
		v.t.Errorf("%s:\n%s", name, strings.Join(result.Violations, "\n"))
	}
}

func await(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }

func TestAxeFindsNoViolation(t *testing.T) {
	source := axe(t)
	for _, c := range []struct {
		scheme string
		width  int64
	}{{"light", 1280}, {"dark", 360}} {
		t.Run(c.scheme, func(t *testing.T) {
			cfg := server.Config{Accept: privacy.Refuted, Spans: true, Ledger: budgets(t, map[string]string{"alice": "500"})}
			v := open(t, cfg, c.width, 900, prefer("prefers-color-scheme", c.scheme, "prefers-reduced-motion", "reduce"))
			v.refused = true // a refuted mechanism has no distribution to show
			v.drawn()
			v.until("the bars", `!document.getElementById('bars').hidden`)
			v.accessible("words", source)
			v.pick("alice")
			v.until("the offer to charge", `document.getElementById('pay').checkVisibility()`)
			v.do(chromedp.Click(chromedp.CSS("#pay")))
			v.until("the released copy", `document.getElementById('released').checkVisibility()`)
			v.do(chromedp.Click(chromedp.CSS("#as-curl")))
			v.until("the request", `document.getElementById('as-text').checkVisibility()`)
			v.accessible("a released copy", source)
			v.whole()
			v.accessible("a whole text", source)
			v.do(chromedp.Click(chromedp.CSS("#unit-marks")))
			v.marks(8)
			v.accessible("marks", source)
			v.do(chromedp.Click(chromedp.CSS("#unit-corpus")))
			v.accessible("a corpus", source)
			v.do(chromedp.Click(chromedp.CSS("#unit-word")))
			v.choose("trlaplace-published")
			v.until("the finding", `document.getElementById('refuted').checkVisibility()`)
			v.accessible("a refuted mechanism", source)
		})
	}
}

// What changes by itself is told: the places of messages are live regions from the start.
func TestMessagesAreLiveRegions(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	for id, want := range map[string]string{"status": "status", "kept": "status", "copied": "status", "problem": "alert", "account-problem": "alert", "broken": "alert", "key-problem": "alert"} {
		if got := value[string](v, `document.getElementById('`+id+`').getAttribute('role')`); got != want {
			t.Errorf("%s has the role %q, want %s", id, got, want)
		}
	}
	if got := value[string](v, `document.getElementById('detail-title').parentElement.getAttribute('aria-live')`); got != "polite" {
		t.Errorf("the title of a word is %q", got)
	}
}
