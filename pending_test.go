package sotto_test

import (
	"bytes"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/mechanism"
)

func openNeighbours(t *testing.T, seed *uint64) *sotto.Rewriter {
	t.Helper()
	r, err := sotto.Open(sotto.Config{Spec: mechanism.Spec{Epsilon: 8}, InsecureSeed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t *testing.T, r *sotto.Rewriter, texts [][]byte) *sotto.Pending {
	t.Helper()
	p, err := r.Read(texts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWhatIsCountedBeforeTheDrawIsWhatIsDrawn(t *testing.T) {
	seed := uint64(4)
	r := openNeighbours(t, &seed)
	texts := [][]byte{[]byte("My doctor in Boston agreed."), nil, []byte("zzqx zzqy")}
	p := read(t, r, texts)
	if c := p.Counts(); c.Documents != 3 || c.Tokens != 8 || c.UnknownTokens != 2 || c.LongestTokens != 6 {
		t.Errorf("counts %+v", c)
	}
	if p.Draws() != 8 {
		t.Errorf("%d draws", p.Draws())
	}
	private, err := p.Draw(nil, 5)
	if err != nil {
		t.Fatal(err)
	}
	var counts sotto.Counts
	same, err := r.RewriteAll(nil, texts, 5, &counts)
	if err != nil {
		t.Fatal(err)
	}
	if counts != p.Counts() {
		t.Errorf("counts %+v in one call, %+v in two", counts, p.Counts())
	}
	for i := range same {
		if !bytes.Equal(private[i], same[i]) {
			t.Errorf("text %d: %q in two calls, %q in one", i, private[i], same[i])
		}
	}
}

func TestTextsAreDrawnOnce(t *testing.T) {
	p := read(t, openNeighbours(t, nil), [][]byte{[]byte("my doctor")})
	if _, err := p.Draw(nil, 0); err != nil {
		t.Fatal(err)
	}
	if out, err := p.Draw(nil, 0); err == nil || out != nil {
		t.Errorf("a second draw gave %q, %v", out, err)
	}
}
