package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

// The page opens on a whole text, with the text and its copy on the first screen of a phone
// and the options folded.
func TestThePageOpensOnAWholeText(t *testing.T) {
	v := openAt(t, server.Config{}, "/", 360, 740)
	v.set()
	if top := value[float64](v, `document.getElementById('text').getBoundingClientRect().top`); top > 370 {
		t.Errorf("the text box begins at %g pixels of 740", top)
	}
	if top := value[float64](v, `document.getElementById('stand-in').getBoundingClientRect().top`); top > 740 {
		t.Errorf("the copy begins at %g pixels of 740", top)
	}
	if value[bool](v, `document.getElementById('objective').checkVisibility() || document.getElementById('private').getBoundingClientRect().top > document.getElementById('controls').getBoundingClientRect().top`) {
		t.Error("the options are unfolded, or come before the copy")
	}
}

// A CSV file comes in, and a private one with its columns goes out.
func TestATableIsCopied(t *testing.T) {
	public := publicTexts(t)
	dir := t.TempDir()
	give := func(v *visit, name, data string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		v.do(chromedp.SetUploadFiles(chromedp.CSS("#csv"), []string{path}))
	}
	v := openAt(t, server.Config{}, "/#corpus", 1280, 1000)
	v.until("the form", `document.getElementById('csv').checkVisibility()`)
	give(v, "open.csv", "topic,text\norder,\"never closed\n")
	v.until("what is wrong", `document.getElementById('csv-problem').textContent === 'Line 2: a quote is opened and not closed.'`)
	give(v, "short.csv", "topic,text\norder,one,two\n")
	v.until("what is wrong", `document.getElementById('csv-problem').textContent === 'Line 2: 3 fields, and the header has 2.'`)
	give(v, "many.csv", "topic,text\n"+strings.Repeat("order,\"my \"\"parcel\"\", it\nis late\"\naccount,I cannot log in\n", 300))
	v.until("the columns", `document.getElementById('csv-choices').checkVisibility() && document.getElementById('csv-text').selectedOptions[0].text === 'text'`)
	v.pickIn("csv-by", "0")
	v.do(chromedp.SendKeys(chromedp.CSS("#csv-labels"), "order, account"))
	v.do(chromedp.Click(chromedp.CSS("#csv-make")))
	v.until("the copy", `document.getElementById('csv-save').checkVisibility()`)
	rows := value[[][]string](v, `[...document.querySelectorAll('#csv-rows tr')].map(r => [...r.children].map(c => c.textContent))`)
	if len(rows) != 9 || strings.Join(rows[0], " ") != "topic text" {
		t.Fatalf("the copy begins with %q", rows)
	}
	for _, r := range rows[1:] {
		if r[0] != "order" && r[0] != "account" || !public[r[1]] {
			t.Errorf("%q is no label with a public text", r)
		}
	}
	if command := value[string](v, `document.getElementById('corpus-command').textContent`); !strings.Contains(command, "--field text --by topic --labels 'order,account'") {
		t.Errorf("the command is %q", command)
	}
	give(v, "other.csv", "id;topic;a, text\n1;order;my parcel\n")
	v.until("the other columns", `document.getElementById('csv-text').options[2]?.text === 'a, text'`)
	v.pickIn("csv-text", "1")
	v.pickIn("csv-by", "2")
	if command := value[string](v, `document.getElementById('corpus-command').textContent`); !strings.Contains(command, `--field topic --by 'a\, text' --labels`) || !strings.Contains(command, " --delimiter ';' tickets.csv ") {
		t.Errorf("the command of a table with semicolons is %q", command)
	}
	give(v, "tabs.csv", "topic\ttext\norder\tmy parcel\n")
	v.until("the command of a table with tabs", `document.getElementById('corpus-command').textContent.includes(' --delimiter tab tickets.csv ')`)
	if strings.Contains(v.log.String(), "parcel") {
		t.Error("the log holds a record")
	}
}
