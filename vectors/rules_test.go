package vectors

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding/segment"
)

func TestRulesFitTheCorpus(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*Options)
		text     string
		kind     segment.Kind
		language string
	}{
		{"English", nil, "the doctor is late and the nurse too", segment.English, "en"},
		{"German", nil, "der Arzt kommt zu spät und die Schwester auch", segment.Words, ""},
		{"Chinese", nil, "人人生而自由人人生而自由 the", segment.Pieces, ""},
		{"Thai", nil, "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน มนุษย์ทั้งหลาย", segment.Pieces, ""},
		{"English by words", func(o *Options) { o.Segmentation = segment.Words }, "the doctor is late", segment.Words, ""},
		{"English by its language", func(o *Options) { o.Language = "en" }, "der Arzt kommt zu spät", segment.English, "en"},
		{"Turkish", func(o *Options) { o.Language = "tr" }, "bütün insanlar hür the the", segment.Words, "tr"},
	} {
		o := options(t)
		o.Least = 1
		if c.change != nil {
			c.change(&o)
		}
		trained, err := Train(t.Context(), corpusOf(c.text, c.text), o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r := trained.Table.Segmentation(); r.Kind() != c.kind || r.Language() != c.language {
			t.Errorf("%s: rules %s of language %q, want %s of %q", c.name, r.Kind(), r.Language(), c.kind, c.language)
		}
		if counts := trained.Table.Counts(); len(counts) != trained.Table.Len() || !slices.IsSortedFunc(counts, func(a, b int64) int { return int(b - a) }) {
			t.Errorf("%s: counts %v", c.name, counts)
		}
	}
}

// Words of a made-up language without spaces are found as pieces.
func TestPiecesAreTheWordsOfTheText(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	letters := []rune("的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年")
	words := map[string]bool{}
	var list []string
	for len(list) < 60 {
		w := string([]rune{letters[rng.IntN(30)], letters[rng.IntN(30)], letters[rng.IntN(30)]}[:2+rng.IntN(2)])
		if !words[w] {
			words[w] = true
			list = append(list, w)
		}
	}
	var texts []string
	for range 3000 {
		var b strings.Builder
		for range 8 {
			b.WriteString(list[rng.IntN(len(list))])
		}
		texts = append(texts, b.String())
	}
	o := options(t)
	o.Words = 400
	o.Counts = filepath.Join(t.TempDir(), "kept")
	trained, err := Train(t.Context(), corpusOf(texts...), o)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, w := range list {
		if _, ok := trained.Table.Lookup(w); ok {
			found++
		}
	}
	if found < 50 { // the sequences are fixed: this is no draw
		t.Errorf("%d of %d words are pieces", found, len(list))
	}
	again, err := Train(t.Context(), corpusOf(texts...), o)
	if err != nil || again.Table.Digest() != trained.Table.Digest() {
		t.Errorf("the kept counts give another table, %v", err)
	}
	o.Segmentation = segment.Words
	if _, err := Train(t.Context(), corpusOf(texts...), o); err == nil || !strings.Contains(err.Error(), "rules pieces") {
		t.Errorf("counts of other rules: %v", err)
	}
}

// A letter that occurs once is a piece, also where all of it is in longer pieces: a text of
// the corpus's letters has no unknown word.
func TestEveryLetterOfTheCorpusIsAPiece(t *testing.T) {
	texts := []string{"今天天气很好我们去公园", "他昨天没有来上班", "这本书非常有意思", "我喜欢喝绿茶和咖啡", "请问火车站怎么走", "咖啡咖啡", "咖啡和咖啡"}
	for _, least := range []int{2, 5} {
		o := options(t)
		o.Language, o.Least, o.Dimensions = "zh", least, 2
		trained, err := Train(t.Context(), corpusOf(texts...), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range strings.Join(texts, "") {
			if _, ok := trained.Table.Lookup(string(r)); !ok {
				t.Errorf("at least %d times: %c is no piece", least, r)
			}
		}
	}
}

func TestFormsAreTheSpellingsInsideSentences(t *testing.T) {
	o := options(t)
	o.Least, o.Language = 1, "de"
	trained, err := Train(t.Context(), corpusOf("Das Haus ist alt. Das alte Haus steht. Haus und Hof", "Der Weg ist weg. Weg ist weg"), o)
	if err != nil {
		t.Fatal(err)
	}
	rules := trained.Table.Segmentation()
	for word, want := range map[string]string{"das": "das", "haus": "Haus", "hof": "Hof", "weg": "weg", "alt": "alt"} {
		if got := rules.Form(word); got != want {
			t.Errorf("%s is written %s, want %s", word, got, want)
		}
	}
	if _, ok := trained.Table.Lookup("Haus"); ok {
		t.Error("the table has a word in upper case")
	}
}
