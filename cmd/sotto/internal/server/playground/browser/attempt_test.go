package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

// failing makes the page lose the answer to the first request that charges, and get problems for
// the next ones. It notes their keys.
const failing = `(() => {
	const real = window.fetch;
	const problem = (type, status, more) => new Response(JSON.stringify({ type, detail: type }), { status, headers: more });
	const instead = [
		async (of) => { await real(...of); throw new TypeError('lost'); },
		async () => problem('too-many-requests', 429, { 'Retry-After': '1' }),
		async () => problem('too-slow', 408),
		async () => problem('not-permitted', 403),
	];
	window.keys = [];
	window.fetch = (...of) => {
		const key = of[1]?.headers?.['Idempotency-Key'];
		if (key === undefined) return real(...of);
		window.keys.push(key);
		const other = instead.shift();
		return other === undefined ? real(...of) : other(of);
	};
})()`

// press asks for a release until it comes, and checks that all requests had one key.
func (v *visit) press(button, problem, released string) {
	v.t.Helper()
	for _, said := range []string{"The service does not answer.", "Too-slow.", "Not-permitted."} {
		v.do(chromedp.Click(chromedp.CSS("#" + button)))
		v.until(said, `document.getElementById('`+problem+`').textContent === '`+said+`' && !document.getElementById('`+button+`').disabled`)
	}
	v.do(chromedp.Click(chromedp.CSS("#" + button)))
	v.until("the release", `document.getElementById('`+released+`').checkVisibility() && !document.getElementById('`+button+`').disabled`)
	keys := value[[]string](v, `window.keys`)
	for _, key := range keys {
		if len(keys) != 5 || key != keys[0] {
			v.t.Fatalf("the keys are %q, want one of them 5 times", keys)
		}
	}
	v.do(chromedp.Click(chromedp.CSS("#" + button)))
	v.until("another key for another release", `window.keys.length === 6 && window.keys[5] !== window.keys[0] && !document.getElementById('`+button+`').disabled`)
}

// Whatever comes in place of an answer, a release that may have been charged is asked for again
// under its key, and so is charged once.
func TestAReleaseWhoseAnswerWasLostIsChargedOnce(t *testing.T) {
	l := budgets(t, map[string]string{"alice": "500", "corpus": "50"})
	v := openAt(t, server.Config{Ledger: l}, "/#text", 1280, 1000)
	v.set()
	v.pick("alice")
	v.until("the offer to charge", `document.getElementById('pay').checkVisibility()`)
	v.do(chromedp.Evaluate[chromedp.Void](failing))
	v.press("pay", "problem", "released")
	if n := spent(t, l, "alice"); n != 2 {
		t.Errorf("%d charges for two releases", n)
	}

	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte("text,id\nmy parcel is late,1\nI cannot log in,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v = openAt(t, server.Config{Ledger: l}, "/#corpus", 1280, 1000)
	v.until("the form", `document.getElementById('csv').checkVisibility()`)
	v.do(chromedp.SetUploadFiles(chromedp.CSS("#csv"), []string{path}))
	v.until("the columns", `document.getElementById('csv-choices').checkVisibility()`)
	v.pick("corpus")
	v.until("the offer to charge", `document.getElementById('csv-make').textContent.startsWith('Draw and charge')`)
	v.do(chromedp.Evaluate[chromedp.Void](failing))
	v.press("csv-make", "csv-problem", "csv-save")
	if n := spent(t, l, "corpus"); n != 2 {
		t.Errorf("%d charges for two releases of a table", n)
	}
}
