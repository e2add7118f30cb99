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

// Never returns a short list of words of the embedded table that should not be output:
// remains of markup, and slurs. It is used only on request.
var Never = sync.OnceValues(func() (*embedding.WordList, error) {
	return embedding.ReadWordList(strings.NewReader(never))
})
