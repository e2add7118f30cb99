package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

func (v *visit) choose(name string) {
	v.t.Helper()
	v.do(chromedp.SetValue(chromedp.CSS("#mechanism"), name), chromedp.Evaluate[chromedp.Void](`document.getElementById('mechanism').dispatchEvent(new Event('change'))`))
}

func TestRefutedMechanismShowsInRedWhy(t *testing.T) {
	for _, how := range []struct {
		name   string
		accept privacy.Standing
	}{{"where the service does not open it", privacy.Unknown}, {"where the service opens it to be looked at", privacy.Refuted}} {
		t.Run(how.name, func(t *testing.T) {
			v := open(t, server.Config{Accept: how.accept}, 1280, 1000)
			v.refused = true // the mechanism has no distribution to show
			v.drawn()
			v.choose("trlaplace-published")
			v.until("the finding", `document.getElementById('refuted').checkVisibility()`)
			if why := value[string](v, `document.getElementById('refuted-why').innerText`); !strings.Contains(why, "does not hold") && !strings.Contains(why, "not\nhold") {
				t.Errorf("the finding says %q", why)
			}
			if colour := value[string](v, `getComputedStyle(document.getElementById('refuted-title')).color`); colour != "rgb(166, 27, 27)" {
				t.Errorf("the finding's title is %s, want red", colour)
			}
			if how.accept == privacy.Refuted {
				v.drawn()
				if promise := value[string](v, `document.getElementById('promise').textContent`); !strings.Contains(promise, "next to no guarantee") {
					t.Errorf("the promise is %q", promise)
				}
				v.shoot("refuted-open")
			} else {
				v.until("why it is closed", `document.getElementById('status').textContent.includes('does not open')`)
				v.shoot("refuted-closed")
			}
			v.choose("neighbours")
			v.until("the finding to go", `!document.getElementById('refuted').checkVisibility()`)
			v.drawn()
		})
	}
}

func (v *visit) pick(account string) {
	v.t.Helper()
	v.do(empty("account"), chromedp.SendKeys(chromedp.CSS("#account"), account+kb.Enter))
}

func spent(t *testing.T, l *ledger.Ledger, account string) (charges int64) {
	t.Helper()
	a, err := l.Account(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	return a.Charges
}

func TestAccountIsChargedOnceAndOnlyWhenItIsChosenAndAsked(t *testing.T) {
	l := budgets(t, map[string]string{"alice": "500"})
	v := open(t, server.Config{Ledger: l}, 1280, 1000)
	v.drawn()
	v.write("the doctor agreed")
	v.until("three words", `document.querySelectorAll('.word').length === 3`)
	v.drawn()
	v.pick("alice")
	v.until("what is left", `document.getElementById('remaining').textContent.startsWith('500 ')`)
	v.until("the offer to charge", `document.getElementById('pay').checkVisibility()`)
	v.do(chromedp.Focus(chromedp.CSS("#text")), chromedp.SendKeys(chromedp.CSS("#text"), " today"))
	// The whole word, not its first letters, which are read too where keys come slowly.
	v.until("four words", `document.querySelectorAll('.word.undrawn').length === 4 && [...document.querySelectorAll('.word .was')].some(e => e.textContent === 'today')`)
	if n := spent(t, l, "alice"); n != 0 {
		t.Fatalf("%d charges before anyone asked for a draw", n)
	}
	cost := value[string](v, `document.getElementById('pay').textContent`)
	v.do(chromedp.Click(chromedp.CSS("#pay")))
	v.until("the released copy", `document.getElementById('released').checkVisibility()`)
	if n := spent(t, l, "alice"); n != 1 {
		t.Fatalf("%d charges, want 1", n)
	}
	v.until("the receipt", `document.getElementById('receipt').textContent.includes('to alice')`)
	receipt := value[string](v, `document.getElementById('receipt').textContent`)
	if amount := strings.TrimPrefix(cost, "Draw and charge "); !strings.HasPrefix(receipt, "Charged "+amount+" to alice") {
		t.Errorf("%q was offered, %q is the receipt", cost, receipt)
	}
	v.until("what is left after it", `!document.getElementById('remaining').textContent.startsWith('500 ')`)
	v.shoot("charged")
}

func TestExhaustedBudgetIsSaidPlainlyAndNothingIsDrawn(t *testing.T) {
	l := budgets(t, map[string]string{"poor": "5"})
	v := open(t, server.Config{Ledger: l, RequireAccount: true}, 1280, 1000)
	v.refused = true
	v.until("words that are not drawn", `document.querySelectorAll('.word.undrawn').length > 10`)
	v.pick("poor")
	v.until("the offer to charge", `document.getElementById('pay').checkVisibility()`)
	v.do(chromedp.Click(chromedp.CSS("#pay")))
	v.until("the refusal", `document.getElementById('problem').checkVisibility()`)
	said := value[string](v, `document.getElementById('problem').textContent`)
	if !strings.HasPrefix(said, "Budget exhausted: this draw costs ") || !strings.Contains(said, "has 5 left") {
		t.Errorf("it says %q", said)
	}
	if spent(t, l, "poor") != 0 || value[bool](v, `document.getElementById('released').checkVisibility() || !document.querySelector('.word.undrawn')`) {
		t.Error("something was charged or drawn")
	}
	v.shoot("exhausted")
}

func TestKeyStaysInThePagesMemory(t *testing.T) {
	secret, line, err := gate.NewKey("app", gate.Rewrite, []string{"alice"})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := gate.ReadKeys(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	v := open(t, server.Config{Ledger: budgets(t, map[string]string{"alice": "500"}), Keys: keys}, 1280, 1000)
	v.refused = true // the first request is sent without a key
	v.until("the question for a key", `document.getElementById('key-card').checkVisibility()`)
	v.do(chromedp.SendKeys(chromedp.CSS("#key"), "sotto_wrong"+kb.Enter))
	v.until("the refusal of a wrong key", `document.getElementById('key-problem').checkVisibility()`)
	v.do(empty("key"), chromedp.SendKeys(chromedp.CSS("#key"), secret+kb.Enter))
	v.until("words that are not drawn", `document.querySelectorAll('.word.undrawn').length > 10`)
	v.shoot("key")
	v.do(chromedp.SetValue(chromedp.CSS("#account-list"), "alice"), chromedp.Evaluate[chromedp.Void](`document.getElementById('account-list').dispatchEvent(new Event('change'))`))
	v.until("the offer to charge", `document.getElementById('pay').checkVisibility()`)
	v.do(chromedp.Click(chromedp.CSS("#pay")))
	v.until("the released copy", `document.getElementById('released').checkVisibility()`)
	kept := value[string](v, `JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, document.documentElement.outerHTML])`)
	if strings.Contains(kept, secret) {
		t.Error("the key is kept beyond the page's memory")
	}
	v.mu.Lock()
	for _, r := range append(v.requests, v.bodies...) {
		if strings.Contains(r, secret) {
			t.Error("the key is in an address or a body")
		}
	}
	v.mu.Unlock()
	if strings.Contains(v.log.String(), secret) {
		t.Error("the key is in the log")
	}
	v.do(chromedp.Reload())
	v.until("the question for a key again", `document.getElementById('key-card').checkVisibility()`)
}
