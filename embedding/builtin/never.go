package builtin

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
)

//go:embed never.txt
var never string

// NeverName names the list of [Never].
const NeverName = "default"

// Never returns a short list of words that should not come out of the embedded table:
// remains of markup, and slurs. Nothing uses it unless it is asked to.
var Never = sync.OnceValues(func() (*embedding.WordList, error) {
	return embedding.ReadWordList(strings.NewReader(never))
})
