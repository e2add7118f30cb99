package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/progress"
)

func tableOf(t testing.TB) *embedding.Table {
	t.Helper()
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// sample returns texts of four topics, made from words of the embedded table.
func sample(n int) (texts []string) {
	topics := []string{
		"order delivery parcel late shop refund customer money price box arrived broken return",
		"doctor hospital patient illness pain medicine heart blood treatment surgery nurse health",
		"team game match player season coach goal win league cup score football",
		"software computer network server file program data internet code system user error",
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		words := strings.Fields(topics[i%len(topics)])
		var t []string
		for range 5 + r.IntN(10) {
			t = append(t, words[r.IntN(len(words))])
			if r.IntN(3) == 0 {
				t = append(t, []string{"the", "a", "was", "my", "of", "not"}[r.IntN(6)])
			}
		}
		texts = append(texts, strings.Join(t, " ")+".")
	}
	return texts
}

func build(t testing.TB, texts []string, o Options) *Corpus {
	t.Helper()
	if o.Name == "" {
		o.Name = "test"
	}
	b, err := NewBuilder(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if err := b.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fileOf returns the bytes that WriteFile writes.
func fileOf(t testing.TB, c *Corpus) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.corpus")
	if err := c.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func encoder(t testing.TB, c *Corpus) *Encoder {
	t.Helper()
	e, err := c.Encoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func nearestOf(t testing.TB, c *Corpus, vectors []int8, k int) []uint32 {
	t.Helper()
	set, err := c.Nearest(nil, vectors, k)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestFileIsTheCorpusThatWasBuilt(t *testing.T) {
	texts := sample(300)
	for _, kind := range Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			built := build(t, texts, Options{Encoder: kind, Table: tableOf(t), Public: true})
			path := filepath.Join(t.TempDir(), "test.corpus")
			if err := built.WriteFile(path); err != nil {
				t.Fatal(err)
			}
			opened, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if opened.Digest() != built.Digest() || len(built.Digest()) != 64 {
				t.Errorf("digest %s became %s", built.Digest(), opened.Digest())
			}
			if !opened.Declared() || opened.Name() != "test" || opened.Card().Encoder.Kind != kind {
				t.Errorf("the card became %+v", opened.Card())
			}
			if opened.Len() != built.Len() || opened.Len() == 0 {
				t.Fatalf("%d texts became %d", built.Len(), opened.Len())
			}
			one, other := encoder(t, built), encoder(t, opened)
			for i := range built.Len() {
				if built.Text(i) != opened.Text(i) || string(opened.AppendText(nil, i)) != built.Text(i) {
					t.Fatalf("text %d became %q", i, opened.Text(i))
				}
				v := one.Encode(nil, []byte(built.Text(i)))
				if !slices.Equal(v, other.Encode(nil, []byte(built.Text(i)))) || !slices.Equal(v, opened.Vector(nil, i)) {
					t.Fatalf("text %d has several vectors", i)
				}
			}
			v := one.Encode(nil, []byte("my parcel was broken"))
			if !slices.Equal(nearestOf(t, built, v, 20), nearestOf(t, opened, v, 20)) {
				t.Error("the nearest texts differ")
			}
			found, err := opened.Search(v, 10)
			if err != nil {
				t.Fatal(err)
			}
			shopping := 0
			for _, m := range found {
				if strings.Contains(opened.Text(m.Index), "parcel") || strings.Contains(opened.Text(m.Index), "broken") {
					shopping++
				}
			}
			if shopping < 8 || found[0].Similarity < found[9].Similarity || found[0].Similarity > 1.02 {
				t.Errorf("%d of the ten nearest texts are of the topic: %v", shopping, found)
			}
		})
	}
}

// golden is the digest of a small corpus. It must not depend on the machine: a new
// value is a new encoderVersion.
const golden = "951699f08210b5694ada7cc24310f115ebc5a5bf280e5a933cb02bef83692787"

func TestSameBytesEverywhere(t *testing.T) {
	texts := sample(400)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := build(t, texts, Options{Table: tableOf(t)})
	if one.Digest() != golden {
		t.Errorf("digest %s, want %s", one.Digest(), golden)
	}
	runtime.GOMAXPROCS(5)
	if many := build(t, texts, Options{Table: tableOf(t)}); !bytes.Equal(fileOf(t, one), fileOf(t, many)) {
		t.Error("five processors make another file than one")
	}
}

// hostile are inputs that must have k texts as any other.
func hostile() map[string][]byte {
	r := rand.New(rand.NewPCG(5, 5))
	random := make([]byte, 5000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	return map[string][]byte{
		"empty": nil, "space": []byte(" \t\n"), "zero": {0}, "signs": []byte("!!! ??? ..."),
		"Chinese": []byte("我的订单还没有到，也没有人接电话。"), "Arabic": []byte("لم يصل طلبي بعد"), "random": random,
		"cut": []byte("parcel \xe2\x82"), "one word": []byte("parcel"), "unknown": []byte("qwrtzpsdfg xkcdqq"),
		"long word": bytes.Repeat([]byte("a"), 100_000), "huge": bytes.Repeat([]byte("my parcel was broken "), 1<<19),
	}
}

func TestEveryInputHasExactlyKTexts(t *testing.T) {
	stage.Unraced(t)
	for _, kind := range Kinds() {
		c := build(t, sample(200), Options{Encoder: kind, Table: tableOf(t)})
		e := encoder(t, c)
		for name, input := range hostile() {
			v := e.Encode(nil, input)
			if len(v) != c.Dim() {
				t.Fatalf("%s, %s: %d components", kind, name, len(v))
			}
			for _, k := range []int{1, 7, c.Len() - 1, c.Len()} {
				set := nearestOf(t, c, v, k)
				if len(set) != k || !slices.IsSorted(set) || len(slices.Compact(slices.Clone(set))) != k || int(set[k-1]) >= c.Len() {
					t.Errorf("%s, %s, k=%d: %v", kind, name, k, set)
				}
			}
			if name == "empty" || name == "signs" && kind == LSA {
				for i, at := range nearestOf(t, c, v, 9) {
					if at != uint32(i) {
						t.Errorf("%s: a text without a vector has other texts than the first", kind)
					}
				}
			}
		}
	}
}

func TestSetDoesNotDependOnTheBatch(t *testing.T) {
	c := build(t, sample(500), Options{Table: tableOf(t)})
	e := encoder(t, c)
	var inputs [][]byte
	for _, text := range sample(60) {
		inputs = append(inputs, []byte(text))
	}
	for _, name := range []string{"empty", "random", "Chinese", "cut"} {
		inputs = append(inputs, hostile()[name])
	}
	var vectors []int8
	for _, input := range inputs {
		vectors = e.Encode(vectors, input)
	}
	const k = 31
	all := nearestOf(t, c, vectors, k)
	for i := range slices.Backward(inputs) { // the encoder keeps no state either
		alone := nearestOf(t, c, e.Encode(nil, inputs[i]), k)
		if !slices.Equal(alone, all[i*k:(i+1)*k]) {
			t.Errorf("input %d has another set alone than in a batch", i)
		}
	}
}

func TestEncoderIsSafeForConcurrentUse(t *testing.T) {
	c := build(t, sample(200), Options{Table: tableOf(t)})
	e := encoder(t, c)
	texts := sample(50)
	want := make([][]int8, len(texts))
	for i, text := range texts {
		want[i] = e.Encode(nil, []byte(text))
	}
	done := make(chan error)
	for range 4 {
		go func() {
			for i, text := range texts {
				if !slices.Equal(e.Encode(nil, []byte(text)), want[i]) {
					done <- fmt.Errorf("text %d has another vector", i)
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestDuplicatesAreLeftOutAndCounted(t *testing.T) {
	base := "the parcel that I ordered from the shop two weeks ago has still not arrived at my house"
	texts := []string{
		base, base, "  " + strings.ReplaceAll(base, " ", "  ") + "\n", // equal except for white space
		strings.ToUpper(base) + "!", // equal except for case and punctuation
		strings.Replace(base, "house", "home", 1),
		"", " ", "a doctor came to see the patient in the evening", strings.Repeat("word ", 60),
	}
	c := build(t, texts, Options{Encoder: LSA, MaxChars: 200, Public: true})
	want := Source{Records: 9, Candidates: 9, Empty: 2, Long: 1, Duplicates: 2, Similar: 2}
	if c.Card().Source != want || c.Len() != 2 {
		t.Errorf("%d texts of %+v, want 2 of %+v", c.Len(), c.Card().Source, want)
	}
	if c = build(t, texts, Options{Encoder: LSA, MaxChars: 200, Similar: 1}); c.Len() != 3 {
		t.Errorf("%d texts that are not equal, want 3", c.Len())
	}
}

// A text of a corpus is one line that is safe to show on a terminal, whatever the record
// was.
func TestEveryTextIsOneLine(t *testing.T) {
	records := []string{"one\ntwo", "three\x00four", "a\r\nb\tc", "\x1b[31mred", "bell\x07", "x\u2028y\u0085z\u00a0w", "\x00\x7f"}
	c := build(t, records, Options{Encoder: LSA, Similar: 1})
	want := []string{"one two", "three four", "a b c", "[31mred", "bell", "x y z w"}
	for i := range c.Len() {
		if i >= len(want) || c.Text(i) != want[i] {
			t.Errorf("text %d is %q", i, c.Text(i))
		}
	}
	if c.Len() != len(want) || c.Card().Source.Empty != 1 {
		t.Errorf("%d texts, %d empty", c.Len(), c.Card().Source.Empty)
	}
	if _, err := parse(fileOf(t, c)); err != nil {
		t.Error(err)
	}
	english, err := English()
	if err != nil {
		t.Fatal(err)
	}
	if err := english.checkTexts(); err != nil {
		t.Errorf("the embedded corpus: %v", err)
	}
}

func TestRecordsAreCutIntoSentences(t *testing.T) {
	c := build(t, []string{"My order is late. Nobody answers!  Can you\nhelp me?", "", "One more sentence"}, Options{Encoder: SIF, Table: tableOf(t), Sentences: true})
	var got []string
	for i := range c.Len() {
		got = append(got, c.Text(i))
	}
	want := []string{"My order is late.", "Nobody answers!", "Can you help me?", "One more sentence"}
	if !slices.Equal(got, want) {
		t.Errorf("sentences %q, want %q", got, want)
	}
	if s := c.Card().Source; s.Records != 3 || s.Candidates != 5 || s.Empty != 1 {
		t.Errorf("counts %+v", s)
	}
}

func TestBadOptionsAndTexts(t *testing.T) {
	table := tableOf(t)
	vectors := func([]float64, int) error { return nil }
	for _, c := range []struct {
		o    Options
		says string
	}{
		{Options{Name: "", Table: table}, "name"},
		{Options{Name: "a/b", Table: table}, "name"},
		{Options{Name: "x"}, "needs a table"},
		{Options{Name: "x", Encoder: "tfidf", Table: table}, "encoder"},
		{Options{Name: "x", Encoder: Brought}, "encoder"},
		{Options{Name: "x", Encoder: SIF, Table: table, Vectors: vectors}, "encoder"},
		{Options{Name: "x", Vectors: vectors, Dimensions: MaxDim + 1}, "dimensions"},
		{Options{Name: "x", Vectors: vectors, Dimensions: 2, Sentences: true}, "sentences"},
		{Options{Name: "x", Table: table, MaxChars: -1}, "characters"},
		{Options{Name: "x", Table: table, Similar: 1.5}, "similarity"},
		{Options{Name: "x", Table: table, Clusters: -2}, "clusters"},
	} {
		if _, err := NewBuilder(c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one of %q", c.o, err, c.says)
		}
	}
	b, err := NewBuilder(Options{Name: "x", Encoder: LSA})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add([]byte("caf\xe9")); err == nil || !strings.Contains(err.Error(), "record 1") {
		t.Errorf("a record in Latin-1: %v", err)
	}
	if _, err := b.Build(context.Background()); err == nil || !strings.Contains(err.Error(), "no texts") {
		t.Errorf("no texts: %v", err)
	}
}

func TestBuildCanBeCancelled(t *testing.T) {
	for _, what := range []string{"comparing texts", "fitting the encoder", "encoding texts", "finding clusters"} {
		ctx, cancel := context.WithCancel(context.Background())
		b, err := NewBuilder(Options{Name: "x", Table: tableOf(t), Progress: func(r progress.Report) {
			if r.Stage == what {
				cancel()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range sample(600) {
			if err := b.Add([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Build(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled while %s: %v", what, err)
		}
	}
}

func TestSmallCorporaWork(t *testing.T) {
	for _, kind := range Kinds() {
		for _, texts := range [][]string{{"one"}, {"a cat", "a dog", "the sea"}, {"???", "!!!"}} {
			if kind == LSA && texts[0] == "???" {
				continue // no words: an error, tested below
			}
			c := build(t, texts, Options{Encoder: kind, Table: tableOf(t)})
			if c.Len() != len(texts) {
				t.Fatalf("%d texts", c.Len())
			}
			e := encoder(t, c)
			if set := nearestOf(t, c, e.Encode(nil, []byte("the dog")), c.Len()); len(set) != c.Len() {
				t.Errorf("%s, %d texts: %v", kind, len(texts), set)
			}
			if _, err := parse(fileOf(t, c)); err != nil {
				t.Errorf("%s, %q: %v", kind, texts, err)
			}
		}
	}
	b, err := NewBuilder(Options{Name: "x", Encoder: LSA})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add([]byte("???")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(context.Background()); err == nil {
		t.Error("an encoder was fitted on no words")
	}
}

func TestTableMustBeTheOneOfTheEncoder(t *testing.T) {
	c := build(t, sample(50), Options{Encoder: SIF, Table: tableOf(t)})
	opened, err := parse(fileOf(t, c))
	if err != nil {
		t.Fatal(err)
	}
	other, err := tableOf(t).First(1000)
	if err != nil {
		t.Fatal(err)
	}
	var fault *TableError
	if _, err := opened.Encoder(other); !errors.As(err, &fault) || fault.Given == "" {
		t.Errorf("another table: %v", err)
	}
	if _, err := opened.Encoder(nil); err != nil {
		t.Error(err)
	}
	if _, err := opened.Encoder(other); !errors.As(err, &fault) {
		t.Errorf("another table later: %v", err)
	}
	t.Setenv("SOTTO_HOME", t.TempDir())
	cut := build(t, sample(50), Options{Encoder: SIF, Table: other})
	if cut, err = parse(fileOf(t, cut)); err != nil {
		t.Fatal(err)
	}
	if _, err := cut.Encoder(nil); !errors.As(err, &fault) || fault.SHA256 != other.Digest() {
		t.Errorf("a table that is not at hand: %v", err)
	}
	if _, err := cut.Encoder(other); err != nil {
		t.Error(err)
	}
}

func TestLibraryIsSearchedByName(t *testing.T) {
	home := t.TempDir()
	t.Setenv("SOTTO_HOME", home)
	if names, err := List(); err != nil || len(names) != 0 {
		t.Errorf("an empty library has %v (%v)", names, err)
	}
	dir, err := Library()
	if err != nil || dir != filepath.Join(home, "corpora") {
		t.Fatalf("library %s (%v)", dir, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c := build(t, sample(20), Options{Name: "mine", Encoder: SIF, Table: tableOf(t)})
	if err := c.WriteFile(filepath.Join(dir, "mine"+Extension)); err != nil {
		t.Fatal(err)
	}
	if names, err := List(); err != nil || !slices.Equal(names, []string{"mine"}) {
		t.Errorf("the library has %v (%v)", names, err)
	}
	found, err := Find("mine")
	if err != nil || found.Digest() != c.Digest() {
		t.Errorf("found %v (%v)", found, err)
	}
	if _, err := Find("yours"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a name that there is not: %v", err)
	}
}
