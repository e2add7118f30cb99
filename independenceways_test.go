package sotto

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/typed"
)

// opened opens a rewriter for a way.
func opened(t *testing.T, cfg Configuration, seed *uint64) *Rewriter {
	t.Helper()
	r, err := Open(t.Context(), with(cfg, nil, seed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// with returns a configuration with a seed and, for words, with a table if one is given.
func with(cfg Configuration, table *embedding.Table, seed *uint64) Configuration {
	switch c := cfg.(type) {
	case Config:
		if c.InsecureSeed = seed; c.Unit != privacy.Text && table != nil {
			c.Table = table
		}
		return c
	case Words:
		if c.InsecureSeed = seed; table != nil {
			c.Table = table
		}
		return c
	case Texts:
		c.InsecureSeed = seed
		return c
	case Marks:
		c.InsecureSeed = seed
		return c
	}
	return nil
}

// equalLines returns a stream of equal lines.
func equalLines(line string, n int) string { return strings.Repeat(line+"\n", n) }

// wordAt returns a text of the word at n places.
func wordAt(n int) string { return strings.TrimSpace(strings.Repeat(theWord+" ", n)) }

// copied is the way of a stream of lines by many workers. cut divides the draws of a copy into
// sequences.
func (r *reached) copied(cfg Configuration, in string, s Stream, cut func(copies string) map[string][]string) way {
	return way{keyed: true, open: func(t *testing.T, seed *uint64) session {
		rewriter := opened(t, with(cfg, letterWords(t), nil), seed)
		s.Workers = 4
		if seed == nil && r.keyed {
			key := noise.NewKey([]byte(crand.Text()))
			s.Key = &key
		}
		return func(call int) (map[string][]string, error) {
			stream := s
			stream.First = uint64(call) << 16 // the seeded calls have batches of their own
			out, err := r.copyOf(rewriter, in, stream)
			if err != nil {
				return nil, err
			}
			return cut(out), nil
		}
	}}
}

func allTokens(copies string) map[string][]string {
	return map[string][]string{"tokens": tokensOf(copies)}
}

// oncePerLine returns one token of each line: all tokens of a line share a draw.
func oncePerLine(copies string) map[string][]string {
	var drawn []string
	for line := range strings.Lines(copies) {
		tokens := tokensOf(line)
		for _, other := range tokens {
			if other != tokens[0] {
				return map[string][]string{"not one draw per distinct word": {}}
			}
		}
		drawn = append(drawn, tokens[0])
	}
	return map[string][]string{"distinct words": drawn}
}

// withinAndBeyond separates the first tokens of each line from those beyond a cap.
func withinAndBeyond(allowed int) func(copies string) map[string][]string {
	return func(copies string) map[string][]string {
		out := map[string][]string{}
		for line := range strings.Lines(copies) {
			tokens := tokensOf(line)
			out["within"] = append(out["within"], tokens[:allowed]...)
			out["beyond"] = append(out["beyond"], tokens[allowed:]...)
		}
		return out
	}
}

// alternating separates tokens inside spans from those between them.
func alternating(copies string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(copies) {
		for i, token := range tokensOf(line) {
			where := []string{"outside", "inside"}[i%2]
			out[where] = append(out[where], token)
		}
	}
	return out
}

// insideSpans are the tokens between digits, which are copied.
func insideSpans(copies string) map[string][]string {
	out := map[string][]string{}
	for _, token := range tokensOf(copies) {
		if token != "0" {
			out["inside"] = append(out["inside"], token)
		}
	}
	return out
}

// waysOfWords are the maps over words.
func waysOfWords(seen *reached) map[string]way {
	const linesAtOnce, tokensAtLine = 24, 16
	base := Config{Epsilon: 1}
	capped := Words{Epsilon: 1, Cap: Cap{Epsilon: 8, Tokens: 8, Over: Clamp}}
	wideCap := Words{Epsilon: 1, Cap: Cap{Epsilon: 3000, Tokens: 3000, Over: Clamp}}
	word := Config{Epsilon: 1, Unit: privacy.Word}
	short := equalLines(wordAt(tokensAtLine), linesAtOnce)
	many := equalLines(theWord+strings.Repeat(" ", 1000), 1500) // some batches
	wide := strings.Repeat(theWord+strings.Repeat(" ", 80), 6000)
	marks, marksAt := strings.TrimSpace(strings.Repeat("0 "+theWord+" ", 6)), []text.Span(nil)
	both, bothAt := wordAt(12), []text.Span(nil)
	for i := range 6 {
		marksAt = append(marksAt, text.Span{Start: 5*i + 2, End: 5*i + 4})
		bothAt = append(bothAt, text.Span{Start: 6*i + 3, End: 6*i + 5})
	}
	spansOf := func(one []text.Span) (all lists) {
		for range linesAtOnce * 3 {
			all = append(all, one)
		}
		return all
	}
	letters, err := typed.Read(strings.NewReader(strings.Join(tokensOf(allLetters()), "\n")), "letters", "LETTERS")
	if err != nil {
		panic(err)
	}
	typedCfg := Marks{Epsilon: 1, Only: []string{"LETTERS", "OTHERS"}, Epsilons: map[string]float64{"LETTERS": 1, "OTHERS": 1},
		Codebooks: map[string]*typed.Codebook{"LETTERS": letters, "OTHERS": letters}}
	typedAt := slices.Clone(marksAt)
	for i := range typedAt {
		typedAt[i].Type = []string{"LETTERS", "OTHERS"}[i%2]
	}
	markedRestWay := seen.copied(Words{Epsilon: 1, Marked: true, MarkedEpsilon: 1.001}, equalLines(both, linesAtOnce*3), Stream{Spans: spansOf(bothAt)}, alternating)
	markedRestWay.same = []string{"inside", "outside"}
	return map[string]way{
		"tokens":                      seen.copied(base, short, Stream{}, allTokens),
		"tokens, batches and workers": seen.copied(base, many, Stream{}, allTokens),
		"tokens, one text":            seen.copied(base, wordAt(70_000), Stream{Format: text.Text}, allTokens),
		"cap":                         seen.copied(capped, short, Stream{}, withinAndBeyond(8)),
		"cap, parts of a text":        seen.copied(wideCap, wide, Stream{Format: text.Text}, withinAndBeyond(3000)),
		"distinct words":              seen.copied(word, equalLines(wordAt(3), linesAtOnce*8), Stream{}, oncePerLine),
		"marked":                      seen.copied(Words{Epsilon: 1, Marked: true}, equalLines(marks, linesAtOnce*3), Stream{Spans: spansOf(marksAt)}, insideSpans),
		"marked and rest":             markedRestWay,
		"marks of types":              seen.copied(typedCfg, equalLines(marks, linesAtOnce*3), Stream{Spans: spansOf(typedAt)}, insideSpans),
		"scope":                       {calls: 800, open: seen.scoped},
		"rewrite": {calls: 200, open: func(t *testing.T, seed *uint64) session {
			c := base
			c.Table = letterWords(t)
			r := opened(t, c, seed)
			return func(call int) (map[string][]string, error) {
				if seed != nil { // Rewrite is at the same place in each call
					p, err := r.ReadAt([][]byte{[]byte(wordAt(4))}, Position{Text: uint64(call)})
					if err != nil {
						return nil, err
					}
					out, err := p.Draw(context.Background())
					return allTokens(string(bytes.Join(out, []byte(" ")))), err
				}
				one, err := r.Rewrite(context.Background(), wordAt(4))
				return allTokens(one.Text), err
			}
		}},
	}
}

// scoped draws once for the word in each call, as the scopes of a ledger do. A scope has no
// places in a run: each seeded call has a seed of its own.
func (r *reached) scoped(t *testing.T, seed *uint64) session {
	cfg := Words{Epsilon: 1, Unit: privacy.Word, Scoped: true, Table: letterWords(t)}
	rewriter := opened(t, cfg, nil)
	return func(call int) (map[string][]string, error) {
		use := rewriter
		if seed != nil {
			own := *seed<<32 + uint64(call)
			use = opened(t, cfg, &own)
		}
		p, err := use.Read([][]byte{[]byte(wordAt(3))})
		if err != nil {
			return nil, err
		}
		if err := r.see(release.Texts{Bytes: [][]byte{[]byte(wordAt(3))}}, use); err != nil {
			return nil, err
		}
		if _, err := p.Draw(context.Background()); err == nil {
			return nil, fmt.Errorf("a scope draws by itself")
		}
		drawn, err := p.DrawDistinct(context.Background(), []int{0})
		if err != nil {
			return nil, err
		}
		out, err := p.Compose(drawn)
		if err != nil {
			return nil, err
		}
		return oncePerLine(string(out[0]) + "\n"), nil
	}
}

// spread is an epsilon at which draws of a member for one word differ.
func spread(t *testing.T, e mechanism.Entry) float64 {
	if e.Above == nil {
		return 0.5
	}
	above, err := e.Above(t.Context(), letterWords(t))
	if err != nil {
		t.Fatal(err)
	}
	return max(0.5, 1.01*above)
}

// waysOfMembers are the members for words.
func waysOfMembers(t *testing.T, seen *reached) map[string]way {
	all := map[string]way{}
	for _, e := range catalog.All() {
		if e.New == nil {
			continue
		}
		cfg := Config{Mechanism: e.Name, Epsilon: spread(t, e), Accept: privacy.Refuted}
		all["member "+e.Name] = seen.copied(cfg, equalLines(wordAt(16), 24), Stream{}, allTokens)
	}
	return all
}

// waysOfTexts are the ways for whole texts.
func waysOfTexts(t *testing.T, seen *reached) map[string]way {
	model, all := lettertest.Model(t), map[string]way{}
	book, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	whole := func(copies string) map[string][]string {
		return map[string][]string{"texts": strings.Split(strings.TrimSuffix(copies, "\n"), "\n")}
	}
	for _, e := range catalog.All() {
		cfg := Texts{Mechanism: e.Name, Epsilon: 2, Accept: privacy.Refuted}
		switch {
		case e.NewLatent != nil:
			cfg.Model = model
			if e.Notion == privacy.Approximate {
				cfg.Epsilon = 0.5
			}
		case e.NewRetriever != nil:
			cfg.Corpus = book
		default:
			continue
		}
		all["texts "+e.Name] = seen.copied(cfg, equalLines("wa wb", 600), Stream{}, whole)
		if e.NewRetriever == nil {
			continue
		}
		all["pool "+e.Name] = way{calls: 4, open: func(t *testing.T, seed *uint64) session {
			c := cfg
			c.PerUser = 150
			r := opened(t, c, seed)
			return func(call int) (map[string][]string, error) {
				users := r.Users("u")
				p, err := r.Pool(PoolOptions{Padded: true, Users: users})
				if err != nil {
					return nil, err
				}
				var in strings.Builder
				for user := range 3 { // each has texts of its own, and as many are added
					for range 75 {
						fmt.Fprintf(&in, "{\"u\":\"%d\",\"t\":\"\"}\n", user)
					}
				}
				s := Stream{Format: text.JSONL, Fields: []string{"t"}, Workers: 4, First: uint64(call) << 16}
				if err := p.Read(context.Background(), strings.NewReader(in.String()), s); err != nil {
					return nil, err
				}
				if err := p.Finish(context.Background(), nil); err != nil {
					return nil, err
				}
				var drawn []string
				err = p.Write(func(_ string, text []byte) error { drawn = append(drawn, string(text)); return nil })
				return map[string][]string{"texts": drawn}, err
			}
		}}
	}
	return all
}

// waysOfVectors are the members for vectors, of words and of texts, and of the encoder of a corpus.
func waysOfVectors(t *testing.T) map[string]way {
	all := map[string]way{}
	book, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range catalog.All() {
		if e.NewPerturber == nil {
			continue
		}
		forms := []mechanism.Values{nil}
		if e.Name == "privunit" {
			forms = []mechanism.Values{{"form": "codebook"}, {"form": "continuous"}}
		}
		for _, form := range forms {
			for _, of := range []Of{Tokens, Documents} {
				name := strings.TrimSpace(fmt.Sprintf("vectors of %s by %s %s", of, e.Name, form["form"]))
				all[name] = wayOfVectors(e, Vectors{Of: of, Parameters: form})
			}
			if e.NewEncoded != nil {
				all["vectors of a corpus by "+e.Name+" "+form["form"]] = wayOfVectors(e, Vectors{Of: Documents, Parameters: form, Corpus: book})
			}
		}
	}
	return all
}

func wayOfVectors(e mechanism.Entry, cfg Vectors) way {
	return way{open: func(t *testing.T, seed *uint64) session {
		cfg.Mechanism, cfg.Epsilon, cfg.Accept, cfg.InsecureSeed = e.Name, spread(t, e), privacy.Refuted, seed
		if cfg.Corpus == nil {
			cfg.Table = letterWords(t)
		}
		embedder, err := OpenEmbedder(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		return func(call int) (map[string][]string, error) {
			var drawn []string
			keep := func(vectors []release.Vectors) error {
				for _, v := range vectors {
					for row := range v.Rows {
						n := len(v.Components) / v.Rows
						drawn = append(drawn, fmt.Sprint(v.Components[row*n:(row+1)*n]))
					}
				}
				return nil
			}
			in := equalLines(wordAt(3), 300)
			_, err := embedder.Copy(context.Background(), keep, strings.NewReader(in), Stream{Workers: 4, First: uint64(call) << 16})
			return map[string][]string{"vectors": drawn}, err
		}
	}}
}

// Seeded draws are made some words at a time, as unseeded ones are: no member draws otherwise
// for that.
func TestSeededDrawsOfManyWordsAreThoseOfSomeAtATime(t *testing.T) {
	words := make([]embedding.ID, 2*unit.WordsAtOnce+300)
	for i := range words {
		words[i] = embedding.ID(i * i % letterWords(t).Len())
	}
	for _, e := range catalog.All() {
		if e.New == nil {
			continue
		}
		m := opened(t, Config{Mechanism: e.Name, Epsilon: spread(t, e), Accept: privacy.Refuted, Table: letterWords(t)}, nil).Mechanism()
		once, err := m.Replace(nil, words, noise.Seeded(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		var some []embedding.ID
		rng := noise.Seeded(1, 1)
		for now := range slices.Chunk(words, unit.WordsAtOnce) {
			if some, err = m.Replace(some, now, rng); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(once, some) {
			t.Errorf("%s: %d words are drawn otherwise in parts of %d", e.Name, len(words), unit.WordsAtOnce)
		}
	}
}

// allLetters are the words of the letter table.
func allLetters() string {
	table, err := letterTable()
	if err != nil {
		panic(err)
	}
	var words []string
	for i := range table.Len() {
		words = append(words, table.Word(embedding.ID(i)))
	}
	return strings.Join(words, " ")
}
