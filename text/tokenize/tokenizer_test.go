package tokenize

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"pgregory.net/rapid"
)

// wordList is a vocabulary for tests.
type wordList []string

func (l wordList) Len() int                    { return len(l) }
func (l wordList) Word(id embedding.ID) string { return l[id] }
func (l wordList) Unknown() embedding.ID       { return 0 }
func (wordList) Segmentation() *segment.Rules  { return nil }
func (l wordList) Lookup(w string) (embedding.ID, bool) {
	i := slices.Index(l, w)
	return embedding.ID(max(i, 0)), i >= 0
}

var english = wordList(strings.Fields(`<unk> <num> i 's an the . , ! ? ; : ( ) [ ] $ % - -- ... / " ' & s t is it he what that
	do not can will would am are have let us all you we they she doctor boston food terrible three twenty first hundred hour
	apple dog dogs example com u o clock b x well known don éclair caf`))

func spell(v Vocabulary, ids []embedding.ID) string {
	var words []string
	for _, id := range ids {
		words = append(words, v.Word(id))
	}
	return strings.Join(words, " ")
}

func TestTokensBecomeEntriesByTheRules(t *testing.T) {
	for _, c := range []struct {
		in, want string
		unknown  int
	}{
		{"", "", 0},
		{" \t\r\n ", "", 0},
		{"The food.", "the food .", 0},
		{"don't can't won't I'm it's he's let's they've she'll we'd", "do not can not will not i am it is he is let us they have she will we would", 0},
		{"don’t It’S", "do not it is", 0},
		{"the dog's food, the dogs' food", "the dog 's food , the dogs ' food", 0},
		{"it 's the dog 's", "it is the dog 's", 0},
		{"a dog an apple", "an dog an apple", 0},
		{"3 20 100 1st 1984 3.14 1,000,000.50 1990s", "three twenty hundred first <num> <num> <num> <num>", 0},
		{"50% $5", "<num> % $ <num>", 0},
		{"“Well-known” — the…", `" well - known " -- the ...`, 0},
		{"example.com u.b", "example . com u . b", 0},
		{"<unk> <num>'s < num>", "<unk> <num> 's <unk> <unk> <unk>", 3},
		{"zebra 日本 😀 \x00", "<unk> <unk> <unk> <unk> <unk>", 5},
		{"Éclair É" + "clair e\u0301clair", "éclair éclair éclair", 0},
		{"\xff\xfe", "<unk> <unk>", 2},
		{strings.Repeat("x", 5000), "<unk>", 1},
	} {
		mustTokenize(t, c.in, c.want, c.unknown)
	}
}

// mustTokenize checks what a text becomes, with and without the memo.
func mustTokenize(t *testing.T, in, want string, unknown int) {
	t.Helper()
	tokenizer := NewTokenizer(english)
	for range 2 {
		ids, missing := tokenizer.Tokenize(nil, []byte(in))
		if got := spell(english, ids); got != want || missing != unknown {
			t.Errorf("%.60q becomes %q with %d unknown, want %q with %d", in, got, missing, want, unknown)
		}
	}
}

// The page on tokens lists the words after which 's is read as is.
func TestThePageOnTokensListsWhatTakesIs(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/tokens.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\n| 's after " + strings.Join(isShortenedAfter, ", ") + " | `is` | `is` |\n"; !strings.Contains(string(page), want) {
		t.Errorf("the page lacks the line %s", want)
	}
}

func TestTextIsSetByTheRules(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"the food . the dog ' s", "The food. The dog ' s"},
		{"i do not , you do", "I do not, you do"},
		{`he is " terrible " ( an dog )`, `He is "terrible" (a dog)`},
		{"an apple an dog an hour an", "An apple a dog an hour a"},
		{"the dog 's food", "The dog's food"},
		{"well - known - - x", "Well-known - - x"},
		{"$ <num> , <num> %", "$<num>, <num>%"},
		{". . .", "..."},
		{"the -- dog ... the", "The — dog … The"},
	} {
		var ids []embedding.ID
		for _, w := range strings.Fields(c.in) {
			id, ok := english.Lookup(w)
			if !ok {
				t.Fatalf("%q is not in the vocabulary", w)
			}
			ids = append(ids, id)
		}
		if got := string(NewTokenizer(english).Detokenize(nil, ids)); got != c.want {
			t.Errorf("%q is set as %q, want %q", c.in, got, c.want)
		}
	}
}

// drawText returns pieces of text at the edges of the rules.
func drawText(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom(append([]string{" ", " ", " ", "", "'", "’", "'s", "S", "n't", "'d", "<", ">", "unk", "num", "1", "2.5", "...", "…", "—", "--", "“", "_",
			"\n", "\u00a0", "\u0301", "\u200d", "😀", "É", "İ", "ß", "@", "://", "www.", "A", "a", "I", "it", "It's", "\xff", "\x00", ".", "-", "/"}, english...)),
		rapid.String(),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
}

func checkStable(t interface{ Fatalf(string, ...any) }, v Vocabulary, text string) {
	tokenizer := NewTokenizer(v)
	ids, _ := tokenizer.Tokenize(nil, []byte(text))
	for _, id := range ids {
		if int(id) >= v.Len() {
			t.Fatalf("entry %d does not exist", id)
		}
	}
	set := tokenizer.Detokenize(nil, ids)
	again, _ := NewTokenizer(v).Tokenize(nil, set)
	if !slices.Equal(ids, again) {
		t.Fatalf("%q\nis set as %q,\nwhich becomes %q\ninstead of     %q", text, set, spell(v, again), spell(v, ids))
	}
}

func TestIdentityMechanismIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkStable(t, english, drawText(t)) })
}

// With two entries, whatever the input, the output is made of these two.
func TestNothingPassesThrough(t *testing.T) {
	two := wordList{"yes", "no"}
	rapid.Check(t, func(t *rapid.T) {
		tokenizer := NewTokenizer(two)
		ids, _ := tokenizer.Tokenize(nil, []byte(drawText(t)))
		for _, w := range strings.Fields(string(tokenizer.Detokenize(nil, ids))) {
			if w := strings.ToLower(w); w != "yes" && w != "no" {
				t.Fatalf("the output holds %q", w)
			}
		}
	})
}

func FuzzTokenizer(f *testing.F) {
	for _, s := range []string{"The food was terrible.", "don't '' 's <unk>'s", "a\xffb", "x'y's", "a@b's http://x/(y)."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkStable(t, english, s) })
}

func BenchmarkTokenize(b *testing.B) {
	text := []byte(strings.Repeat("The food was terrible, and my doctor in Boston didn't agree: it's a well-known dog's apple. ", 100))
	tokenizer := NewTokenizer(english)
	var ids []embedding.ID
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ids, _ = tokenizer.Tokenize(ids[:0], text)
	}
	b.ReportMetric(float64(len(ids))*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}

func TestPiecesAreTheTextCutAfterEachEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Map(rapid.IntRange(0, english.Len()-1), func(i int) embedding.ID { return embedding.ID(i) })).Draw(t, "ids")
		tokenizer := NewTokenizer(english)
		pieces := tokenizer.Pieces(ids)
		if got, want := strings.Join(pieces, ""), string(tokenizer.Detokenize(nil, ids)); got != want || len(pieces) != len(ids) {
			t.Fatalf("%d pieces for %d entries: %q, want %q", len(pieces), len(ids), got, want)
		}
		for i, p := range pieces {
			if word := strings.TrimSpace(p); word == "" || strings.Contains(word, " ") {
				t.Fatalf("piece %d of %q is %q", i, pieces, p)
			}
		}
	})
}
