package sotto

import (
	"bytes"
	"context"
	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/privacy"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/canceltest"
)

// The search for the epsilon per token treats an epsilon that fails as one that does not
// hold. A cancelled context must not be mistaken for that.
func TestCapThatIsInterruptedChoosesNoSmallerEpsilon(t *testing.T) {
	for _, member := range []string{"neighbours", "tem"} {
		cfg := Words{Table: lettertest.Table(t, 20), Mechanism: member, Cap: Cap{Epsilon: 20, Delta: 1e-6, Tokens: 2000}} // more than basic composition gives
		want, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		canceltest.Everywhere(t, func(ctx context.Context) error {
			r, err := Open(ctx, cfg)
			if err == nil && r.Claim().Epsilon != want.Claim().Epsilon {
				t.Errorf("%s: epsilon %v was chosen, want %v", member, r.Claim().Epsilon, want.Claim().Epsilon)
			}
			if err != nil && r != nil {
				t.Errorf("%s: half open", member)
			}
			return err
		})
	}
}

// An interrupted draw returns nothing, and another draw of the same batch is refused: its
// price is spent.
func TestDrawEndsWithItsContextAndReturnsNothing(t *testing.T) {
	seed := uint64(5)
	model := lettertest.Model(t)
	for name, cfg := range map[string]Configuration{
		"words":       Config{Mechanism: "tem", Epsilon: 4, Published: true, Table: lettertest.Table(t, 20)},
		"seeded":      Config{Epsilon: 4, Table: lettertest.Table(t, 20), InsecureSeed: &seed},
		"consistent":  Config{Epsilon: 4, Table: lettertest.Table(t, 20), Unit: privacy.Word},
		"whole texts": Texts{Mechanism: "adept", Model: model, Epsilon: 4},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Open(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			var texts [][]byte
			for range 600 {
				texts = append(texts, []byte(strings.Repeat("a b ", 2)))
			}
			canceltest.Everywhere(t, func(ctx context.Context) error {
				p, err := r.Read(texts)
				if err != nil {
					t.Fatal(err)
				}
				out, err := p.Draw(ctx)
				if err != nil && out != nil || err == nil && len(out) != len(texts) {
					t.Fatalf("%d texts and %v", len(out), err)
				}
				if again, second := p.Draw(t.Context()); second == nil || again != nil {
					t.Fatal("a batch was drawn twice")
				}
				return err
			})
		})
	}
}

// A capped draw and a scope's draw end with their context like others.
func TestCappedAndScopedDrawsEndWithTheirContext(t *testing.T) {
	texts := [][]byte{[]byte(strings.Repeat("a b c d ", 1000)), []byte("e f")}
	draws := map[string]func(context.Context, *Pending) (int, error){
		"capped": func(ctx context.Context, p *Pending) (int, error) {
			out, err := p.Draw(ctx)
			return len(out), err
		},
		"scoped": func(ctx context.Context, p *Pending) (int, error) {
			out, err := p.DrawDistinct(ctx, []int{0, 3, 5})
			return len(out), err
		},
	}
	for name, cfg := range map[string]Configuration{
		"capped": Words{Table: lettertest.Table(t, 20), Cap: Cap{Epsilon: 9, Tokens: 2000, Over: Clamp}},
		"scoped": Words{Table: lettertest.Table(t, 20), Epsilon: 4, Scoped: true},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Open(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			canceltest.Everywhere(t, func(ctx context.Context) error {
				p, err := r.Read(texts)
				if err != nil {
					t.Fatal(err)
				}
				n, err := draws[name](ctx, p)
				if (err == nil) != (n > 0) {
					t.Fatalf("%d results and %v", n, err)
				}
				if _, again := draws[name](t.Context(), p); again == nil {
					t.Fatal("a batch was drawn twice")
				}
				return err
			})
		})
	}
}

// Embedding and copying a stream end with their context.
func TestEmbeddingAndCopyingEndWithTheirContext(t *testing.T) {
	e, err := OpenEmbedder(t.Context(), Vectors{Table: lettertest.Table(t, 20), Epsilon: 4})
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{[]byte("a"), []byte("b"), []byte("c d")}
	canceltest.Everywhere(t, func(ctx context.Context) error {
		out, _, err := e.EmbedAll(ctx, texts, Position{})
		if err != nil && out != nil {
			t.Fatal("vectors beside an error")
		}
		return err
	})
	r, err := Open(t.Context(), Config{Table: lettertest.Table(t, 20), Epsilon: 4})
	if err != nil {
		t.Fatal(err)
	}
	canceltest.Everywhere(t, func(ctx context.Context) error {
		var out bytes.Buffer
		_, err := r.Copy(ctx, &out, strings.NewReader(strings.Repeat("a b c\n", 1000)), Stream{})
		if err == nil && bytes.Count(out.Bytes(), []byte("\n")) != 1000 {
			t.Errorf("%d lines", bytes.Count(out.Bytes(), []byte("\n")))
		}
		return err
	})
}
