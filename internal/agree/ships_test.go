package agree_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/typed"
)

// The verifier needs no file for what ships with the program: it has the digests of every
// corpus with a name and of every codebook of marks.
func TestVerifierKnowsWhatShips(t *testing.T) {
	data, err := os.ReadFile("../../verify/sotto_verify.py")
	if err != nil {
		t.Fatal(err)
	}
	verifier := strings.Fields(string(data))
	has := func(what, begins, ends string) {
		for _, word := range verifier {
			if strings.HasPrefix(word, begins) && strings.HasSuffix(word, ends) {
				return
			}
		}
		t.Errorf("verify/sotto_verify.py lacks %s: %s", what, begins+ends)
	}
	for _, name := range typed.Codebooks() {
		c, _ := typed.Embedded(name)
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", name, c.Len(), c.Digest()))
		has("the codebook "+name, hex.EncodeToString(sum[:10]), "")
	}
	for _, b := range corpus.Builtins() {
		has("the corpus "+b.Name, fmt.Sprintf("%s:%d:", b.Name, b.Texts), ":"+b.SHA256)
	}
	if len(typed.Codebooks()) < 30 || len(corpus.Builtins()) < 8 {
		t.Errorf("%d codebooks and %d corpora ship", len(typed.Codebooks()), len(corpus.Builtins()))
	}
}
