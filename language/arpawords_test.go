package language_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// A file that is read alone gives the perplexity that was computed independently of this
// project, of texts with a word that it lacks.
func TestARPAAloneHasItsOwnWords(t *testing.T) {
	data, err := os.ReadFile(refdata.Path(t, "oracles/units.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		KneserNey struct {
			Tests  []string
			Models []struct {
				ARPA       string
				Tokens     int
				Perplexity float64
			}
		} `json:"kneser_ney"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for i, model := range file.KneserNey.Models {
		m, err := language.ReadARPAAlone(t.Context(), strings.NewReader(model.ARPA), true)
		if err != nil {
			t.Fatal(err)
		}
		tokenizer := tokenize.NewTokenizer(m.Vocabulary())
		measured, err := m.Measure(func(yield func([]embedding.ID, error) bool) {
			for _, x := range file.KneserNey.Tests {
				ids, _ := tokenizer.Tokenize(nil, []byte(x))
				if !yield(ids, nil) {
					return
				}
			}
		})
		if err != nil || measured.Tokens != model.Tokens || math.Abs(measured.Perplexity/model.Perplexity-1) > 1e-9 {
			t.Errorf("model %d: perplexity %.9g over %d tokens, want %.9g over %d (%v)", i, measured.Perplexity, measured.Tokens, model.Perplexity, model.Tokens, err)
		}
	}
}

func TestARPAAloneMayLackTheUnknownEntry(t *testing.T) {
	const head, tail = "\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n-99 <s> 0\n-0.3 </s>\n", "\n\\2-grams:\n-0.2 <s> a\n\n\\end\\\n"
	m, err := language.ReadARPAAlone(t.Context(), strings.NewReader(head+"-0.3 a 0\n"+tail), true)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for w := range m.Vocabulary().Len() {
		words = append(words, m.Vocabulary().Word(embedding.ID(w)))
	}
	if !slices.Equal(words, []string{"a", "<unk>"}) || m.Vocabulary().Unknown() != 1 {
		t.Errorf("words %q, unknown %d", words, m.Vocabulary().Unknown())
	}
	for _, faulty := range []string{head, head + "-0.3\n" + tail, head + "-0.3 </s> 0\n" + tail} {
		if _, err := language.ReadARPAAlone(t.Context(), strings.NewReader(faulty), true); err == nil {
			t.Errorf("no error for %q", faulty)
		}
	}
}
