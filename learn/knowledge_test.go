package learn

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/text/about"
)

// library is a codebook of flat texts.
type library []string

func (l library) Len() int                                                { return len(l) }
func (l library) Dim() int                                                { return flat{}.Dim() }
func (l library) Text(i int) string                                       { return l[i] }
func (l library) Vector(dst []int8, i int) []int8                         { return flat{}.Encode(dst, []byte(l[i])) }
func (l library) Nearest(dst []uint32, _ []int8, _ int) ([]uint32, error) { return dst, nil }

// opinions are public texts in which a word of the list stands beside one that is not in it.
func opinions() library {
	var l library
	for i := range 200 {
		pair := [...]string{"lovely and moving", "dreary and long"}[i%2]
		l = append(l, fmt.Sprintf("text %d was %s", i/2%20, pair))
	}
	return l
}

func knowledge(t *testing.T, public library, list string) (*about.Words, *Vocabulary, *Features) {
	t.Helper()
	w, err := about.Read([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	v := CodebookVocabulary(nil, public)
	return w, v, NewFeatures(flat{}, nil, v)
}

func TestWordsForLabelsTeachWordsBesideThem(t *testing.T) {
	public := opinions()
	w, _, f := knowledge(t, public, "good\tlovely\nbad\tdreary\nother\tunheard\n")
	m, err := FromWords(t.Context(), f, public, Labelling{Words: w, Classes: []string{"bad", "good"}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"moving": "good", "long": "bad", "lovely": "good", "dreary": "bad"} {
		if got := m.Predict(f.Row([]byte(text))); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	if _, err := FromWords(t.Context(), f, public, Labelling{Words: w, Classes: []string{"good", "other"}}); !errors.Is(err, ErrFewWords) {
		t.Errorf("error %v where texts of one label alone are found", err)
	}
}

// The private texts have words of their own. Knowledge that is right adds to what few of them
// teach; knowledge that has the labels reversed is not believed.
func TestKnowledgeIsWeighedByTheTexts(t *testing.T) {
	stage.Unraced(t)
	public := opinions()
	private := library{}
	var class []int
	for i := range 120 {
		class = append(class, i%2)
		private = append(private, fmt.Sprintf("no %d %s", i/2%15, [...]string{"long", "moving"}[i%2]))
	}
	classes := []string{"bad", "good"}
	for list, want := range map[string]string{
		"good\tlovely\nbad\tdreary\n": "good", // no private text has the word lovely
		"bad\tlovely\ngood\tdreary\n": "bad",
	} {
		w, _, f := knowledge(t, public, list)
		known, err := FromWords(t.Context(), f, public, Labelling{Words: w, Classes: classes})
		if err != nil {
			t.Fatal(err)
		}
		d := f.NewData(classes)
		for i, x := range private {
			d.Examples = append(d.Examples, Example{d.Add(f.Row([]byte(x))), class[i], 1})
		}
		m, _, err := Fit(t.Context(), d, Options{Knowledge: known})
		if err != nil {
			t.Fatal(err)
		}
		if believed := m.Knowledge > 0; believed != (want == "good") {
			t.Errorf("list %q counts for %g", list, m.Knowledge)
		}
		for text, y := range map[string]string{"moving": "good", "long": "bad"} {
			if got := m.Predict(f.Row([]byte(text))); got != y {
				t.Errorf("list %q: %q is %s, want %s by the private texts", list, text, got, y)
			}
		}
		if want == "good" && m.Predict(f.Row([]byte("lovely"))) != want {
			t.Errorf("list %q: nothing is known of a word that no private text has", list)
		}
	}
	w, v, f := knowledge(t, public, "good\tlovely\nbad\tdreary\n")
	known, err := FromWords(t.Context(), f, public, Labelling{Words: w, Classes: classes})
	if err != nil {
		t.Fatal(err)
	}
	d := NewFeatures(flat{}, nil, FitVocabulary(nil, 3, func(int) []byte { return []byte("a b") })).NewData(classes)
	d.Examples = append(d.Examples, Example{d.Add(Row{Features: []float32{1, 2}}), 0, 1})
	if _, _, err := Fit(t.Context(), d, Options{Knowledge: known}); err == nil || v == nil {
		t.Error("knowledge of another vocabulary is used")
	}
}
