package sotto_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

// matrix holds vectors in memory.
type matrix [][]float64

func (m matrix) Shape() (int, int)            { return len(m), len(m[0]) }
func (m matrix) Row(v []float64, i int) error { copy(v, m[i]); return nil }

// axes returns a corpus of three texts whose vectors are the axes.
func axes(t testing.TB) *corpus.Corpus {
	t.Helper()
	b, err := corpus.NewBuilder(corpus.Options{Name: "axes", Public: true, Dimensions: 3, Vectors: func(v []float64, i int) error {
		clear(v)
		v[i] = 1
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []string{"first", "second", "third"} {
		if err := b.Add([]byte(x)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// nearestOf draws from sets of one text. P(another text) is 2/(e^25 + 2) < 2e-11 per
// draw, and there are fewer than a hundred draws.
func nearestOf(t testing.TB) *sotto.Rewriter {
	t.Helper()
	return openRetrieved(t, sotto.Texts{Corpus: axes(t), Epsilon: 25, Parameters: map[string]string{"neighbours": "1"}})
}

// Row i belongs to record i, counted before any record is skipped, for any number of
// batches.
func TestRowOfVectorsIsOfItsRecord(t *testing.T) {
	r := nearestOf(t)
	row := map[string][]float64{"first": {1, 0.1, 0}, "second": {0, 1, 0.1}, "third": {0.1, 0, 1}}
	var vectors matrix
	var in, want strings.Builder
	long := strings.Repeat("x", 100_000) // three records fill a batch
	for i := range 12 {
		name := []string{"first", "second", "third"}[i%3]
		vectors = append(vectors, row[name])
		if i%4 == 1 {
			in.WriteString("{\"t\":null}\n\n")
			want.WriteString("{\"t\":null}\n\n")
			continue
		}
		in.WriteString("{\"t\":\"" + long[:len(long)*(i%2)] + "\"}\n")
		want.WriteString("{\"t\":\"" + name + "\"}\n")
	}
	var out bytes.Buffer
	s, err := r.Copy(t.Context(), &out, strings.NewReader(in.String()), sotto.Stream{Format: text.JSONL, Fields: []string{"t"}, Vectors: vectors, Workers: 3})
	if err != nil || out.String() != want.String() {
		t.Errorf("%v, got\n%s\nwant\n%s", err, out.String(), want.String())
	}
	if s.Claim.Assumes&privacy.PublicEncoder == 0 || s.Claim.Unit != privacy.Text || s.Embeddings != nil || s.Documents != 9 ||
		!slices.ContainsFunc(s.NotProtected, func(n string) bool { return strings.Contains(n, "reads one text at a time") }) {
		t.Errorf("the statement is %+v", s)
	}
	if text := s.String(); !strings.Contains(text, "reads one text") {
		t.Errorf("the statement prints as\n%s", text)
	}
}

// A vector that is zero or not finite has the set of the zero vector.
func TestVectorThatIsNotFiniteIsTheZeroVector(t *testing.T) {
	r := nearestOf(t)
	p, err := r.ReadVectors([][]float64{{0, 0, 0}, {math.NaN(), 0, 1}, {0, math.Inf(1), 0}, {0, 0, 1}}, sotto.Position{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := string(bytes.Join(out, []byte(" "))); got != "first first first third" {
		t.Errorf("drawn: %s", got)
	}
}

func TestVectorsThatDoNotFitAreRefused(t *testing.T) {
	brought, english := nearestOf(t), openRetrieved(t, sotto.Texts{Epsilon: 1})
	words, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	of := func(rows, dim int) matrix {
		m := make(matrix, rows)
		for i := range m {
			m[i] = make([]float64, dim)
		}
		return m
	}
	var parameter *privacy.ParameterError
	for name, c := range map[string]struct {
		r       *sotto.Rewriter
		vectors release.TextVectors
		want    string
	}{
		"none":                   {brought, nil, "the corpus needs the vectors of the texts"},
		"too few":                {brought, of(1, 3), "vectors: 1 rows for more records; give one row per record"},
		"too many":               {brought, of(3, 3), "3 rows for 2 records"},
		"of other dimensions":    {brought, of(2, 4), "components of a row must be 3, as in the corpus, got 4"},
		"beside an encoder":      {english, of(2, 100), "cannot be used"},
		"for words":              {words, of(2, 100), "cannot be used"},
		"for words, dimension 3": {words, of(2, 3), "cannot be used"},
	} {
		_, err := c.r.Copy(t.Context(), new(bytes.Buffer), strings.NewReader("a\nb\n"), sotto.Stream{Vectors: c.vectors})
		if !errors.As(err, &parameter) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"texts without vectors":   second(brought.Read([][]byte{[]byte("a")})),
		"a text without a vector": second(brought.Rewrite(t.Context(), "a")),
		"explained":               second(brought.ExplainText("a", 0)),
		"of other dimensions":     second(brought.ReadVectors([][]float64{{1, 2}}, sotto.Position{})),
		"beside an encoder":       second(english.ReadVectors([][]float64{make([]float64, 100)}, sotto.Position{})),
		"for words":               second(words.ReadVectors([][]float64{{1}}, sotto.Position{})),
	} {
		if !errors.As(err, &parameter) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
