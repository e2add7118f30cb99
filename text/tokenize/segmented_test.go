package tokenize

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// tongue is a vocabulary with rules of segmentation. Its last entry is for unknown words.
type tongue struct {
	wordList
	rules *segment.Rules
}

func (t tongue) Segmentation() *segment.Rules { return t.rules }
func (t tongue) Unknown() embedding.ID        { return embedding.ID(len(t.wordList) - 1) }

func newTongue(t testing.TB, d segment.Description, words ...string) tongue {
	t.Helper()
	rules, err := segment.New(d)
	if err != nil {
		t.Fatal(err)
	}
	v := tongue{append(slices.Clone(words), "<unk>"), rules}
	has := func(w string) bool { _, ok := v.Lookup(w); return ok }
	if err := rules.Fits(slices.All(v.wordList), has); err != nil {
		t.Fatal(err)
	}
	return v
}

func wordsOf(v Vocabulary, text string) string {
	ids, _ := NewTokenizer(v).Tokenize(nil, []byte(text))
	var words []string
	for _, id := range ids {
		words = append(words, v.Word(id))
	}
	return strings.Join(words, "|")
}

var wordsRules = segment.Description{Kind: segment.Words}

func TestWordsOfManyScriptsAreRead(t *testing.T) {
	for _, c := range []struct {
		name     string
		language string
		words    []string
		text     string
		want     string
	}{
		{"French", "fr", []string{"l'", "homme", "est", "né", "libre", "."}, "L’homme est né libre.", "l'|homme|est|né|libre|."},
		{"an elided word apart", "fr", []string{"l'", "homme"}, "l' homme", "l'|homme"},
		{"German", "de", []string{"das", "haus", "straße"}, "Das Haus STRASSE Straße", "das|haus|<unk>|straße"},
		{"Turkish", "tr", []string{"ısparta", "istanbul", "'da"}, "ISPARTA İstanbul'da", "ısparta|istanbul|'da"},
		{"Turkish by other rules", "", []string{"ısparta", "isparta"}, "ISPARTA", "isparta"},
		{"Russian", "ru", []string{"все", "люди", "—", "ёлка"}, "Все люди — ЁЛКА", "все|люди|—|ёлка"},
		{"Greek", "el", []string{"οδοσ"}, "ΟΔΟΣ οδός οδος", "οδοσ|<unk>|οδοσ"},
		{"Arabic with marks of direction", "ar", []string{"يولد", "الناس", "؟"}, "\u200fيولد\u200e \u202bالناس\u202c؟", "يولد|الناس|؟"},
		{"Spanish", "es", []string{"¿", "qué", "?"}, "¿Qué?", "¿|qué|?"},
		{"Han, by UAX 29", "zh", []string{"人", "。"}, "人人。", "人|人|。"},
		{"numbers", "", []string{"3.14", "3", "1,000", "."}, "3.14 1,000 3.", "3.14|1,000|3|."},
		{"an address", "", []string{"www", ".", "example", "com", "/"}, "www.example.com/, example.com/", "<unk>|<unk>|example|.|com|/"},
		{"Catalan", "ca", []string{"col·legi"}, "Col·legi", "col·legi"},
		{"a soft hyphen", "", []string{"donau"}, "Do\u00adnau", "donau"},
		{"bytes that are no text", "", []string{"a"}, "a \xff a", "a|<unk>|a"},
		{"the entry for unknown words", "", []string{"a"}, "a<unk> < unk >", "a|<unk>|<unk>|<unk>|<unk>"},
	} {
		d := wordsRules
		d.Language = c.language
		v := newTongue(t, d, c.words...)
		for _, form := range []string{c.text, norm.NFD.String(c.text)} {
			if got := wordsOf(v, form); got != c.want {
				t.Errorf("%s: %+q is read as %s, want %s", c.name, form, got, c.want)
			}
		}
	}
}

func pieces(list ...string) (d segment.Description) {
	d.Kind = segment.Pieces
	slices.Sort(list)
	for _, p := range list {
		d.Pieces = append(d.Pieces, segment.Piece{Text: p, Cost: 4096})
	}
	return d
}

func TestRunsAreReadAsTheirCheapestPieces(t *testing.T) {
	v := newTongue(t, pieces("人", "人人", "自由", "由", "生而"), "人", "人人", "自由", "由", "生而", "。", "git")
	for text, want := range map[string]string{
		"人人生而自由。":         "人人|生而|自由|。",
		"人人人":             "人人|人",
		"Git自由git":        "git|自由|git",
		"自 由":             "<unk>|由",
		"人\u200b人":        "人|人",
		"自人由":             "<unk>|人|由",
		"自由\n人":           "自由|人",
		"人\u0301人自\u0301": "<unk>|人|<unk>",
	} {
		if got := wordsOf(v, text); got != want {
			t.Errorf("%+q is read as %s, want %s", text, got, want)
		}
	}
}

func TestTextIsWrittenAsInItsLanguage(t *testing.T) {
	german := wordsRules
	german.Forms = map[string]string{"haus": "Haus"}
	turkish := wordsRules
	turkish.Language = "tr"
	for _, c := range []struct {
		rules segment.Description
		words []string
		text  string
		want  string
	}{
		{german, []string{"das", "haus", "ist", "alt", "."}, "das HAUS ist alt. das", "Das Haus ist alt. Das"},
		{turkish, []string{"iyi", "ankara", "'da"}, "İYİ ANKARA'DA", "İyi ankara'da"},
		{wordsRules, []string{"l'", "homme", "est", "un", `"`, "ami", ",", "-"}, `L'homme est un "ami", un ami-ami`, `L'homme est un "ami", un ami-ami`},
		{wordsRules, []string{"¿", "qué", "?"}, "¿qué?", "¿Qué?"},
		{pieces("人", "人人", "自由"), []string{"人", "人人", "自由", "。", "git"}, "人人自由。 自由 git 人", "人人自由。自由git人"},
		{pieces("人", "人人"), []string{"人", "人人"}, "人 人 人人", "人\u200b人\u200b人人"},
	} {
		v := newTongue(t, c.rules, c.words...)
		tokenizer := NewTokenizer(v)
		ids, _ := tokenizer.Tokenize(nil, []byte(c.text))
		if got := string(tokenizer.Detokenize(nil, ids)); got != c.want {
			t.Errorf("%q is written as %q, want %q", c.text, got, c.want)
		}
	}
}

// What a mechanism puts out is any sequence of entries: it is read as it was written.
func TestWrittenEntriesAreReadAgain(t *testing.T) {
	list := []string{"l'", "dell'", "homme", "a", "un", "'da", "'s", "ankara", "né", "haus", "3", "3.5", ".", ",", "!", ":", ";", "-", "/", "_", "'", `"`, "(", ")",
		"<", ">", "$", "%", "&", "#", "@", "www", "http", "😀", "👍🏽", "🏽", "🇩🇪", "·", "¿", "?", "—", "…", "人", "自", "自由", "カ", "カナ", "ー", "あ", "ก", "กา", "า", "。", "、", "「", "」", "・", "＿", "：", "゠",
		"يولد", "؟", "، "[:2], "한국", "זה", "e", "unk", "ος"[:2] + "σ", "col·legi", "می\u200cروم"}
	unspacedOnly := []string{"人", "自", "自由", "カ", "カナ", "ー", "あ", "ก", "กา", "า"}
	words := slices.DeleteFunc(slices.Clone(list), func(w string) bool { return w == "自由" || w == "กา" })
	d := wordsRules
	d.Forms = map[string]string{"haus": "Haus"}
	for _, v := range []tongue{newTongue(t, d, words...), newTongue(t, pieces(unspacedOnly...), list...)} {
		tokenizer := NewTokenizer(v)
		rapid.Check(t, func(t *rapid.T) {
			ids := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, v.Len()-1), func(i int) embedding.ID { return embedding.ID(i) }), 0, 12).Draw(t, "ids")
			form := rapid.SampledFrom([]string{"", "zzz"}).Draw(t, "form")
			tokenizer.WriteUnknown(form)
			written := tokenizer.Detokenize(nil, ids)
			if got, _ := tokenizer.Tokenize(nil, written); !slices.Equal(got, ids) {
				t.Fatalf("%v are written as %+q and read as %v", ids, written, got)
			}
			if got := strings.Join(tokenizer.Pieces(ids), ""); form == "" && got != string(written) {
				t.Fatalf("the pieces are %q, the text is %q", got, written)
			}
		})
	}
}

// Any bytes are read, as the same entries in every form of normalisation.
func TestAnyBytesAreReadByRules(t *testing.T) {
	v := newTongue(t, pieces("人", "自由", "カナ"), "a", "人", "自由", "カナ", "'", "l'", ".")
	one, other := NewTokenizer(v), NewTokenizer(v)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"人", "自由", "l'", "\u0301", "é", "\u200d", "\xff", " ", "@", "www.", "a", "ガ", "カ\u3099"}))).Draw(t, "text")
		text := strings.Join(parts, "")
		ids, unknown := one.Tokenize(nil, []byte(text))
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			got, n := other.Tokenize(nil, []byte(form.String(text)))
			if !slices.Equal(got, ids) || n != unknown {
				t.Fatalf("%+q is read as %v, its normal form as %v", text, ids, got)
			}
		}
	})
}
