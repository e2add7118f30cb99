package sotto

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// longInputs returns one input per format with the same texts.
func longInputs(texts []string) map[*text.Format]string {
	inputs := map[*text.Format]string{}
	for _, f := range []*text.Format{text.Lines, text.Text, text.JSONL, text.CSV, text.TSV} {
		var b strings.Builder
		if f.Header {
			b.WriteString(strings.ReplaceAll("id,t,u", ",", map[bool]string{true: ",", false: "\t"}[f == text.CSV]) + "\n")
		}
		for i, t := range texts {
			switch f {
			case text.JSONL:
				fmt.Fprintf(&b, "{\"id\":%d,\"t\":%q,\"u\":[\"%d\"]}\n", i, t, i)
			case text.CSV:
				fmt.Fprintf(&b, "%d,\"%s\",u\n", i, strings.ReplaceAll(t, `"`, `""`))
			case text.TSV:
				fmt.Fprintf(&b, "%d\t%s\tu\n", i, t)
			default:
				b.WriteString(t + "\n")
			}
		}
		inputs[f] = b.String()
	}
	return inputs
}

// longConfigs are one per plan that reads long texts, with seeds.
func longConfigs(t *testing.T) map[string]Config {
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(2000)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(7)
	base := Config{Table: table, Epsilon: 6, InsecureSeed: &seed}
	all := map[string]Config{"tokens": base}
	for name, change := range map[string]func(*Config){
		"consistent": func(c *Config) { c.Unit = privacy.Word },
		"clamp": func(c *Config) {
			c.DocumentEpsilon, c.DocumentDelta, c.DocumentTokens, c.Over = 7000, 1e-6, 1000, Clamp
		},
		"unknown": func(c *Config) { c.Unknown = "qqzzy" },
		"vectors": func(c *Config) { c.Mechanism, c.Epsilon = "madlib", 20 },
	} {
		c := base
		change(&c)
		all[name] = c
	}
	return all
}

type copiedText struct {
	out     string
	counts  Counts
	content Content
	words   WordCounts
	err     error
}

func copyLong(t *testing.T, r *Rewriter, f *text.Format, in string, long int) (c copiedText) {
	t.Helper()
	s := Stream{Format: f, Counts: &c.counts, Content: &c.content, Words: &c.words, long: long}
	if f != text.Lines && f != text.Text {
		s.Fields = []string{"t"}
	}
	if f == text.Text && r.noParts != nil {
		return c
	}
	var out bytes.Buffer
	_, c.err = r.Copy(t.Context(), &out, strings.NewReader(in), s)
	c.out = out.String()
	return c
}

// Texts that are drawn in parts have the copies, counts and words of texts that are drawn at
// once, in every format. They have several parts.
func TestLongTextsAreDrawnInPartsAsAtOnce(t *testing.T) {
	pieces := []string{"the ", "doctor's ", "don't ", "it 's ", "zzyzx ", "he said, \"no\". ", "(yes)! ", "3.14 ", "https://x.example/a?b ", "é ", "a", "😀", "well-known ", "... ", "'"}
	for name, cfg := range longConfigs(t) {
		r, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		n := 2 * tokensAtOnce
		if name == "vectors" {
			n = tokensAtOnce // each takes a search
		}
		texts := []string{"short", "", strings.Repeat("long ", n/3), strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), n/2, n/2).Example(1), ""), "\"the end"}
		for f, in := range longInputs(texts) {
			once, parts := copyLong(t, r, f, in, math.MaxInt), copyLong(t, r, f, in, 1)
			if once.err != nil || parts.err != nil {
				t.Fatal(once.err, parts.err)
			}
			if parts.out != once.out {
				t.Errorf("%s, %s: the copies are others", name, f)
			}
			if parts.counts != once.counts || parts.content != once.content || !slices.Equal(parts.words.counts, once.words.counts) || parts.words.other != once.words.other {
				t.Errorf("%s, %s: the counts are %+v, at once %+v", name, f, parts.counts, once.counts)
			}
		}
	}
}

// What is allocated to draw a long text does not add up to its length, whatever is
// collected when.
func TestLongTextsTakeLittleMemoryBesideThem(t *testing.T) {
	r, err := Open(t.Context(), longConfigs(t)["tokens"])
	if err != nil {
		t.Fatal(err)
	}
	in := [][]byte{bytes.Repeat([]byte("the dog . "), 400_000)}
	var took uint64
	for range 2 { // the first time also fills caches
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := r.readSized(in, Position{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		b, ok := p.batch.(*longBatch)
		if !ok {
			t.Fatal("the text is not drawn in parts")
		}
		written := 0
		for part, err := range b.parts(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			written += len(part)
		}
		runtime.ReadMemStats(&after)
		if took = after.TotalAlloc - before.TotalAlloc; written < len(in[0])/2 {
			t.Fatalf("%d bytes were written", written)
		}
	}
	if most := uint64(len(in[0])); took > 2*most {
		t.Errorf("%d bytes were allocated for a text of %d", took, most)
	}
}

// A text beyond its cap is refused before anything is charged or drawn.
func TestLongTextsBeyondTheirCapAreRefused(t *testing.T) {
	cfg := longConfigs(t)["clamp"]
	cfg.Over = Refuse
	r, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	c := copyLong(t, r, text.Lines, strings.Repeat("the ", 1001), 1)
	var over *BudgetError
	if !errors.As(c.err, &over) || over.Tokens != 1001 || c.counts.Tokens != 0 || c.out != "" {
		t.Errorf("%v, %+v, %q", c.err, c.counts, c.out)
	}
}
