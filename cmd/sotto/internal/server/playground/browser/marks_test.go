package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

// marks switches to marks and waits for the copy.
func (v *visit) marks(n int) {
	v.t.Helper()
	v.until(fmt.Sprint(n, " marks in the text and in the copy"), fmt.Sprintf(`!document.getElementById('main').hasAttribute('aria-busy')
		&& document.querySelectorAll('#marked-text mark').length === %d && document.querySelectorAll('#marked-copy mark').length === %[1]d`, n))
}

func (v *visit) shown(id string) []string {
	v.t.Helper()
	return value[[]string](v, `[...document.querySelectorAll('#`+id+` mark')].map(e => e.textContent)`)
}

const plainCopy = `[...document.getElementById('marked-copy').childNodes].filter(n => n.nodeType === 3).map(n => n.data)`

// Names that the reader marks and what has a shape are replaced within their types, and each
// is shown with its type, its epsilon and the colour of the legend.
func TestMarksAreReplacedWithinTheirTypes(t *testing.T) {
	v := open(t, server.Config{Spans: true}, 1280, 1000)
	v.drawn()
	v.do(chromedp.Click(chromedp.CSS("#unit-marks")))
	v.marks(8)
	want := []string{"Mary Furth PERSON ε 0", "Anna Kowalczyk PERSON ε 0", "2024-03-17 DATE ε 4", "14:05 TIME ε 4", "Boston LOCATION ε 0",
		"617-555-0143 PHONE_NUMBER ε 0", "anna@kowalczyk.example EMAIL_ADDRESS ε 0", "$240 MONEY ε 4"}
	if got := v.shown("marked-text"); !slices.Equal(got, want) {
		t.Errorf("marked are %q, want %q", got, want)
	}
	for i, drawn := range v.shown("marked-copy") {
		if _, kind, _ := strings.Cut(want[i], " "+[]string{"PERSON", "PERSON", "DATE", "TIME", "LOCATION", "PHONE", "EMAIL", "MONEY"}[i]); !strings.HasSuffix(drawn, kind) || strings.Contains(drawn, "Kowalczyk") && i > 1 {
			t.Errorf("%q became %q", want[i], drawn)
		}
	}
	kept := value[[]string](v, plainCopy)
	if !slices.Equal(kept[:3], []string{"Dr. ", " saw ", " on "}) {
		t.Errorf("beside the marks stays %q", kept)
	}
	colours := value[[]string](v, `[...document.querySelectorAll('#mark-legend mark')].map(e => e.textContent + ' ' + getComputedStyle(e).backgroundColor)`)
	if len(colours) != 7 {
		t.Errorf("the legend is %q", colours)
	}
	for _, c := range colours {
		name, colour, _ := strings.Cut(c, " ")
		if n := value[int](v, fmt.Sprintf(`[...document.querySelectorAll('.running mark')].filter(e => e.querySelector('.tag').textContent.startsWith(' %s ε') && getComputedStyle(e).backgroundColor === '%s').length`, name, colour)); n < 2 {
			t.Errorf("%d marks have the colour of %s", n, c)
		}
	}
	for _, says := range []string{"What is not marked stays in clear", "Marks and types are public"} {
		if !strings.Contains(v.text("promise"), says) {
			t.Errorf("the guarantee is %q", v.text("promise"))
		}
	}
	if said := v.text("not-protected"); !strings.Contains(said, "the shape of what the patterns marked") {
		t.Errorf("not protected is %q", said)
	}
	if shown := value[[]string](v, `['words','risk','frontier','detail','mechanism','account-card','as-line'].filter(id => document.getElementById(id).checkVisibility())`); len(shown) > 0 {
		t.Errorf("of words there is still %q", shown)
	}
	v.do(chromedp.Focus(chromedp.CSS("#epsilon")), chromedp.KeyEvent(kb.Home))
	v.until("epsilon 0", `document.getElementById('promise').textContent.includes('changes nothing') && [...document.querySelectorAll('#marked-copy .tag')].every(e => e.textContent.endsWith('ε 0'))`)
	v.do(chromedp.Click(chromedp.CSS("#unit-word")))
	v.drawn()
	if value[bool](v, `document.getElementById('marked').checkVisibility() || document.getElementById('mark-tools').checkVisibility() || !document.getElementById('risk').checkVisibility()`) {
		t.Error("the switch back to words leaves the marks")
	}
	for _, word := range []string{"Kowalczyk", "Furth", "617-555"} {
		if strings.Contains(v.log.String(), word) {
			t.Errorf("the log holds %q", word)
		}
	}
}

// A reader marks a part of the text by the keyboard alone, the mark moves with the text, and
// it can be taken back.
func TestAPartOfTheTextIsMarkedByKeyboard(t *testing.T) {
	v := open(t, server.Config{Spans: true}, 1280, 1000)
	v.drawn()
	v.do(chromedp.Focus(chromedp.CSS("#unit-marks")), chromedp.KeyEvent(kb.Enter))
	v.marks(8)
	v.write("")
	v.do(chromedp.SendKeys(chromedp.CSS("#text"), "é Acme pays on 2024-03-17"))
	v.marks(1)
	v.do(chromedp.Evaluate[chromedp.Void](`document.getElementById('text').setSelectionRange(2, 2)`))
	for range 4 {
		v.do(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(8)))
	}
	v.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("ORG"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	v.marks(2)
	if got := v.shown("marked-text"); got[0] != "Acme ORGANIZATION ε 0" {
		t.Errorf("marked are %q", got)
	}
	v.do(chromedp.Evaluate[chromedp.Void](`document.getElementById('text').focus(); document.getElementById('text').setSelectionRange(0, 0)`), chromedp.KeyEvent("So "))
	v.until("the longer text", `document.getElementById('marked-text').textContent.startsWith('So é Acme')`)
	v.marks(2)
	v.do(chromedp.Click(chromedp.CSS("#mark-shapes")))
	v.marks(1)
	if got := v.shown("marked-text"); got[0] != "Acme ORGANIZATION ε 0" {
		t.Errorf("after an edit marked are %q", got)
	}
	if kept := value[[]string](v, plainCopy); !slices.Equal(kept, []string{"So é ", " pays on 2024-03-17"}) {
		t.Errorf("beside the mark stays %q", kept)
	}
	v.do(chromedp.Focus(chromedp.CSS("#mark-own button")), chromedp.KeyEvent(kb.Enter))
	v.marks(0)
	if title, said := v.text("private-title"), v.text("status"); title != "Your own text" || !strings.Contains(said, "reads your text") {
		t.Errorf("without marks the copy is called %q: %q", title, said)
	}
	v.do(chromedp.Evaluate[chromedp.Void](`document.getElementById('text').setSelectionRange(0, 0)`), chromedp.Click(chromedp.CSS("#mark-add")))
	v.until("the advice to select", `document.getElementById('mark-said').textContent.includes('Select a part')`)
}

// A server that allows no spans, or draws only for accounts, offers no marks.
func TestMarksAreNotOfferedWhereTheyAreRefused(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	if value[bool](v, `document.getElementById('unit-marks').checkVisibility()`) {
		t.Error("marks are offered")
	}
}

func TestMarksOnAllScreens(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 768, 1280} {
			t.Run(fmt.Sprint(scheme, width), func(t *testing.T) {
				v := open(t, server.Config{Spans: true}, width, 900, prefer("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce"))
				v.drawn()
				v.do(chromedp.Click(chromedp.CSS("#unit-marks")))
				v.marks(8)
				v.shoot(fmt.Sprint("marks-", scheme, "-", width))
				if wide := value[int64](v, `document.documentElement.scrollWidth`); wide > width {
					t.Errorf("the page is %d pixels wide, want %d", wide, width)
				}
				if bad := value[[]string](v, contrast); len(bad) > 0 {
					t.Errorf("too little contrast: %q", bad)
				}
				small := value[[]string](v, `[...document.querySelectorAll('button, select, input, textarea')].filter(e => e.checkVisibility() && e.type !== 'checkbox').filter(e => e.getBoundingClientRect().height < 23.5).map(e => e.outerHTML)`)
				if len(small) > 0 {
					t.Errorf("too small are %q", small)
				}
			})
		}
	}
}
