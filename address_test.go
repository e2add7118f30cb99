package sotto

import (
	"github.com/sotto-dp/sotto/text"
	"strings"
	"testing"
)

// A URL or an e-mail address is one word, whatever reads the text: its length and its
// parts do not show.
func TestAnAddressIsOneWordInEveryPath(t *testing.T) {
	const one, parts = "see a.b@food.example.com or https://www.food.example.com/a?b=c now", 5
	cfg := Words{Epsilon: 34, Mechanism: "neighbours", Parameters: map[string]string{"neighbours": "1"}}
	r, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Rewrite(t.Context(), one)
	if err != nil || out.Text != "See <unk> or <unk> now" {
		t.Errorf("rewritten as %q (%v)", out.Text, err)
	}
	counts, err := r.Count(t.Context(), strings.NewReader(one), Stream{})
	if err != nil || counts.Tokens != parts || counts.Draws != parts {
		t.Errorf("%d tokens and %d draws are counted (%v)", counts.Tokens, counts.Draws, err)
	}
	explained, err := r.Explain("a.b@food.example.com", 1)
	if err != nil || len(explained) != 1 {
		t.Errorf("explained as %d words (%v)", len(explained), err)
	}
	cfg.Marked, cfg.MarkedEpsilon, cfg.Epsilon = true, 33, 34
	marked, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := marked.ReadSpans([][]byte{[]byte(one)}, []text.Spans{{{Start: 4, End: 24}}}, Position{})
	if err != nil || p.Counts().Draws != parts {
		t.Errorf("with spans: %+v (%v)", p, err)
	}
	e, err := OpenEmbedder(t.Context(), Vectors{Of: Tokens, Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Embed(t.Context(), one)
	if err != nil || v.Rows != parts {
		t.Errorf("%d vectors (%v)", v.Rows, err)
	}
	if counts, err := e.Count(t.Context(), strings.NewReader(one), Stream{}); err != nil || counts.Draws != parts {
		t.Errorf("%d vectors are counted (%v)", counts.Draws, err)
	}
}
