package sotto

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/privacy"
)

// The unknown entry is written in the chosen form, drawn alike, and read as unknown again.
func TestUnknownIsWrittenAsChosen(t *testing.T) {
	seed := uint64(7)
	text := strings.Repeat("qqzzx and the food (qqzzx) qqzzx's. ", 30)
	rewritten := func(form string) Release {
		r, err := Open(t.Context(), Words{Epsilon: 12, InsecureSeed: &seed, Unknown: form})
		if err != nil {
			t.Fatal(err)
		}
		out, err := r.Rewrite(t.Context(), text)
		if err != nil || out.Statement.Placeholder != form {
			t.Fatalf("%+v %v", out.Statement, err)
		}
		return out
	}
	plain := rewritten("")
	if strings.Count(plain.Text, "<unk>") < 20 {
		t.Fatalf("the text has few unknown words: %s", plain.Text)
	}
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	read := func(text string) []embedding.ID { return idsOf(table, text) }
	for _, form := range []string{"zzz", "QQZ", "▮"} {
		out := rewritten(form)
		if strings.ReplaceAll(plain.Text, "<unk>", form) != out.Text {
			t.Errorf("%q: %s", form, out.Text)
		}
		if !slices.Equal(read(plain.Text), read(out.Text)) {
			t.Errorf("%q is not read as it was drawn: %s", form, out.Text)
		}
	}
}

// A form that is read as something else, or as several words, is refused.
func TestFormsOfTheUnknownEntryAreChecked(t *testing.T) {
	for _, form := range []string{"doctor", "Doctor", "two words", "[?]", "don't", "12", "a\n", "\x00", "\xff", "the", ".", "zz doctor", strings.Repeat("z", 65), "zzz's", "<num>", "-"} {
		_, err := Open(t.Context(), Words{Epsilon: 8, Unknown: form})
		var bad *privacy.ParameterError
		if !errors.As(err, &bad) || bad.Name != "unknown" {
			t.Errorf("%q: %v", form, err)
		}
	}
	table, err := embedding.New(embedding.Source{Dim: 1, Words: []string{"a", "b", "c"}, Vectors: []float32{1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Words{Epsilon: 1, Unknown: "zzz", Table: table}); err == nil {
		t.Error("a table without the entry wrote it")
	}
}

// A listed word is not written for unknown words either, whether or not the table had it.
func TestUnknownIsNoListedWord(t *testing.T) {
	table, err := embedding.New(embedding.Source{Dim: 1, Words: []string{"<unk>", "a", "b", "c"}, Vectors: []float32{0, 1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := embedding.ReadWordList(strings.NewReader("c\nGryzz\n"))
	if err != nil {
		t.Fatal(err)
	}
	cut, err := table.Without(list)
	if err != nil {
		t.Fatal(err)
	}
	for form, good := range map[string]bool{"gryzz": false, "Gryzz": false, "GRYZZ": false, "c": false, "zzz": true, "": true} {
		_, err := Open(t.Context(), Words{Epsilon: 8, Unknown: form, Table: cut})
		var bad *privacy.ParameterError
		if (err == nil) != good || !good && (!errors.As(err, &bad) || bad.Name != "unknown") {
			t.Errorf("%q: %v", form, err)
		}
	}
	if _, err := Open(t.Context(), Words{Epsilon: 8, Unknown: "gryzz", Table: table}); err != nil {
		t.Errorf("without a list: %v", err)
	}
	for _, unknown := range []string{"", "b"} { // the placeholder where no form is chosen
		table, err := embedding.New(embedding.Source{Dim: 1, Words: []string{"<unk>", "a", "b", "c"}, Vectors: []float32{0, 1, 2, 3}, Unknown: unknown})
		if err != nil {
			t.Fatal(err)
		}
		list, err := embedding.ReadWordList(strings.NewReader(table.Word(table.Unknown())))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Without(list); err == nil {
			t.Errorf("a list leaves out the entry %q, which is written for unknown words", table.Word(table.Unknown()))
		}
	}
}
