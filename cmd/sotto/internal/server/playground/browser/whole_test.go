package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/corpus"
)

// whole switches to whole texts and waits for the set.
func (v *visit) whole() {
	v.t.Helper()
	v.do(chromedp.Click(chromedp.CSS("#unit-text")))
	v.set()
}

func (v *visit) set() {
	v.t.Helper()
	v.until("the set of the text", `document.querySelectorAll('#set li').length === 12 && !document.getElementById('main').hasAttribute('aria-busy')`)
}

// publicTexts returns the texts of the embedded corpus.
func publicTexts(t *testing.T) map[string]bool {
	t.Helper()
	english, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	public := map[string]bool{}
	for i := range english.Len() {
		public[english.Text(i)] = true
	}
	return public
}

const wholeText = `document.getElementById('stand-in').textContent`

// A public text is shown in place of the private one, with the set, the guarantee for the
// whole text and an explanation of the set.
func TestWholeTextIsReplacedByAPublicOne(t *testing.T) {
	public := publicTexts(t)
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	v.whole()
	v.write("zebras quixotically telephone nobody about the parcel")
	v.until("the text's own set", `document.querySelector('#set li').textContent.includes('phone')`)
	v.set()
	if text := value[string](v, wholeText); !public[text] {
		t.Errorf("%q stands for the text, which is no text of the corpus", text)
	}
	for id, want := range map[string]string{"unchanged": "598 of 33,254", "attack": "21.6\u00a0%", "attack-label": "tells which of 200 texts it came from", "facts-note": "with probability 50.0\u00a0%", "total": "ε 4", "promise": "any two texts, whatever their words, length or language, by a factor of at most 54.6.",
		"epsilon-label": "Epsilon of the whole text", "detail-hint": "598 nearest public texts: 50.0\u00a0% together, 0.084\u00a0% each. Any other of 33,254: 50.0\u00a0% together."} {
		if got := value[string](v, `document.getElementById('`+id+`').textContent`); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q in it", id, got, want)
		}
	}
	if shown := value[[]string](v, `['mechanism','words','frontier','originals'].filter(id => document.getElementById(id).checkVisibility())`); len(shown) > 0 {
		t.Errorf("of words there is still %q", shown)
	}
	v.shoot("whole")
	v.do(chromedp.Focus(chromedp.CSS("#epsilon")), chromedp.KeyEvent(kb.End))
	v.until("the highest stop", `document.getElementById('total').textContent === 'ε 12'`)
	v.do(chromedp.SetValue(chromedp.CSS("#objective"), "readable"), chromedp.Evaluate[chromedp.Void](`document.getElementById('objective').dispatchEvent(new Event('change'))`))
	v.until("another set", `document.getElementById('total').textContent === 'ε 12' && !document.getElementById('facts-note').textContent.includes('probability 50.0') && document.querySelectorAll('#set li').length === 12`)
	v.do(chromedp.Click(chromedp.CSS("#unit-word")))
	v.drawn()
	if value[bool](v, `document.getElementById('set').checkVisibility() || !document.getElementById('mechanism').checkVisibility()`) {
		t.Error("the switch back to words leaves the set")
	}
	for _, word := range []string{"zebras", "quixotically"} {
		if strings.Contains(v.log.String(), word) {
			t.Errorf("the log holds %q", word)
		}
	}
}

// An account pays once for the whole text, when a copy is requested.
func TestWholeTextIsPaidForOnce(t *testing.T) {
	l := budgets(t, map[string]string{"alice": "10"})
	v := open(t, server.Config{Ledger: l, RequireAccount: true}, 1280, 1000)
	v.until("the words", `document.querySelectorAll('.word').length > 1`)
	v.pick("alice")
	v.whole()
	v.until("the offer", `document.getElementById('pay').checkVisibility() && document.getElementById('pay').textContent === 'Draw and charge 4'`)
	if n := spent(t, l, "alice"); n != 0 {
		t.Fatalf("%d charges before anything was asked for", n)
	}
	v.do(chromedp.Click(chromedp.CSS("#pay")))
	v.until("the released copy", `document.getElementById('released').checkVisibility()`)
	v.until("what is left", `document.getElementById('receipt').textContent.includes('Charged 4 to alice')`)
	if text := value[string](v, wholeText); text == "" || text != value[string](v, `document.getElementById('released-text').textContent`) {
		t.Errorf("%q stands for the text, which is not what was released", text)
	}
	if n := spent(t, l, "alice"); n != 1 {
		t.Errorf("%d charges, want 1", n)
	}
	v.shoot("whole-charged")
}

func TestWholeTextsOnNarrowAndDarkScreens(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		t.Run(scheme, func(t *testing.T) {
			v := open(t, server.Config{}, 360, 740, prefer("prefers-color-scheme", scheme))
			v.drawn()
			v.whole()
			if wide := value[int](v, `document.documentElement.scrollWidth`); wide > 360 {
				t.Errorf("the page is %d pixels wide, want 360", wide)
			}
			if bad := value[[]string](v, contrast); len(bad) > 0 {
				t.Errorf("too little contrast: %q", bad)
			}
			unnamed := value[[]string](v, `[...document.querySelectorAll('input, select, textarea, button')].filter(e => e.checkVisibility())
				.filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels.length))).map(e => e.outerHTML)`)
			small := value[[]string](v, `[...document.querySelectorAll('button, select, input, textarea')].filter(e => e.checkVisibility()).filter(e => e.getBoundingClientRect().height < 23.5).map(e => e.outerHTML)`)
			if len(unnamed)+len(small) > 0 {
				t.Errorf("without a name %q, too small %q", unnamed, small)
			}
			v.shoot(fmt.Sprint("whole-narrow-", scheme))
		})
	}
}
