package wordclass

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

func TestEveryLetterIsAClassAndEveryClassHasWords(t *testing.T) {
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	classes, err := English(table)
	if err != nil {
		t.Fatal(err)
	}
	const all = "?npvsgdactrPLGTNO.#oDIMSHEBCWXYZ"
	count := map[Class]int{}
	for x, c := range classes {
		if strings.IndexByte(all, byte(c)) < 0 {
			t.Errorf("%q has the class %q, which is none", table.Word(embedding.ID(x)), c)
		}
		count[c]++
	}
	for _, c := range []byte(all) {
		if count[Class(c)] < 2 {
			t.Errorf("class %q has %d words", c, count[Class(c)])
		}
	}
	// Most words have a class.
	if n := count[Unlisted]; n > table.Len()/5 {
		t.Errorf("%d of %d words are unlisted", n, table.Len())
	}
}

// A table with words from the embedded table and others.
func TestClassesAreFoundBySpelling(t *testing.T) {
	want := map[string]Class{
		"doctor": Noun, "dogs": Plural, "women": Plural, "say": Verb, "says": Third, "saying": Ing, "said": Past, "built": Past,
		"terrible": Adjective, "higher": Comparative, "happier": Comparative, "largest": Superlative, "quickly": Adverb,
		"clinton": Person, "boston": Place, "friday": Time, "nato": Group, "american": Origin, "israeli": Origin,
		"the": Determiner, "a": Determiner, "n't": Negation, "i": Subject, "them": Object, "himself": Reflexive, "their": Possessive,
		"nobody": Indefinite, "of": Preposition, "because": Conjunction, "who": Question, "were": Auxiliary, "should": Modal,
		"seven": Number, "2004": Number, "third": Ordinal, ",": Sign, "--": Sign, "qwertyish": Unlisted,
	}
	var words []string
	for w := range want {
		words = append(words, w)
	}
	table, err := embedding.New(embedding.Source{Words: words, Dim: 1, Vectors: make([]float32, len(words))})
	if err != nil {
		t.Fatal(err)
	}
	classes, err := English(table)
	if err != nil {
		t.Fatal(err)
	}
	for x, w := range words {
		if classes[x] != want[w] {
			t.Errorf("%q has the class %q, must have %q", w, classes[x], want[w])
		}
	}
}

func TestClosedWordsAreListedOnce(t *testing.T) {
	seen := map[string]Class{}
	for class, list := range closedWords {
		for _, w := range strings.Fields(list) {
			if other, again := seen[w]; again {
				t.Errorf("%q is in %q and %q", w, other, class)
			}
			seen[w] = class
		}
	}
}

func TestProvenanceNamesTheFile(t *testing.T) {
	note, err := os.ReadFile("PROVENANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(english))
	if digest := hex.EncodeToString(sum[:]); !strings.Contains(string(note), digest) {
		t.Errorf("PROVENANCE.md does not name the digest %s of english.classes", digest)
	}
}
