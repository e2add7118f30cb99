package browser

import (
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

// The picture of the README: scripts/picture keeps its upper part. Nobody wrote this
// text.
func TestPictureOfTheReadme(t *testing.T) {
	v := open(t, server.Config{}, 1200, 700)
	v.drawn()
	v.write("My order 12345 has not arrived and nobody answers the phone.")
	v.until("the words that were typed", `[...document.querySelectorAll('.word .was')].some(e => e.textContent === 'phone')`)
	v.drawn()
	v.shoot("readme")
}
