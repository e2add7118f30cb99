package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

func (v *visit) text(id string) string {
	v.t.Helper()
	return value[string](v, `document.getElementById('`+id+`').innerText`)
}

func (v *visit) pickIn(id, option string) {
	v.t.Helper()
	v.do(chromedp.SetValue(chromedp.CSS("#"+id), option), chromedp.Evaluate[chromedp.Void](`document.getElementById('`+id+`').dispatchEvent(new Event('change'))`))
}

// The objective and the cap of the sets change what is drawn, its figures and its command.
func TestObjectiveAndCapAreSent(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	v.pickIn("cap", "0.01")
	v.until("the sets of the cap", `/^\d+ nearest/.test(document.getElementById('detail-set').textContent) && !document.getElementById('detail-set').textContent.startsWith('22 ')`)
	v.drawn()
	v.until("the figures of the cap", `document.getElementById('unchanged').textContent.startsWith('1.00')`)
	v.do(chromedp.Click(chromedp.CSS("#as-command")))
	v.until("the command", `document.getElementById('as-text').checkVisibility()`)
	if got, want := v.text("as-text"), "sotto rewrite --mechanism neighbours --epsilon 8.5 --attack 0.01 --report report.json -o private.txt text.txt"; got != want {
		t.Errorf("the command is %q, want %q", got, want)
	}
	v.pickIn("cap", "")
	v.pickIn("aim", "readable")
	v.until("the command to go", `!document.getElementById('as-text').checkVisibility()`)
	v.drawn()
	v.do(empty("text"), chromedp.SendKeys(chromedp.CSS("#text"), "it's late"))
	v.until("the words", `document.querySelectorAll('.word').length <= 3 && document.querySelectorAll('.word').length > 1`)
	v.drawn()
	v.do(chromedp.Click(chromedp.CSS("#as-curl")))
	v.until("the request", `document.getElementById('as-text').checkVisibility()`)
	want := `jq -Rsc '{"texts":[rtrimstr("\n")],"mechanism":"neighbours","epsilon":8.5,"embeddings":"english","objective":"readable"}' text.txt | curl -sS -H 'Content-Type: application/json' --data @- ` + v.origin + "/v1/rewrite"
	if got := v.text("as-text"); got != want {
		t.Errorf("the request is %q, want %q", got, want)
	}
	v.pickIn("mechanism", "response")
	v.until("the choices to go", `!document.getElementById('choices-field').checkVisibility()`)
	v.drawn()
}

// Every option of a choice can be read, however wide the page is.
func TestOptionsAreNotCutOff(t *testing.T) {
	for _, width := range []int64{1200, 1024, 900, 769, 400} {
		v := open(t, server.Config{}, width, 900)
		v.drawn()
		cut := value[[]string](v, `[...document.querySelectorAll('#controls select')].filter(e => e.checkVisibility()).filter(e => {
			const free = e.cloneNode(true);
			free.style.cssText = 'position: absolute; inline-size: max-content; max-inline-size: none';
			document.body.append(free);
			const needs = free.offsetWidth;
			free.remove();
			return needs > e.offsetWidth;
		}).map(e => e.id)`)
		if len(cut) > 0 {
			t.Errorf("at %d pixels options of %q are cut off", width, cut)
		}
	}
}

// The legend of underlined words is shown only beside one.
func TestLegendNeedsAnUnderlinedWord(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	v.do(chromedp.Focus(chromedp.CSS("#epsilon")), chromedp.KeyEvent(kb.End))
	v.until("words that stayed", `document.querySelectorAll('.word.stayed').length > 0 && document.getElementById('stayed').checkVisibility()`)
	v.drawn()
	v.do(empty("text"), chromedp.Evaluate[chromedp.Void](`document.getElementById('text').dispatchEvent(new Event('input'))`))
	v.until("no words", `document.querySelectorAll('.word').length === 0`)
	if value[bool](v, `document.getElementById('stayed').checkVisibility()`) {
		t.Error("the legend is shown beside no word")
	}
}

// A copy that keeps nearly all words is not called private.
func TestACopyThatKeepsTheTextIsCalledThat(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	if title := v.text("private-title"); title != "Private copy" {
		t.Errorf("at first the copy is called %q", title)
	}
	v.do(chromedp.Focus(chromedp.CSS("#epsilon")), chromedp.KeyEvent(kb.End))
	v.until("the highest stop", `document.getElementById('unchanged').textContent === '99.8\u00a0%'`)
	v.drawn()
	// Of 23 words one is not in the table, each other one stays with 0.998, and the title
	// needs 21. Two of 22 move with a chance below 1e-3, in all of four draws below 1e-12.
	for range 3 {
		if v.text("private-title") == "Nearly your own text" {
			break
		}
		v.do(chromedp.Click(chromedp.CSS("#again")))
		v.drawn()
	}
	if title, said := v.text("private-title"), v.text("kept"); title != "Nearly your own text" || !strings.Contains(said, "of 23 words are unchanged. Whoever reads this copy reads your text.") {
		t.Errorf("the copy is called %q: %q", title, said)
	}
	v.shoot("kept")
}

// Corpora are explained first, and copied on the command line.
func TestUnitsComeFirst(t *testing.T) {
	v := open(t, server.Config{}, 1280, 1000)
	v.drawn()
	if first := value[bool](v, `document.getElementById('unit-word').compareDocumentPosition(document.getElementById('mechanism')) === Node.DOCUMENT_POSITION_FOLLOWING`); !first {
		t.Error("the mechanism comes before the unit")
	}
	v.do(chromedp.Click(chromedp.CSS("#unit-corpus")))
	v.until("the command for a corpus", `document.getElementById('corpus-card').checkVisibility() && !document.getElementById('text-card').checkVisibility()`)
	if command := value[string](v, `document.getElementById('corpus-command').textContent`); !strings.HasPrefix(command, "sotto synthesize --epsilon 2 ") {
		t.Errorf("a corpus is copied by %q", command)
	}
	v.do(chromedp.Click(chromedp.CSS("#unit-word")))
	v.drawn()
	if v.text("attack") == "" || value[int](v, `document.querySelectorAll('#exposed-words li').length`) != 5 {
		t.Errorf("the risk is %q", v.text("attack"))
	}
}

// A server with a list of words offers no whole texts, which it would refuse.
func TestAServerWithAListOffersNoWholeTexts(t *testing.T) {
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	first, err := english.First(300)
	if err != nil {
		t.Fatal(err)
	}
	list, err := embedding.ReadWordList(strings.NewReader("the"))
	if err != nil {
		t.Fatal(err)
	}
	cut, err := first.Without(list)
	if err != nil {
		t.Fatal(err)
	}
	v := open(t, server.Config{Tables: []*embedding.Table{cut}}, 1280, 1000)
	v.drawn()
	if value[bool](v, `document.getElementById('unit-text').checkVisibility()`) {
		t.Error("whole texts are offered")
	}
}

// The price of a draw is stated before its button.
func TestPriceComesBeforeTheButton(t *testing.T) {
	v := open(t, server.Config{Ledger: budgets(t, map[string]string{"alice": "500"})}, 1280, 1000)
	v.drawn()
	v.write("the doctor agreed")
	v.until("three words", `document.querySelectorAll('.word').length === 3`)
	v.until("a price", `document.getElementById('price').textContent === 'Price of a copy that may be published: epsilon 25.5.'`)
	v.pick("alice")
	v.until("what alice has", `document.getElementById('price').textContent === 'Price of a draw: epsilon 25.5 of alice, which has 500 left.'`)
	if !value[bool](v, `document.getElementById('price').compareDocumentPosition(document.getElementById('pay')) === Node.DOCUMENT_POSITION_FOLLOWING`) {
		t.Error("the price comes after the button")
	}
}
