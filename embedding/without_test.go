package embedding

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

func listOf(t *testing.T, words string) *WordList {
	t.Helper()
	l, err := ReadWordList(strings.NewReader(words))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func small(t *testing.T) *Table {
	t.Helper()
	table, err := New(Source{Name: "small", Dim: 2, Words: []string{"<unk>", "Cat", "dog", "kitten", "car", "van"},
		Vectors: []float32{0, 0, 10, 0, 11, 1, 10, 1, -10, 0, -10, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestWithoutLeavesWordsOutAndReadsThemAsTheNearest(t *testing.T) {
	whole := small(t)
	cut, err := whole.Without(listOf(t, "# comment\nCAT\n\nvan\nnowhere\nvan\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n := cut.Never(); cut.Len() != 4 || *n != (Never{Words: 3, LeftOut: 2, Of: 6, SHA256: listOf(t, "van\nnowhere\ncat").Digest()}) {
		t.Errorf("%d words, %+v", cut.Len(), n)
	}
	if cut.Word(cut.Unknown()) != "<unk>" {
		t.Error("another unknown entry")
	}
	for word, as := range map[string]string{"Cat": "kitten", "van": "car", "dog": "dog", "kitten": "kitten"} {
		id, ok := cut.Lookup(word)
		if !ok || cut.Word(id) != as || cut.Listed(word) != (word != as) {
			t.Errorf("%s is read as %q", word, cut.Word(id))
		}
		w, _ := whole.Lookup(as)
		if a, b := cut.Vector(nil, id), whole.Vector(nil, w); a[0] != b[0] || a[1] != b[1] {
			t.Errorf("%s has the vector %v, want %v", word, a, b)
		}
	}
	if _, ok := cut.Lookup("nowhere"); ok || cut.Listed("nowhere") {
		t.Error("a word that the table lacks is read")
	}
	// Additive members take the nearest word: never one that was left out.
	out := make([]ID, 2)
	cut.Nearest(out, []float32{10, 0, -10, 1})
	if cut.Word(out[0]) != "kitten" || cut.Word(out[1]) != "car" {
		t.Errorf("nearest: %s and %s", cut.Word(out[0]), cut.Word(out[1]))
	}
	if d := cut.Diameter(); math.IsNaN(d) || d <= 0 {
		t.Errorf("diameter %g", d)
	}
}

// The digest covers what was left out and what it is read as, and no more.
func TestDigestCoversWhatWasLeftOut(t *testing.T) {
	whole := small(t)
	seen := map[string]string{"": whole.Digest()}
	for _, list := range []string{"cat", "van", "cat\nvan"} {
		cut, err := whole.Without(listOf(t, list))
		if err != nil {
			t.Fatal(err)
		}
		for other, digest := range seen {
			if digest == cut.Digest() {
				t.Errorf("lists %q and %q give one digest", other, list)
			}
		}
		seen[list] = cut.Digest()
	}
	// The same words without the reading of the others are another table.
	plain, err := New(Source{Dim: 2, Words: []string{"<unk>", "dog", "kitten", "car", "van"}, Vectors: []float32{0, 0, 11, 1, 10, 1, -10, 0, -10, 1}})
	if err != nil || plain.Digest() == seen["cat"] {
		t.Errorf("the digest does not cover what a word is read as (%v)", err)
	}
	again, err := whole.Without(listOf(t, "VAN\n#\nCat\ncat\nnowhere"))
	if err != nil || again.Digest() != seen["cat\nvan"] {
		t.Errorf("the digest depends on more than what was left out (%v)", err)
	}
}

func TestListsAreChecked(t *testing.T) {
	for list, want := range map[string]string{
		"":                        "no word",
		"# only this\n":           "no word",
		"two words\n":             "line 1 has several words",
		"a\n\xff\n":               "line 2 is not UTF-8",
		strings.Repeat("a", 2000): "a line has more than 1024 bytes",
		"a\nb\tc\n":               "line 2 has several words",
		"a\n\ufeffb\n":            "line 2 has a control or format character", // of a second file
		"a\n\ufeff#b\n":           "line 2 has a control or format character",
		"\ufeff\ufeffa\n":         "line 1 has a control or format character",
		"a\nb\u200bc\n":           "line 2 has a control or format character",
		"a\n\nb\x1bc\n":           "line 3 has a control or format character",
		"\ufeff":                  "no word",
	} {
		if _, err := ReadWordList(strings.NewReader(list)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", list, err)
		}
	}
	for list, want := range map[string]string{"<UNK>": "entry for unknown words", "cat\ndog\nkitten\ncar\nvan": "leaves 1 of 6"} {
		if _, err := small(t).Without(listOf(t, list)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", list, err)
		}
	}
}

// What a word is read as would be lost where a table is cut, thinned or written.
func TestTableWithoutWordsStaysWhole(t *testing.T) {
	cut, err := small(t).Without(listOf(t, "cat"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cut.First(3); err == nil {
		t.Error("the table was cut")
	}
	if same, err := cut.First(cut.Len()); err != nil || same != cut {
		t.Errorf("the whole table: %v", err)
	}
	if _, err := cut.Every(2); err == nil {
		t.Error("the table was thinned")
	}
	if _, err := cut.Without(listOf(t, "van")); err == nil {
		t.Error("words were left out twice")
	}
	if err := WriteFile(filepath.Join(t.TempDir(), "x.table"), cut); err == nil {
		t.Error("the table was written")
	}
	if bytes.Contains([]byte(errCut.Error()), []byte("cat")) {
		t.Error("the error has a word")
	}
}

// A byte order mark belongs to the file, not to its first word or comment.
func TestListsMayBeginWithAByteOrderMark(t *testing.T) {
	for _, list := range []string{"cat\nvan\n", "# comment\ncat\nvan\n", "\r\ncat\r\nvan"} {
		marked := listOf(t, "\ufeff"+list)
		if marked.Digest() != listOf(t, list).Digest() || !marked.has("cat") || len(marked.words) != 2 {
			t.Errorf("%q: %q are listed", list, marked.words)
		}
	}
}

// A table knows its list, also the words that it never had.
func TestTableForbidsItsList(t *testing.T) {
	whole := small(t)
	cut, err := whole.Without(listOf(t, "cat\nnowhere\ncaf\u00e9"))
	if err != nil {
		t.Fatal(err)
	}
	for word, forbidden := range map[string]bool{"cat": true, "CAT": true, "Nowhere": true, "cafe\u0301": true, "dog": false, "": false, "<unk>": false} {
		if cut.Forbids(word) != forbidden || whole.Forbids(word) {
			t.Errorf("%q: %t and, without a list, %t", word, cut.Forbids(word), whole.Forbids(word))
		}
	}
}
