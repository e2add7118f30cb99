package learn

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// flat gives all texts the same vector, so that only terms tell them apart.
type flat struct{}

func (flat) Dim() int                              { return 2 }
func (flat) Encode(dst []int8, text []byte) []int8 { return append(dst, 1, int8(len(text)%3)) }

// reviews are texts of two classes: "not" before a word turns its sense, so that single words
// say little and pairs say all.
func reviews(n int) (texts []string, class []int) {
	for i := range n {
		good, turned := i%2, i/2%2
		word := [...]string{"dull", "funny"}[good^turned]
		text := fmt.Sprintf("the film number %d is %s%s", i/4%9, [...]string{"", "not "}[turned], word)
		texts, class = append(texts, text), append(class, good)
	}
	return texts, class
}

func learnt(t *testing.T, texts []string, class []int) (*Model, Data) {
	t.Helper()
	f := NewFeatures(flat{}, nil, FitVocabulary(nil, len(texts), func(i int) []byte { return []byte(texts[i]) }))
	d := f.NewData([]string{"bad", "good"})
	for i, x := range texts {
		d.Examples = append(d.Examples, Example{d.Add(f.Row([]byte(x))), class[i], 1})
	}
	m, _, err := Fit(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, d
}

func TestTermsTeachWhatVectorsHide(t *testing.T) {
	texts, class := reviews(200)
	m, _ := learnt(t, texts, class)
	f := NewFeatures(flat{}, nil, m.Vocabulary)
	for text, want := range map[string]string{"This one is NOT funny!": "bad", "quite funny": "good", "it is not dull": "good", "dull": "bad"} {
		if got := m.Predict(f.Row([]byte(text))); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestModelWithTermsIsReadAsWritten(t *testing.T) {
	texts, class := reviews(80)
	m, d := learnt(t, texts, class)
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"funny", "film", "dull"} {
		if strings.Contains(file.String(), word) {
			t.Errorf("the model holds the word %q of its texts", word)
		}
	}
	again, err := Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	f := NewFeatures(flat{}, nil, again.Vocabulary)
	for i, text := range texts {
		r := f.Row([]byte(text))
		if !slices.Equal(r.Terms, d.Row(i).Terms) || !slices.Equal(again.Chances(nil, r), m.Chances(nil, d.Row(i))) {
			t.Fatalf("text %d has other chances by the model that was read", i)
		}
	}
	for name, damage := range map[string][2]string{
		"format without terms": {`"format":2`, `"format":1`},
		"descending hashes":    {`"hashes":[`, `"hashes":[4294967295,`},
		"no inverse":           {`"inverse":[`, `"other":[`},
	} {
		bad := strings.Replace(file.String(), damage[0], damage[1], 1)
		if _, err := Read(strings.NewReader(bad)); bad == file.String() || err == nil {
			t.Errorf("%s: a damaged model is read", name)
		}
	}
}

// A mean over one text is that text, and over all texts every term of them has a share.
func TestSmoothRowIsTheMeanOfTheNearest(t *testing.T) {
	r := newRing(6, 4, 2, 3)
	v := FitVocabulary(nil, 6, func(i int) []byte { return []byte("x " + strings.Repeat("y", i/2+1)) })
	f := NewFeatures(r, nil, v)
	one, err := f.SmoothRow(r, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	near, _ := r.Nearest(nil, r.Encode(nil, nil), 1)
	want := f.TextRow(r, int(near[0]))
	if !slices.Equal(one.Features, want.Features) || !slices.Equal(one.Terms, want.Terms) || !slices.Equal(one.Value, want.Value) {
		t.Errorf("the mean over one text is %v, want %v", one, want)
	}
	all, err := f.SmoothRow(r, nil, 6)
	if err != nil || !slices.IsSorted(all.Terms) {
		t.Errorf("terms %v, error %v", all.Terms, err)
	}
}
