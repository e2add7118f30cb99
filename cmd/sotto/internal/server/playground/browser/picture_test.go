package browser

import (
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/corpus"
)

// The picture of the README, as the page opens on a terminal: scripts/picture keeps its
// upper part. Nobody wrote this text.
func TestPictureOfTheReadme(t *testing.T) {
	english, err := corpus.Find(corpus.EnglishName)
	if err != nil {
		t.Fatal(err)
	}
	support, err := corpus.Find("support")
	if err != nil {
		t.Fatal(err)
	}
	v := openAt(t, server.Config{Corpora: []*corpus.Corpus{english, support}}, "/", 1200, 700)
	v.set()
	if v.write("My order 12345 has not arrived and nobody answers the phone."); value[string](v, `document.getElementById('corpus').value`) != "support" {
		t.Error("the page does not begin with the corpus of a field")
	}
	v.set()
	v.shoot("readme")
}
