package language_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

func named(t testing.TB, unknown string, words ...string) *embedding.Table {
	t.Helper()
	vectors := make([]float32, len(words))
	for i := range vectors {
		vectors[i] = float32(i)
	}
	table, err := embedding.New(embedding.Source{Name: "named", Words: words, Dim: 1, Vectors: vectors, Unknown: unknown})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// sums checks that the probabilities after some contexts, and with the empty one, sum to 1.
func sums(t *testing.T, m *language.Model, texts [][]embedding.ID) {
	t.Helper()
	check := func(s language.State) {
		sum := math.Exp(m.End(s))
		for w := range m.Vocabulary().Len() {
			logProb, _ := m.Next(s, embedding.ID(w))
			sum += math.Exp(logProb)
		}
		if math.Abs(sum-1) > 1e-6 { // KenLM writes seven digits
			t.Fatalf("the probabilities after state %d sum to %v", s, sum)
		}
	}
	check(m.Empty())
	for _, text := range texts {
		s := m.Start()
		check(s)
		for _, w := range text {
			_, s = m.Next(s, w)
			check(s)
		}
	}
}

// A third of the file's words are not in the table, and the table has words that are not in
// the file.
func TestARPAWordsOutsideTheTableAreUnknown(t *testing.T) {
	whole := tableOf(t, sentences(t, "learn.txt"))
	words := []string{"aardvark", "zygote"}
	outside := 0.0
	full := readARPA(t, kenlmFile(t), whole)
	for i := range whole.Len() {
		if word := whole.Word(embedding.ID(i)); i%3 != 1 {
			words = append(words, word)
		} else {
			logProb, _ := full.Next(full.Empty(), embedding.ID(i))
			outside += math.Exp(logProb)
		}
	}
	table := named(t, "", words...)
	m := readARPA(t, kenlmFile(t), table)
	texts := ids(table, append(sentences(t, "held.txt"), sentences(t, "learn.txt")...))
	sums(t, m, texts)
	unk, _ := full.Next(full.Empty(), whole.Unknown())
	got, _ := m.Next(m.Empty(), table.Unknown())
	near(t, "the unknown entry", math.Exp(got), outside+math.Exp(unk)/3, 1e-12)
	for _, word := range []string{"aardvark", "zygote"} {
		id, _ := table.Lookup(word)
		logProb, _ := m.Next(m.Empty(), id)
		near(t, "a word that the file lacks", math.Exp(logProb), math.Exp(unk)/3, 1e-12)
	}
	var b bytes.Buffer
	if err := m.WriteARPA(&b); err != nil {
		t.Fatal(err)
	}
	again := readARPA(t, b.Bytes(), table)
	for _, text := range texts {
		near(t, "a text's logarithm", again.Log(text), m.Log(text), 1e-14)
	}
}

// By hand: SRILM leaves out contexts that pruning made superfluous, and writes -99 for zero.
func TestARPAContextsThatAreMissing(t *testing.T) {
	const file = "made by hand\n\n\\data\\\nngram 1=5\nngram 2=2\nngram 3=1\n\n\\1-grams:\n" +
		"-99\t<s>\t-0.5\n-1 </s>\n-0.4 a -0.25\n-0.6\tb\t-0.125\n-2 <unk>\n" +
		"\n\\2-grams:\n-0.3 <s> a -0.2\n-0.7 a b\n\n\\3-grams:\n-0.1 <s> b a\n\n\\end\\\n"
	table := named(t, "", "a", "b", "<unk>")
	m := readARPA(t, []byte(file), table)
	for _, c := range []struct {
		text string
		want float64 // log10
	}{
		{"a b", -0.3 + -0.7 - 0.2 + -0.125 - 1}, // b after <s> a: by the weight of <s> a, and </s> after a b, which has none
		{"b a", (-0.5 - 0.6) + -0.1 + (-0.25 - 1)},
		{"b b", (-0.5 - 0.6) + (-0.125 - 0.6) + (-0.125 - 1)},
		{"zebra", (-0.5 - 2) + -1},
	} {
		got := m.Log(ids(table, []string{c.text})[0]) / math.Ln10
		near(t, c.text, got, c.want, 1e-12)
	}
	if n := m.Card().NGrams; !slices.Equal(n, []int{5, 3, 1}) {
		t.Errorf("n-grams: %v", n)
	}
}

func TestARPAFaultsAreOneLineEach(t *testing.T) {
	const good = "\\data\\\nngram 1=3\nngram 2=1\n\\1-grams:\n-1 <s> 0\n-1 </s>\n-1 a 0\n\\2-grams:\n-1 a a\n\\end\\\n"
	table := named(t, "", "a", "<unk>")
	readARPA(t, []byte(good), table)
	for _, c := range []struct{ old, new, want string }{
		{`\data\`, `data`, "neither a model nor an ARPA file"},
		{"ngram 2=1\n", "", "line 3: the model has order 1, must be 2 to 6"},
		{"ngram 2=1", "ngram 3=1", "line 3: the number of 2-grams is missing or invalid"},
		{"ngram 2=1", "ngram 2=-1", "line 3: the number of 2-grams"},
		{"ngram 2=1", "ngram 2=99999999999", "line 3: the number of 2-grams"},
		{"ngram 2=1", "ngram 2=1000000", "line 10: 1 2-grams, the file states 1000000"},
		{"ngram 2=1", "ngram 2=0", "line 9: more than the 0 2-grams"},
		{"ngram 2=1", "ngram 2=1\nngram 3=0\nngram 4=0\nngram 5=0\nngram 6=0\nngram 7=0", "line 8: the number of 7-grams is missing or invalid, or the order is above 6"},
		{`\2-grams:`, `\3-grams:`, "line 8: the 2-grams must begin here"},
		{`\end\`, `\3-grams:`, "line 10: the file must end here"},
		{"\\end\\\n", "", "line 10: the file is truncated"},
		{"-1 a a", "-1 a", "line 9: 2 fields, a 2-gram must have 3"},
		{"-1 a a", "-1 a a 0", "line 9: 4 fields"},
		{"-1 a a", "-1 a b", "line 9: word 2 of the n-gram is not among the unigrams"},
		{"-1 a a", "0.5 a a", "line 9: the first field must be a logarithm of at most 0"},
		{"-1 a a", "NaN a a", "line 9: the first field"},
		{"-1 a a", "x a a", "line 9: the first field"},
		{"-1 a a", "-1 </s> a", "line 9: <s> must be the first word and </s> the last"},
		{"-1 a a", "-1 a <s>", "line 9: <s> must be the first word and </s> the last"},
		{"-1 a 0", "-1 a inf", "line 7: the last field must be a logarithm"},
		{"-1 a 0", "-1 </s>", "line 7: a word is repeated"},
		{"ngram 2=1", "ngram 2=2", "the file states 2"},
		{"-1 a a", strings.Repeat("-", 1<<20), "line 9: longer than 1048576 bytes"},
	} {
		file := strings.Replace(good, c.old, c.new, 1)
		_, err := language.ReadARPA(context.Background(), strings.NewReader(file), table, true)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q in place of %q: %v, want %q", c.new[:min(40, len(c.new))], c.old, err, c.want)
		}
	}
	twice := strings.NewReplacer("ngram 2=1", "ngram 2=2", "-1 a a", "-1 a a\n-2 a a").Replace(good)
	if _, err := language.ReadARPA(context.Background(), strings.NewReader(twice), table, true); err == nil || !strings.Contains(err.Error(), "a 2-gram is repeated") {
		t.Error(err)
	}
	for _, word := range []string{"<s>", "</s>", "<unk>", "two words"} {
		table := named(t, "a", "a", "b", word)
		texts := func(yield func([]embedding.ID, error) bool) { yield([]embedding.ID{0, 1}, nil) }
		m, err := language.Train(context.Background(), table, texts, language.Options{Order: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.WriteARPA(io.Discard); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("word 3 of the vocabulary, %q", word)) {
			t.Errorf("%q: %v", word, err)
		}
	}
}

func FuzzReadARPA(f *testing.F) {
	f.Add(kenlmFile(f)[:2000])
	f.Add([]byte("\\data\\\nngram 1=3\nngram 2=1\n\\1-grams:\n-1 <s> 0\n-1 </s>\n-1 a 0\n\\2-grams:\n-1 a a\n\\end\\\n"))
	table := named(f, "", "a", "b", "the", "<unk>")
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := language.ReadARPA(context.Background(), bytes.NewReader(data), table, true)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %v", err)
			}
			return
		}
		if math.IsNaN(m.Log([]embedding.ID{0, 1, 2, 3, 0})) { // weights above 1 may make it positive
			t.Error("a text has no probability")
		}
		again, err := language.Read(context.Background(), m.Marshal())
		if err != nil || again.Digest() != m.Digest() {
			t.Errorf("the model read cannot be written: %v", err)
		}
	})
}
