package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/vectors"
)

// tableOf trains a table on the Universal Declaration of Human Rights in a language.
func tableOf(t *testing.T, language string) *embedding.Table {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "..", "..", "testdata", "declaration", language+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	trained, err := vectors.Train(t.Context(), func(yield func([]byte, error) bool) { yield(data, nil) }, vectors.Options{
		Name: language, Language: language, Dimensions: 20, Least: 1, SameLength: true, Temporary: filepath.Join(t.TempDir(), "t"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return trained.Table
}

// The words of a text are in the order of its script, in the field and in the copy.
func TestWordsAreInTheDirectionOfTheirScript(t *testing.T) {
	for _, c := range []struct{ language, text, between, direction string }{
		{"ar", "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق", " ", "rtl"},
		{"zh", "人人有权享有生命、自由和人身安全。", "", "ltr"},
		{"ru", "все люди рождаются свободными", " ", "ltr"},
	} {
		v := open(t, server.Config{Tables: []*embedding.Table{tableOf(t, c.language)}}, 1200, 1600)
		v.drawn()
		v.write(c.text)
		v.until("the words that were typed", `[...document.querySelectorAll('.word .was')].map(e => e.textContent).join('`+c.between+`') === '`+c.text+`'`)
		v.drawn()
		named := map[bool]string{false: "words", true: "pieces"}[c.between == ""] // of the table
		for _, id := range []string{"exposed-title", "unchanged-label", "promise"} {
			if got := value[string](v, `document.getElementById('`+id+`').textContent`); !strings.Contains(got, named) {
				t.Errorf("%s: %s reads %q, want %s in it", c.language, id, got, named)
			}
		}
		for _, id := range []string{"text", "words"} {
			if got := value[string](v, `getComputedStyle(document.getElementById('`+id+`')).direction`); got != c.direction {
				t.Errorf("%s: the direction of %s is %s, want %s", c.language, id, got, c.direction)
			}
		}
		for _, places := range []string{"#text", ".word .now", ".word:not(.unknown) .was", "#bars .itself .name", "#exposed-words .name"} {
			if got := value[[]string](v, `[...new Set([...document.querySelectorAll('`+places+`')].map(e => e.lang))]`); len(got) > 1 || len(got) == 1 && got[0] != c.language {
				t.Errorf("%s: the language of %s is %q", c.language, places, got)
			}
		}
		at := func() int {
			return value[int](v, `[...document.querySelectorAll('.word')].indexOf(document.activeElement)`)
		}
		left := func() float64 { return value[float64](v, `document.activeElement.getBoundingClientRect().left`) }
		v.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('.word')[1].focus()`))
		from := left()
		v.do(chromedp.KeyEvent(kb.ArrowRight))
		if left() <= from || at() != map[string]int{"rtl": 0, "ltr": 2}[c.direction] {
			t.Errorf("%s: the arrow to the right leads to word %d, from %g to %g", c.language, at(), from, left())
		}
		v.do(chromedp.KeyEvent(kb.ArrowLeft))
		if left() != from || at() != 1 {
			t.Errorf("%s: the arrow to the left leads to word %d", c.language, at())
		}
		v.shoot(c.language)
	}
}
