package sotto

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

func testKey(n byte) *noise.Key {
	k := noise.NewKey(slices.Repeat([]byte{n}, 32))
	return &k
}

// keyed copies a text under a key and returns the output and the names of the charges.
func keyed(t *testing.T, r *Rewriter, in io.Reader, s Stream) (string, []string) {
	t.Helper()
	var names []string
	s.Charge = func(_ context.Context, batch uint64, p *Pending) error {
		names = append(names, fmt.Sprintf("%d %s", batch, p.Name()))
		return nil
	}
	if s.Workers > 1 {
		s.Charge = nil
	}
	var out bytes.Buffer
	if _, err := r.Copy(t.Context(), &out, in, s); err != nil {
		t.Fatal(err)
	}
	return out.String(), names
}

// Draws under a key are the same however many workers make them, however the input comes,
// whatever was drawn before with the same rewriter, and in another process: here one that
// has computed nothing yet.
func TestKeyedDrawsAreMadeAgain(t *testing.T) {
	stage.Unraced(t)
	input := strings.Repeat("My doctor in Boston agreed, the film was 12 times zzqx good!\n", 9000)
	document := []byte("the food was good and my doctor in boston agreed with twelve rivers")
	for name, cfg := range map[string]Configuration{
		"token":    Config{Epsilon: 9},
		"eight":    Config{Epsilon: 9, Parameters: mechanism.Values{"neighbours": "8"}},
		"metric":   Config{Mechanism: "tem", Epsilon: 3},
		"channel":  Config{Mechanism: "exponential", Epsilon: 1},
		"additive": Config{Mechanism: "laplace", Epsilon: 40, Accept: privacy.Refuted},
		"distinct": Config{Unit: privacy.Word, Epsilon: 9},
		"capped":   Words{Cap: Cap{Epsilon: 60, Delta: 1e-6, Tokens: 6, Over: Clamp}},
	} {
		t.Run(name, func(t *testing.T) {
			some := input
			if name == "metric" || name == "channel" || name == "additive" {
				some = input[:30_000]
			}
			open := func() *Rewriter {
				r, err := Open(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			r := open()
			want, names := keyed(t, r, strings.NewReader(some), Stream{Key: testKey(1), Workers: 1})
			if len(some) == len(input) && len(names) < 2 {
				t.Fatalf("%d batches", len(names))
			}
			if got, _ := keyed(t, r, iotest.HalfReader(strings.NewReader(some)), Stream{Key: testKey(1), Workers: 4}); got != want {
				t.Error("with more workers other texts are drawn")
			}
			other := open()
			if p, err := other.Read([][]byte{document}); err != nil {
				t.Fatal(err)
			} else if _, err := p.Draw(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, again := keyed(t, other, strings.NewReader(some), Stream{Key: testKey(1), Workers: 1})
			if got != want || !slices.Equal(again, names) {
				t.Error("after draws without a key other texts are drawn")
			}
			if got, again := keyed(t, r, strings.NewReader(some), Stream{Key: testKey(2), Workers: 1}); got == want || slices.Equal(again, names) {
				t.Error("another key draws the same")
			}
			if s := r.Statement(Counts{}); s.Randomness != "secure" {
				t.Errorf("the report says %q", s.Randomness)
			}
		})
	}
}

// The same holds for every member that draws words or whole texts.
func TestKeyedDrawsOfEveryMemberAreMadeAgain(t *testing.T) {
	stage.Unraced(t)
	table, model := letterWords(t), lettertest.Model(t)
	book := publicTexts(t)
	var words, texts strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&words, "%s %s %s%s\n", table.Word(embedding.ID(i%64)), table.Word(embedding.ID(i*i%64)), theWord, strings.Repeat(" ", 300))
		fmt.Fprintf(&texts, "wa wb %s\n", strings.Repeat("wc ", i%3))
	}
	members, kinds := 0, map[string]bool{}
	for _, e := range catalog.All() {
		var cfg Configuration
		in, other := texts.String(), theWord
		switch {
		case e.New != nil:
			cfg, in = Words{Mechanism: e.Name, Accept: privacy.Refuted, Table: table, Epsilon: spread(t, e)}, words.String()
		case e.NewLatent != nil:
			cfg = Texts{Mechanism: e.Name, Accept: privacy.Refuted, Model: model, Epsilon: 0.5}
		case e.NewRetriever != nil:
			cfg = Texts{Mechanism: e.Name, Accept: privacy.Refuted, Corpus: book, Epsilon: 2}
		default:
			continue
		}
		kind := fmt.Sprintf("%T", cfg)
		if testing.Short() && kinds[kind] {
			continue // members of a kind are drawn by the same workers
		}
		kinds[kind] = true
		members++
		t.Run(e.Name, func(t *testing.T) {
			first, second := opened(t, cfg, nil), opened(t, cfg, nil)
			want, names := keyed(t, first, strings.NewReader(in), Stream{Key: testKey(1), Workers: 1})
			if len(names) < 3 {
				t.Fatalf("%d batches", len(names))
			}
			if p, err := second.Read([][]byte{[]byte(other)}); err != nil {
				t.Fatal(err)
			} else if _, err := p.Draw(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got, _ := keyed(t, second, iotest.HalfReader(strings.NewReader(in)), Stream{Key: testKey(1), Workers: 4}); got != want {
				t.Error("other texts are drawn")
			}
			if got, _ := keyed(t, first, strings.NewReader(in), Stream{Key: testKey(2), Workers: 4}); got == want {
				t.Error("another key draws the same")
			}
		})
	}
	if members < 10 && !testing.Short() {
		t.Errorf("%d members", members)
	}
}

// The same noise meets no other texts, and no batch has the noise of another one: the
// words of all lines are the same, so equal noise would give equal outputs. A changed text
// changes the draws of its whole batch, and its charge.
func TestSameNoiseNeverMeetsTwoTexts(t *testing.T) {
	stage.Unraced(t)
	r, err := Open(t.Context(), Config{Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	const line = "the food was good and my doctor agreed with all of them and left\n"
	input := strings.Repeat(line, 12_000)
	out, names := keyed(t, r, strings.NewReader(input), Stream{Key: testKey(1), Workers: 1})
	seen := map[string]bool{}
	for l := range strings.Lines(out) {
		if seen[l] {
			t.Fatalf("two lines have one draw: %q", l)
		}
		seen[l] = true
	}
	if one, two := names[0], names[1]; one[2:] == two[2:] {
		t.Error("two batches have one charge")
	}
	changed := "The" + input[3:len(input)-2] + "x\n" // the first and the last batch
	out2, names2 := keyed(t, r, strings.NewReader(changed), Stream{Key: testKey(1), Workers: 1})
	last := len(names) - 1
	if len(names2) != len(names) || names2[0] == names[0] || names2[last] == names[last] {
		t.Error("changed texts have the old charge")
	}
	if !slices.Equal(names2[1:last], names[1:last]) {
		t.Error("a batch that is the same has another charge")
	}
	if first, _, _ := strings.Cut(out, "\n"); strings.HasPrefix(out2, first+"\n") {
		t.Error("a changed batch has the old noise")
	}
	for l := range strings.Lines(out2[:100_000]) {
		if seen[l] {
			t.Errorf("a changed batch has an old line: %q", l)
			break
		}
	}
}

// Spans decide what is drawn, so other spans are another input.
func TestOtherSpansMeetOtherNoise(t *testing.T) {
	r, err := Open(t.Context(), Words{Epsilon: 2, Marked: true})
	if err != nil {
		t.Fatal(err)
	}
	const in = "the food was good and my doctor agreed\n"
	var of [2]string
	for i, end := range []int{8, 16} {
		_, names := keyed(t, r, strings.NewReader(in), Stream{Key: testKey(1), Spans: sameSpans{{Start: 4, End: end}}})
		of[i] = names[0]
	}
	if of[0] == of[1] {
		t.Error("other spans have the same noise and the same charge")
	}
}

type sameSpans []text.Span

func (s sameSpans) Rows() int                            { return 1 }
func (s sameSpans) Row(int, []byte) ([]text.Span, error) { return s, nil }
