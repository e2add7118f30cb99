package sotto

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	goparquet "github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// These tests rewrite two inputs whose copies are the same, and whose originals have other
// lengths, repeat otherwise and are written otherwise. The outputs must then be the same bytes:
// nothing of the originals reaches them beside the copies.

// sameFormat writes one format: records with two texts each, and other columns.
type sameFormat struct {
	fields []string
	// write writes a record for each two texts. Style is how programs write the same records:
	// it must not show.
	write func(texts [][2]string, style int) string
}

// sameRow is a record in Parquet. In the styles the columns of texts have other encodings,
// pages and dictionaries.
type (
	sameRowPlain struct {
		N    int64    `parquet:"n,delta"`
		T    string   `parquet:"t,plain"`
		Keep string   `parquet:"keep,dict,gzip"`
		L    []string `parquet:"l,list"`
	}
	sameRowDictionary struct {
		N    int64    `parquet:"n,delta"`
		T    string   `parquet:"t,dict"`
		Keep string   `parquet:"keep,dict,gzip"`
		L    []string `parquet:"l,list"`
	}
)

// keptValue is what another column has in a record.
func keptValue(i int) string { return fmt.Sprintf("kept %d", i%5) }

var sameFormats = map[*text.Format]sameFormat{
	text.Lines: {write: func(texts [][2]string, _ int) string {
		var b strings.Builder
		for _, t := range texts {
			b.WriteString(t[0] + "\n" + t[1] + "\n")
		}
		return b.String()
	}},
	text.Text: {write: func(texts [][2]string, _ int) string {
		var b strings.Builder
		for _, t := range texts {
			b.WriteString(t[0] + "\n" + t[1] + "\n")
		}
		return b.String()
	}},
	text.JSONL: {fields: []string{"t", "l[*]"}, write: func(texts [][2]string, style int) string {
		var b strings.Builder
		for i, t := range texts {
			first, second := jsonString(t[0]), jsonString(t[1])
			if style == 1 {
				first, second = strings.ReplaceAll(first, "a", `\u0061`), strings.ReplaceAll(second, "b", `\u0062`)
			}
			fmt.Fprintf(&b, "{\"n\":%d,\"t\":%s,\"keep\":%q,\"l\":[%s]}\n", i, first, keptValue(i), second)
		}
		return b.String()
	}},
	text.JSON: {fields: []string{"t", "l[*]"}, write: func(texts [][2]string, style int) string {
		var b strings.Builder
		b.WriteString("[")
		for i, t := range texts {
			if i > 0 {
				b.WriteString([]string{",", " ,\n\t"}[style])
			}
			fmt.Fprintf(&b, "{\"n\":%d,\"t\":%s,\"keep\":%q,\"l\":[%s]}", i, jsonString(t[0]), keptValue(i), jsonString(t[1]))
		}
		return b.String() + "]\n"
	}},
	text.CSV: {fields: []string{"t", "l"}, write: func(texts [][2]string, style int) string {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		_ = w.Write([]string{"n", "t", "keep", "l"})
		w.Flush()
		for i, t := range texts {
			if style == 1 {
				fmt.Fprintf(&b, "%d,\"%s\",%s,\"%s\"\n", i, strings.ReplaceAll(t[0], `"`, `""`), keptValue(i), strings.ReplaceAll(t[1], `"`, `""`))
				continue
			}
			_ = w.Write([]string{fmt.Sprint(i), t[0], keptValue(i), t[1]})
			w.Flush()
		}
		return b.String()
	}},
	text.TSV: {fields: []string{"t", "l"}, write: func(texts [][2]string, _ int) string {
		var b strings.Builder
		b.WriteString("n\tt\tkeep\tl\n")
		for i, t := range texts {
			fmt.Fprintf(&b, "%d\t%s\t%s\t%s\n", i, t[0], keptValue(i), t[1])
		}
		return b.String()
	}},
	parquet.Format: {fields: []string{"t", "l[*]"}, write: func(texts [][2]string, style int) string {
		var b bytes.Buffer
		groups := len(texts)/2 + 1 // public: two row groups
		if style == 1 {
			w := goparquet.NewGenericWriter[sameRowDictionary](&b, goparquet.NewSchema("row", goparquet.SchemaOf(sameRowDictionary{})), goparquet.DictionaryMaxBytes(4096), goparquet.PageBufferSize(8192),
				goparquet.BloomFilters(goparquet.SplitBlockFilter(10, "t")))
			for i, t := range texts {
				_, _ = w.Write([]sameRowDictionary{{int64(i), t[0], keptValue(i), []string{t[1]}}})
				if i+1 == groups {
					_ = w.Flush()
				}
			}
			_ = w.Close()
			return b.String()
		}
		w := goparquet.NewGenericWriter[sameRowPlain](&b, goparquet.NewSchema("row", goparquet.SchemaOf(sameRowPlain{})), goparquet.DataPageStatistics(true))
		for i, t := range texts {
			_, _ = w.Write([]sameRowPlain{{int64(i), t[0], keptValue(i), []string{t[1]}}})
			if i+1 == groups {
				_ = w.Flush()
			}
		}
		_ = w.Close()
		return b.String()
	}},
}

func jsonString(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}

// fixed is a mechanism whose output follows from the number of words alone.
type fixed struct{ mechanism.Mechanism }

func (fixed) Replace(dst, src []embedding.ID, _ rand.Source) ([]embedding.ID, error) {
	for range src {
		dst = append(dst, 7)
	}
	return dst, nil
}

// originals are kinds of texts with four tokens each.
var originals = []func(i int) string{
	func(int) string { return "a b a b" },
	func(i int) string { return strings.Repeat("a", 1+i%40) + " b  a " + strings.Repeat("q", 60) },
	func(i int) string { return fmt.Sprintf("a    b zz%d    qq%d", i%9973, i) },
}

// sameBytes fails unless all kinds of originals have one output, in every format, compression
// and way of writing, for any number of workers. Pages of Parquet need more records.
func sameBytes(t *testing.T, r *Rewriter, records, pages int) {
	t.Helper()
	for _, name := range text.Formats(parquet.Format).Names() {
		format := text.Formats(parquet.Format).Named(name)
		c, ok := sameFormats[format]
		if !ok {
			t.Errorf("%s has no case", name)
			continue
		}
		n := records
		if format == parquet.Format {
			n = pages
		}
		want := map[string]string{}
		for kind, original := range originals {
			texts := make([][2]string, n)
			for i := range texts {
				texts[i] = [2]string{original(i), original(i + 1)}
			}
			for style := range 2 {
				in := c.write(texts, style)
				for _, file := range []string{"out", "out.gz", "out.zst"} {
					var out bytes.Buffer
					w, err := compress.NewWriter(file, &out)
					if err != nil {
						t.Fatal(err)
					}
					s := Stream{Format: format, Fields: c.fields, Workers: 1 + 2*kind}
					if _, err := r.Copy(t.Context(), w, strings.NewReader(in), s); err != nil {
						t.Fatalf("%s in %s: %v", name, file, err)
					}
					if err := w.Close(); err != nil {
						t.Fatal(err)
					}
					got := out.String()
					if want[file] == "" {
						want[file] = got
					}
					if got == "" || got != want[file] {
						t.Errorf("%s in %s: originals of kind %d, written in way %d, show: %d bytes, not %d", name, file, kind, style, len(got), len(want[file]))
					}
				}
			}
		}
	}
}

// Words: the copies are of public lengths, the numbers of tokens.
func TestSameWordsOfOtherOriginalsHaveTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	r := opened(t, Config{Epsilon: 1, Table: letterWords(t)}, nil)
	r = withMechanism(t, r, fixed{r.Mechanism()})
	sameBytes(t, r, 5000, 45_000)
}

// Whole texts: with sets of all texts of the corpus, every row is the same, and a seed gives
// the same copies whatever the originals are.
func TestSameTextsOfOtherOriginalsHaveTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	book, seed := publicTexts(t), uint64(3)
	r := opened(t, Config{Unit: privacy.Text, Corpus: book, Epsilon: 1, Parameters: mechanism.Values{"neighbours": fmt.Sprint(book.Len())}}, &seed)
	sameBytes(t, r, 2000, 12_000)
}

// publicTexts is a small corpus of texts of many lengths.
func publicTexts(t *testing.T) *corpus.Corpus {
	t.Helper()
	b, err := corpus.NewBuilder(corpus.Options{Name: "public", Public: true, Encoder: corpus.SIF, Table: letterWords(t), Similar: 1})
	if err != nil {
		t.Fatal(err)
	}
	words := letterWords(t)
	for i := range 40 {
		var one strings.Builder
		for k := range 1 + i*i%37 {
			fmt.Fprintf(&one, "%s ", words.Word(embedding.ID((i+k)%words.Len())))
		}
		if err := b.Add([]byte(one.String())); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
