package browser

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/privacy"
)

// write replaces the text as a person would, with events.
func (v *visit) write(text string) {
	v.t.Helper()
	v.do(empty("text"), chromedp.SendKeys(chromedp.CSS("#text"), text))
}

func TestTypingShowsPrivateTextAndLogsNoneOfIt(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	v.write("zebras negotiate with the quixotically dentist")
	v.until("the words that were typed", `[...document.querySelectorAll('.word .was')].some(e => e.textContent === 'dentist')`)
	v.drawn()
	read := value[[]string](v, `[...document.querySelectorAll('.word .was')].map(e => e.textContent)`)
	if len(read) != 6 || read[4] != "not in table" {
		t.Errorf("read as %q, want six words, the fifth unknown", read)
	}
	if said := value[string](v, `document.getElementById('unknown').textContent`); !strings.Contains(said, "not in the table") {
		t.Errorf("of the unknown word it says %q", said)
	}
	for _, word := range []string{"zebras", "dentist", "quixotically"} {
		if strings.Contains(v.log.String(), word) {
			t.Errorf("the log holds %q", word)
		}
	}
	if !strings.Contains(v.log.String(), "/v1/rewrite") {
		t.Error("the log has no request to rewrite: nothing was checked")
	}
	v.shoot("light")
}

// Figures that take longer than the copy do not change what the page says of the copy.
func TestSlowFiguresLeaveTheStatusOfTheCopy(t *testing.T) {
	const late = `const ask = window.fetch
		window.fetch = (path, init) => path === '/v1/figures' ? new Promise((later) => setTimeout(later, 1500)).then(() => ask(path, init)) : ask(path, init)`
	v := open(t, server.Config{}, 1280, 1000, func(ctx context.Context, _ *chromedp.Target) (none chromedp.Void, err error) {
		_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: late})
		return none, err
	})
	v.drawn()
	if said := value[string](v, `document.getElementById('status').textContent`); said != "" {
		t.Errorf("after all was computed it says %q", said)
	}
}

func TestSlidingEpsilonMovesTheFigures(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	figures := func() []string {
		return value[[]string](v, `['epsilon-value','unchanged','attack','total','promise'].map(id => document.getElementById(id).textContent)`)
	}
	before := figures()
	v.do(chromedp.Focus(chromedp.CSS("#epsilon")), chromedp.KeyEvent(kb.End))
	v.until("the highest stop", `document.getElementById('unchanged').textContent === '99.8\u00a0%'`)
	v.drawn()
	after := figures()
	for i, name := range []string{"epsilon", "unchanged rate", "attack success", "total", "promise"} {
		if before[i] == after[i] || after[i] == "" {
			t.Errorf("%s is %q before and %q after", name, before[i], after[i])
		}
	}
	if label := value[string](v, `document.getElementById('plot').getAttribute('aria-label')`); !strings.Contains(label, "At epsilon 16") {
		t.Errorf("the plot marks %q", label)
	}
	if value[int](v, `document.querySelectorAll('#figures tr.here').length`) != 1 {
		t.Error("the table of the plot marks no row, or several")
	}
	v.do(chromedp.Click(chromedp.CSS("#by-risk")))
	v.until("the comparison at equal risk", `document.querySelectorAll('#legend li').length >= 4`)
	v.shoot("risk")
}

// empty clears a field.
func empty(id string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void]("document.getElementById('" + id + "').value = ''")
}

// bars reads the distribution that is shown.
func (v *visit) bars() (sum float64, names []string) {
	v.t.Helper()
	for _, p := range value[[]float64](v, `[...document.querySelectorAll('#bars li')].map(e => Number(e.dataset.probability))`) {
		sum += p
	}
	return sum, value[[]string](v, `[...document.querySelectorAll('#bars .name')].map(e => e.textContent)`)
}

func TestPointingAtAWordShowsItsWholeDistribution(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	at := value[[]float64](v, `(() => { const w = document.querySelectorAll('.word')[3]; w.scrollIntoView({block: 'center'}); const r = w.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] })()`)
	v.do(chromedp.MouseEvent("mouseMoved", at[0], at[1]))
	v.until("the bars of Boston", `!document.getElementById('bars').hidden && document.getElementById('detail-title').textContent.includes('boston')`)
	sum, names := v.bars()
	if math.Abs(sum-1) > 1e-12 || len(names) != 14 || names[0] != "boston" || names[12] != "10 more of the nearest" || names[13] != "19,978 others together" {
		t.Errorf("the bars add up to %v, of %q; want 1, Boston first, the others last", sum, names)
	}
	if set := value[string](v, `document.getElementById('detail-set').textContent`); set != "22 nearest: 84.4\u00a0% together, 3.84\u00a0% each. Any other: 15.6\u00a0% together." {
		t.Errorf("the set is shown as %q", set)
	}
	v.shoot("word")
}

func TestItWorksByKeyboardAlone(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	focused := func() string {
		return value[string](v, `document.activeElement.id || document.activeElement.className`)
	}
	var seen []string
	for range 20 { // to the words, by Tab alone
		v.do(chromedp.KeyEvent(kb.Tab))
		if seen = append(seen, focused()); strings.HasPrefix(seen[len(seen)-1], "word") {
			break
		}
	}
	want := "unit-text unit-word unit-corpus text originals word"
	if got := strings.Join(seen, " "); !strings.Contains(got, want) {
		t.Fatalf("Tab goes to %s, want %s", got, want)
	}
	if outline := value[string](v, `getComputedStyle(document.activeElement).outlineStyle`); outline != "solid" {
		t.Errorf("the focus on a word has outline %q: it cannot be seen", outline)
	}
	at := func() int {
		return value[int](v, `[...document.querySelectorAll('.word')].indexOf(document.activeElement)`)
	}
	v.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	if i := at(); i != 3 { // from doctor, which the page shows first
		t.Errorf("two steps to the right lead to word %d, want 3", i)
	}
	v.until("the bars of the focused word", `document.getElementById('detail-title').textContent.includes('“boston”')`)
	v.do(chromedp.KeyEvent(kb.End))
	if i, n := at(), value[int](v, `document.querySelectorAll('.word').length`); i != n-1 {
		t.Errorf("End leads to word %d of %d", i, n)
	}
	v.do(chromedp.KeyEvent(kb.ArrowUp))
	if i, n := at(), value[int](v, `document.querySelectorAll('.word').length`); i >= n-1 {
		t.Errorf("up leads to word %d of %d", i, n)
	}
	if n := value[int](v, `document.querySelectorAll('.word[tabindex="0"]').length`); n != 1 {
		t.Errorf("%d words are in the tab order, want 1", n)
	}
	v.do(chromedp.KeyEvent(kb.Escape))
	v.until("Escape to clear the word", `document.getElementById('bars').hidden && !document.querySelector('.word.chosen')`)
	v.do(chromedp.KeyEvent(kb.Tab))
	if got := focused(); got != "again" {
		t.Errorf("Tab leaves the words to %q, want again", got)
	}
}

func TestEveryControlHasAName(t *testing.T) {
	v := open(t, server.Config{Ledger: budgets(t, map[string]string{"alice": "500"})}, 1280, 1000)
	v.drawn()
	unnamed := value[[]string](v, `[...document.querySelectorAll('input, select, textarea, button, meter')].filter(e => e.checkVisibility())
		.filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels.length))).map(e => e.outerHTML)`)
	if len(unnamed) > 0 {
		t.Errorf("without a name: %q", unnamed)
	}
	if n := value[int](v, `document.querySelectorAll('h1').length`); n != 1 {
		t.Errorf("%d first headings, want 1", n)
	}
}

func TestNarrowScreenNeverScrollsSideways(t *testing.T) {
	v := open(t, server.Config{Accept: privacy.Refuted}, 360, 740)
	v.refused = true // one of the two has no distribution to show
	v.drawn()
	v.do(chromedp.Click(chromedp.CSS(".word:nth-child(2)")))
	v.until("the bars", `!document.getElementById('bars').hidden`)
	for _, name := range []string{"neighbours", "trlaplace-published"} {
		v.do(chromedp.SetValue(chromedp.CSS("#mechanism"), name), chromedp.Evaluate[chromedp.Void](`document.getElementById('mechanism').dispatchEvent(new Event('change'))`))
		v.until(name, `!document.getElementById('main').hasAttribute('aria-busy') && document.getElementById('unchanged').textContent !== ''`)
		if wide := value[int](v, `document.documentElement.scrollWidth`); wide > 360 {
			t.Errorf("%s: the page is %d pixels wide, want 360", name, wide)
		}
		small := value[[]string](v, `[...document.querySelectorAll('button, select, input, textarea, summary')].filter(e => e.checkVisibility())
			.filter(e => { const r = e.getBoundingClientRect(); return r.height < 23.5 && e.id !== 'originals' }).map(e => e.outerHTML)`)
		if len(small) > 0 {
			t.Errorf("too small to touch: %q", small)
		}
		v.shoot("narrow-" + name)
	}
}

// contrast lists texts whose colour is too close to their background (WCAG 2.2, 1.4.3:
// 4.5 to 1).
const contrast = `(() => {
	const rgb = (s) => (s.match(/[\d.]+/g) ?? []).map(Number);
	const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
	const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c.slice(0, 3); } return [255, 255, 255]; };
	const bad = [];
	for (const e of document.querySelectorAll('body *')) {
		if (!e.checkVisibility() || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.closest('.skip, canvas')) continue;
		const a = light(rgb(getComputedStyle(e).color).slice(0, 3)), b = light(ground(e));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (ratio < 4.5) bad.push(e.className + ' "' + e.textContent.slice(0, 30) + '" ' + ratio.toFixed(2));
	}
	return bad;
})()`

func TestDarkAndLightTextsHaveContrast(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		t.Run(scheme, func(t *testing.T) {
			v := open(t, server.Config{}, 1280, 1000, prefer("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce"))
			v.drawn()
			v.do(chromedp.Click(chromedp.CSS(".word")))
			v.until("the bars", `!document.getElementById('bars').hidden`)
			if bad := value[[]string](v, contrast); len(bad) > 0 {
				t.Errorf("too little contrast: %q", bad)
			}
			dark := value[bool](v, `getComputedStyle(document.body).backgroundColor === 'rgb(16, 22, 21)'`)
			if dark != (scheme == "dark") {
				t.Errorf("the ground is dark: %t", dark)
			}
			if moving := value[string](v, `getComputedStyle(document.querySelector('.fill')).transitionProperty + getComputedStyle(document.querySelector('.fill')).transitionDuration`); !strings.HasSuffix(moving, "0s") {
				t.Errorf("with reduced motion the bars still move: %s", moving)
			}
			v.shoot("scheme-" + scheme)
		})
	}
}

// prefer sets media features, given as alternating names and values.
func prefer(features ...string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		var list []*emulation.MediaFeature
		for i := 0; i < len(features); i += 2 {
			list = append(list, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
		}
		_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: list})
		return none, err
	}
}
