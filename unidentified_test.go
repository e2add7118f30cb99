package sotto

import (
	"io"
	"strings"
	"testing"
)

// A statement identifies nothing where a part of a text was copied, where not all that it counts
// was drawn, or where a part of a run is not identified.
func TestWhatIsNotDrawnIsNotIdentified(t *testing.T) {
	plain, spans := spansOf("my [doctor] agreed")
	for _, cfg := range []Configuration{Words{Epsilon: 8, Marked: true}, Marks{Epsilon: 4}} {
		r, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Copy(t.Context(), io.Discard, strings.NewReader(plain+"\n"), Stream{Spans: lists{spans}})
		if err != nil || s.Drawn != nil || s.Documents != 1 {
			t.Errorf("%+v: %+v, %v", cfg, s, err)
		}
	}
	r, err := Open(t.Context(), Config{Epsilon: 8})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Read([][]byte{[]byte("the river")})
	if err != nil {
		t.Fatal(err)
	}
	before := p.Counts()
	if _, err := p.Draw(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := p.Counts()
	if r.Statement(before).Drawn != nil || r.Statement(after).Drawn == nil {
		t.Errorf("%+v before, %+v after", before, after)
	}
	for _, parts := range [][]Counts{{before, after}, {after, before}, {{}, after, before, {}}} {
		var all Counts
		for _, c := range parts {
			all.Add(c)
		}
		if all.Documents != 2 || r.Statement(all).Drawn != nil {
			t.Errorf("%+v is identified", all)
		}
	}
	marked := r.Statement(after)
	marked.Drawn.SHA256 = strings.ToUpper(marked.Drawn.SHA256)
	if r.Verify(&marked) == nil {
		t.Error("what no texts have identifies them")
	}
}
