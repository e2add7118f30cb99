package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

// What the page copies does what the page does: a whole text stays one, and the account that is
// chosen pays, once for a request that is repeated.
func TestWhatIsCopiedDoesWhatThePageDoes(t *testing.T) {
	v := openAt(t, server.Config{Ledger: budgets(t, map[string]string{"alice": "500"})}, "/#text", 1280, 1000)
	v.set()
	v.do(chromedp.Click(chromedp.CSS("#options summary")))
	given := func(button string) string {
		t.Helper()
		v.do(chromedp.Click(chromedp.CSS("#" + button)))
		v.until("what was asked for", `document.getElementById('as-text').checkVisibility()`)
		text := v.text("as-text")
		v.do(chromedp.Evaluate[chromedp.Void](`document.getElementById('as-text').hidden = true`))
		return text
	}
	const corpus, free = "--unit text --corpus english --epsilon 4 --objective signal", `"unit":"text","corpus":"english","objective":"signal","epsilon":4}`
	want := "sotto rewrite --format text " + corpus + " --report report.json -o private.txt text.txt"
	if got := given("as-command"); got != want {
		t.Errorf("the command is %q, want %q", got, want)
	}
	if got := given("as-curl"); !strings.Contains(got, free) || strings.Contains(got, "Idempotency-Key") {
		t.Errorf("the request is %q", got)
	}
	v.pick("alice")
	v.until("the offer to charge", `document.getElementById('pay').checkVisibility()`)
	v.set()
	want = "sotto rewrite --format text " + corpus + " --account alice --ledger budgets.db --report report.json -o private.txt text.txt"
	if got := given("as-command"); got != want {
		t.Errorf("the command with an account is %q, want %q", got, want)
	}
	made, request, _ := strings.Cut(given("as-curl"), "\n")
	if made != "key=$(od -An -tx1 -N16 /dev/urandom | tr -d ' ')" || !strings.Contains(request, ` -H "Idempotency-Key: $key" `) || !strings.Contains(request, `"account":"alice"}`) {
		t.Errorf("the request with an account is %q and %q", made, request)
	}
	v.do(chromedp.Click(chromedp.CSS("#unit-corpus")))
	v.until("the command for a corpus", `document.getElementById('corpus-command').textContent.includes(' --account alice --ledger budgets.db tickets.csv ')`)
}
