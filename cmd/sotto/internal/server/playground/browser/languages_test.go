package browser

import (
	"os"
	"path/filepath"
	"testing"

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
		for _, id := range []string{"text", "words"} {
			if got := value[string](v, `getComputedStyle(document.getElementById('`+id+`')).direction`); got != c.direction {
				t.Errorf("%s: the direction of %s is %s, want %s", c.language, id, got, c.direction)
			}
		}
		v.shoot(c.language)
	}
}
