package sotto

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/detect"
	"github.com/sotto-dp/sotto/typed"
	"pgregory.net/rapid"
)

// openTyped opens marks within their types, of unit mark unless the configuration has one.
func openTyped(t testing.TB, cfg Marks) *Rewriter {
	t.Helper()
	r, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// typedSpans finds the parts of a text in brackets that begin with a type and a bar.
func typedSpans(marks string) (plain string, spans []text.Span) {
	for marks != "" {
		before, rest, found := strings.Cut(marks, "[")
		if plain += before; !found {
			break
		}
		inside, after, _ := strings.Cut(rest, "]")
		kind, value, _ := strings.Cut(inside, "|")
		start := len([]rune(plain))
		plain += value
		spans = append(spans, text.Span{Start: start, End: len([]rune(plain)), Type: kind})
		marks = after
	}
	return plain, spans
}

// typedTexts are texts with their marks.
func typedTexts(marks ...string) (texts [][]byte, spans []text.Spans) {
	for _, m := range marks {
		plain, of := typedSpans(m)
		texts, spans = append(texts, []byte(plain)), append(spans, of)
	}
	return texts, spans
}

// drawSpans reads texts with marks and draws them.
func drawSpans(t testing.TB, r *Rewriter, texts [][]byte, spans []text.Spans) (*Pending, [][]byte) {
	t.Helper()
	p, err := r.ReadSpans(texts, spans, Position{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p, out
}

// drawTyped draws texts with marks, and returns what was counted too.
func drawTyped(t testing.TB, r *Rewriter, marks ...string) ([]string, Counts) {
	t.Helper()
	texts, spans := typedTexts(marks...)
	p, out := drawSpans(t, r, texts, spans)
	var all []string
	for _, o := range out {
		all = append(all, string(o))
	}
	return all, p.Counts()
}

// Two texts that differ in what marks hold have the same output at epsilon 0, and the same
// counts and statement at any epsilon: nothing else of a mark is read, not its length, case,
// white space, line breaks, number of words or script.
func TestNothingOfAMarkRemainsButItsType(t *testing.T) {
	kinds := typed.Types()
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		one, other := "", ""
		for range rapid.IntRange(1, 6).Draw(rt, "marks") {
			beside := rapid.SampledFrom([]string{"", " ", "x", " said: ", "'s ", "\n", "é", "木"}).Draw(rt, "beside")
			kind := rapid.SampledFrom(kinds).Draw(rt, "type")
			held := rapid.OneOf(rapid.SampledFrom([]string{" ", "Anna", "ANNA MILLER-Smith  Jones", "2024-03-17", "\n\n67", "木村", "a@b.example", "\x00"}), rapid.StringMatching(`[ -Z^-~]{1,40}`))
			one += beside + "[" + kind + "|" + held.Draw(rt, "one") + "]"
			other += beside + "[" + kind + "|" + held.Draw(rt, "other") + "]"
		}
		zero := openTyped(t, Marks{Epsilon: 0, InsecureSeed: &seed})
		a, _ := drawTyped(t, zero, one)
		b, _ := drawTyped(t, zero, other)
		if !slices.Equal(a, b) {
			rt.Fatalf("%q and %q, of %q and %q", a, b, one, other)
		}
		r := openTyped(t, Marks{Epsilon: 3})
		_, c := drawTyped(t, r, one)
		_, d := drawTyped(t, r, other)
		if c != d || fmt.Sprint(r.Statement(c)) != fmt.Sprint(r.Statement(d)) {
			rt.Fatalf("%+v and %+v, of %q and %q", c, d, one, other)
		}
	})
}

// A mark is drawn from the row of its value by the source of its text, whatever is beside
// it, and every other byte of a text is copied.
func TestMarksAreDrawnFromTheirTypesChannel(t *testing.T) {
	seed := uint64(7)
	r := openTyped(t, Marks{Epsilon: 4, InsecureSeed: &seed})
	out, counts := drawTyped(t, r, "Zoë  met [AGE|67]-year-old [PERSON|Dr. A. B] twice.", "[AGE|5]!")
	entry := r.Entry()
	sources := []func(int) []uint32{}
	for i := range 2 {
		rng := noise.Seeded(seed, Position{}.Stream(i))
		sources = append(sources, func(age int) []uint32 {
			var drawn []uint32
			for _, of := range []struct {
				name, value string
				epsilon     float64
			}{{"AGE", fmt.Sprint(age), 4}, {"PERSON", "Dr. A. B", 0}} {
				c, _ := typed.Default(of.name)
				m, err := entry.NewRetriever(t.Context(), c, mechanism.Spec{Epsilon: of.epsilon})
				if err != nil {
					t.Fatal(err)
				}
				if drawn, err = m.Draw(t.Context(), drawn, c.Encode(nil, []byte(of.value)), func(int) rand.Source { return rng }); err != nil {
					t.Fatal(err)
				}
			}
			return drawn
		})
	}
	age, _ := typed.Default("AGE")
	person, _ := typed.Default("PERSON")
	first, second := sources[0](67), sources[1](5)
	want := []string{
		"Zoë  met " + age.Text(int(first[0])) + "-year-old " + person.Text(int(first[1])) + " twice.",
		age.Text(int(second[0])) + "!",
	}
	if !slices.Equal(out, want) || counts.Draws != 3 || counts.Spans != 3 || counts.Documents != 2 {
		t.Errorf("%q, must be %q (%+v)", out, want, counts)
	}
}

// Marks of two types in one text have independent draws: with two types of one codebook of
// 1,000 values, at epsilon 0, 200 pairs agree with a chance of 1/1000 each. Two or more
// agreements happen with a chance of 0.018; more than 5 with one of 8e-8.
func TestTypesOfATextDoNotShareTheirNoise(t *testing.T) {
	given, _ := typed.Embedded("given")
	seed := uint64(3)
	r := openTyped(t, Marks{InsecureSeed: &seed, Codebooks: map[string]*typed.Codebook{"FIRST": given, "SECOND": given}})
	texts := slices.Repeat([]string{"[FIRST|a] [SECOND|b] [FIRST|c]"}, 200)
	out, _ := drawTyped(t, r, texts...)
	same, distinct := 0, map[string]bool{}
	for _, o := range out {
		parts := strings.Fields(o)
		if parts[0] == parts[1] || parts[1] == parts[2] || parts[0] == parts[2] {
			same++
		}
		distinct[o] = true
	}
	if same > 8 || len(distinct) < 195 {
		t.Errorf("%d of 200 texts have one value at two marks, %d are distinct", same, len(distinct))
	}
}

// With one draw for each value, equal values of a text have one replacement in whatever way
// they are written, and each text its own; a map carries them over texts and runs.
func TestEqualMarksHaveOneReplacement(t *testing.T) {
	texts := []string{"[PERSON|Anna Miller] and [PERSON|ANNA  Miller,] saw [LOCATION|Anna Miller].", "[PERSON|Anna Miller] [PERSON|Bob]"}
	r := openTyped(t, Marks{Distinct: true})
	out, counts := drawTyped(t, r, texts...)
	name, _, _ := strings.Cut(out[0], " and ")
	if !strings.HasPrefix(out[0], name+" and "+name+" saw ") || counts.Draws != 4 || counts.Spans != 5 {
		t.Errorf("%q, %+v", out, counts)
	}
	if s := r.Statement(counts); s.Claim.Unit != privacy.DistinctMark || !strings.Contains(strings.Join(s.NotProtected, "\n"), "hold the same value") {
		t.Errorf("%+v", s)
	}
	kept := typed.NewMap()
	r = openTyped(t, Marks{Distinct: true, Kept: kept})
	first, counts := drawTyped(t, r, texts...)
	if counts.Draws != 3 {
		t.Errorf("%+v", counts)
	}
	var file bytes.Buffer
	if err := kept.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := typed.ReadMap(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	second, _ := drawTyped(t, openTyped(t, Marks{Distinct: true, Kept: again}), texts...)
	if !slices.Equal(first, second) {
		t.Errorf("%q, and with the map %q", first, second)
	}
	if _, err := json.Marshal(kept); err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", kept, kept, kept), "Anna") {
		t.Error("a map is printed")
	}
	if _, err := Open(t.Context(), Marks{Distinct: true, Kept: again, Epsilons: map[string]float64{"PERSON": 2}}); err == nil || !strings.Contains(err.Error(), "another epsilon") {
		t.Errorf("a map of another epsilon: %v", err)
	}
	seed := uint64(3)
	for _, cfg := range []Marks{{Kept: again}, {Distinct: true, Kept: again, InsecureSeed: &seed}} {
		if _, err := Open(t.Context(), cfg); err == nil {
			t.Errorf("a map with %+v", cfg)
		}
	}
}

// A value of a scope is one draw, whatever batches its texts are read in, and none where an
// earlier run drew it.
func TestDrawsOfAScopeDoNotDependOnItsBatches(t *testing.T) {
	texts := []string{"[PERSON|Anna] [AGE|67]", "[PERSON|anna] [PERSON|Bob]", "[AGE|67] [PERSON|Bob] [PERSON|ANNA]", ""}
	kept := typed.NewMap()
	of := func(kept *typed.Map, batches ...[]string) (counts Counts) {
		r := openTyped(t, Marks{Epsilon: 3, Distinct: true, Kept: kept})
		for _, b := range batches {
			_, one := drawTyped(t, r, b...)
			counts.Add(one)
		}
		return counts
	}
	want := of(kept, texts)
	if got := of(typed.NewMap(), texts[:1], texts[1:2], texts[2:]); got != want || want.Draws != 3 || want.LongestDraws != 3 {
		t.Errorf("%+v in one batch, %+v in three", want, got)
	}
	again := of(kept, texts)
	if again.Draws != 0 || again.Types != want.Types {
		t.Errorf("%+v", again)
	}
	r := openTyped(t, Marks{Epsilon: 3, Distinct: true, Kept: kept, Strict: true})
	if err := r.Verify(ptr(r.Statement(again))); err != nil {
		t.Error(err)
	}
}

func ptr[T any](of T) *T { return &of }

// A map that was changed is refused, with nothing of it.
func TestChangedMapsAreRefused(t *testing.T) {
	kept := typed.NewMap()
	drawTyped(t, openTyped(t, Marks{Epsilon: 3, Distinct: true, Kept: kept}), "[PERSON|Anna \xff] [AGE|67] [DATE|2024-03-17]")
	var file bytes.Buffer
	if err := kept.Write(&file); err != nil {
		t.Fatal(err)
	}
	open := func(data string) error {
		m, err := typed.ReadMap(strings.NewReader(data))
		if err == nil {
			_, err = Open(t.Context(), Marks{Epsilon: 3, Distinct: true, Kept: m})
		}
		return err
	}
	if err := open(file.String()); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(file.String(), "\n")
	number := regexp.MustCompile(`"place":\d+`)
	for name, data := range map[string]string{
		"a value twice":         file.String() + lines[2],
		"a type without a head": strings.Replace(file.String(), `"type":"AGE"`, `"type":"TIME"`, 1),
		"another surrogate":     strings.Replace(file.String(), `"surrogate":"`, `"surrogate":"x`, 1),
		"another place":         number.ReplaceAllString(file.String(), `"place":5`),
		"a place beyond":        number.ReplaceAllString(file.String(), `"place":99999999`),
		"no place":              number.ReplaceAllString(file.String(), `"place":null`),
		"a negative place":      number.ReplaceAllString(file.String(), `"place":-1`),
		"a wrong digest":        strings.Replace(file.String(), `"sha256":"`, `"sha256":"0`, 1),
		"a negative epsilon":    strings.Replace(file.String(), `"epsilon":3`, `"epsilon":-3`, 1),
		"another form of name":  strings.ReplaceAll(file.String(), `"AGE"`, `"age"`),
		"a field more":          strings.Replace(file.String(), `"place"`, `"x":1,"place"`, 1),
		"the end cut off":       file.String()[:file.Len()-5],
	} {
		if err := open(data); err == nil || strings.Contains(err.Error(), "Anna") || strings.Contains(err.Error(), "67") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The claim is for a mark, given the marks and their types. A statement has the types that
// occur, and that a whole text has no bound.
func TestTypedClaimIsConditional(t *testing.T) {
	r := openTyped(t, Marks{Epsilon: 3})
	_, counts := drawTyped(t, r, "[PERSON|Anna] lives in [GPE|Boston] since [DATE_TIME|1999] and likes [NORP|two words]")
	claim, s := r.Claim(), r.Statement(counts)
	if claim.Unit != privacy.Mark || claim.Assumes&privacy.PublicSpans == 0 || !math.IsInf(claim.Epsilon, 1) || claim.Notion != privacy.Pure || claim.Assumes&privacy.LengthRevealed != 0 {
		t.Errorf("%+v", claim)
	}
	if !math.IsInf(s.Claim.Epsilon, 1) || s.Claim.Unit != claim.Unit || s.DocumentEpsilonMax != nil || s.DocumentDeltaMax != 1 || s.Tokens != nil || s.Spans == nil || *s.Spans != 4 || s.Draws != 5 {
		t.Errorf("%+v", s)
	}
	if len(s.Types) != 3 || s.Types["PERSON"].Epsilon != 0 || s.Types["DATE"].Epsilon != 3 || s.Types["LOCATION"].SHA256 == "" {
		t.Errorf("%+v", s.Types)
	}
	if u := s.Untyped; u == nil || u.Tokens != 2 || u.Claim.Unit != privacy.MarkedToken || u.Claim.Epsilon != 3 || u.Claim.Assumes&privacy.LengthRevealed == 0 {
		t.Errorf("%+v", s.Untyped)
	}
	if not := strings.Join(s.NotProtected, "\n"); !strings.Contains(not, "the total of a text is infinite") || !strings.Contains(not, "What it missed stays in clear") {
		t.Error(not)
	}
	_, counts = drawTyped(t, r, "[NORP|two words]")
	if s := r.Statement(counts); !math.IsInf(s.Claim.Epsilon, 1) || s.Cost().EpsilonEach != nil || len(s.Types) != 0 {
		t.Errorf("the words of a mark without a codebook cost %+v", s.Cost())
	}
	_, counts = drawTyped(t, r, "[PERSON|Anna]")
	if s := r.Statement(counts); s.Claim.Epsilon != 0 || s.Untyped != nil || s.Embeddings != nil || len(s.Types) != 1 {
		t.Errorf("%+v", s)
	}
	if c := r.Statement(counts).Cost(); c.EpsilonTotal != nil || c.Units != 1 {
		t.Errorf("%+v", c)
	}
	_, counts = drawTyped(t, r, "[PERSON|Anna], born [DATE|1999]")
	if s := r.Statement(counts); s.Claim.Epsilon != 3 || len(s.Types) != 2 {
		t.Errorf("the claim for two types is %+v", s.Claim)
	}
}

// A statement holds for the types that it lists, and for no other figures.
func TestStatementsOfMarksAreVerified(t *testing.T) {
	open := func(only []string) *Rewriter {
		return openTyped(t, Marks{Epsilon: 3, Strict: true, Only: only})
	}
	_, counts := drawTyped(t, open(nil), "[PERSON|Anna] [AGE|5] [AGE|6]", "")
	data, err := json.Marshal(open(nil).Statement(counts))
	if err != nil {
		t.Fatal(err)
	}
	read := func(change func(*Statement)) error {
		s, err := statement.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(s)
		}
		return open([]string{"AGE", "PERSON"}).Verify(s)
	}
	if err := read(nil); err != nil {
		t.Fatal(err)
	}
	other := func(name string, change func(*statement.TypeFigures)) func(*Statement) {
		return func(s *Statement) {
			f := s.Types[name]
			change(&f)
			s.Types[name] = f
		}
	}
	for what, change := range map[string]func(*Statement){
		"epsilon of a type":     other("AGE", func(f *statement.TypeFigures) { f.Epsilon = 2 }),
		"digest of a type":      other("AGE", func(f *statement.TypeFigures) { f.SHA256 = strings.Repeat("0", 64) }),
		"values of a type":      other("PERSON", func(f *statement.TypeFigures) { f.Values++ }),
		"epsilon of the claim":  func(s *Statement) { s.Claim.Epsilon = 1 },
		"a type that is hidden": func(s *Statement) { delete(s.Types, "AGE") },
		"draws":                 func(s *Statement) { s.Draws = 2 },
		"marks":                 func(s *Statement) { *s.Spans = 2 },
		"bound of a text":       func(s *Statement) { e := 3.0; s.DocumentEpsilonMax = &e },
		"what is not protected": func(s *Statement) { s.NotProtected = s.NotProtected[1:] },
		"unit":                  func(s *Statement) { s.Claim.Unit = privacy.Text },
	} {
		if read(change) == nil {
			t.Errorf("another %s holds", what)
		}
	}
}

// Types that have no codebook are drawn as words, or refused by the number of the span.
func TestTypesWithoutACodebookAreWordsOrRefused(t *testing.T) {
	seed := uint64(5) // no draw of it changes a word, as each does with a chance of 1e-8
	r := openTyped(t, Marks{Epsilon: 25, InsecureSeed: &seed})
	out, counts := drawTyped(t, r, "[NORP|Doctor] is [|my doctor] here")
	if parts := strings.Fields(out[0]); len(parts) != 5 || parts[1] != "is" || counts.RestTokens != 3 {
		t.Errorf("%q %+v", out, counts)
	}
	plain, spans := typedSpans("[PERSON|Anna] the [BADGE|Miller]")
	if names := r.UnknownTypes([]text.Spans{spans, spans}); !slices.Equal(names, []string{"BADGE"}) {
		t.Errorf("%q", names)
	}
	for _, cfg := range []Marks{{Epsilon: 3, Strict: true}, {}} {
		_, err := openTyped(t, cfg).ReadSpans([][]byte{[]byte(plain)}, []text.Spans{spans}, Position{})
		if err == nil || !strings.Contains(err.Error(), "span 2 has a type without a codebook") || strings.Contains(err.Error(), "Miller") || strings.Contains(err.Error(), "BADGE") {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// A piece of a copy is copied or was drawn for one mark, so that a reader sees which.
func TestPiecesOfMarksAreCopiedAndDrawnInTurn(t *testing.T) {
	r := openTyped(t, Marks{Epsilon: 4})
	texts, spans := typedTexts("[PERSON|Anna]saw [THING|the long boat]s of [LOCATION|Oslo][AGE|67].", "no mark", "", "[DATE|2024-03-17]")
	p, out := drawSpans(t, r, texts, spans)
	for i, pieces := range p.Pieces() {
		if got := strings.Join(pieces, ""); got != string(out[i]) || len(pieces) != 2*len(spans[i])+1 {
			t.Errorf("%d marks: %q is in pieces %q", len(spans[i]), out[i], pieces)
		}
		kept, _, err := text.Cut(texts[i], spans[i])
		if err != nil {
			t.Fatal(err)
		}
		for k, copied := range kept { // a space may come before it
			if got := pieces[2*k]; got != string(copied) && got != " "+string(copied) {
				t.Errorf("piece %d of %q is %q, want %q", 2*k+1, pieces, got, copied)
			}
		}
	}
}

// Marks in a stream may come from a detector that reads each text.
func TestStreamsMarkWhatADetectorFinds(t *testing.T) {
	r := openTyped(t, Marks{})
	in := "Anna, a@b.example\nno mark\ncall 212-555-0147 a@b.example\n"
	var out bytes.Buffer
	s, err := r.Copy(t.Context(), &out, strings.NewReader(in), Stream{Detect: detect.Patterns})
	if err != nil || *s.Spans != 3 || len(s.Types) != 2 {
		t.Fatalf("%+v (%v)", s, err)
	}
	if got := out.String(); strings.Contains(got, "a@b.example") || strings.Contains(got, "0147 a") || !strings.HasPrefix(got, "Anna, ") || strings.Count(got, "@example.com") != 2 {
		t.Errorf("%q", got)
	}
	given := lists{{{Start: 0, End: 4, Type: "PERSON"}, {Start: 6, End: 12, Type: "ID"}}, nil, nil}
	out.Reset()
	if s, err = r.Copy(t.Context(), &out, strings.NewReader(in), Stream{Spans: given, Detect: detect.Patterns}); err != nil || *s.Spans != 4 || s.Types["ID"].Codebook != "id" {
		t.Errorf("%+v (%v)", s, err)
	}
	if line, _, _ := strings.Cut(out.String(), "\n"); !strings.HasSuffix(line, " example") && !strings.HasSuffix(line, ".example") && !strings.Contains(line, "ample") {
		t.Errorf("a mark that overlaps a given one is drawn too: %q", line)
	}
	if _, err := r.Read([][]byte{[]byte(in)}); !errors.Is(err, release.ErrNeedsSpans) {
		t.Errorf("%v", err)
	}
}

// The draws of a stream with a key depend on the types of marks, so the same noise never
// meets two sets of marks.
func TestKeysOfMarksDependOnTheirTypes(t *testing.T) {
	r := openTyped(t, Marks{Codebooks: map[string]*typed.Codebook{"OTHERNAMES": mustCodebook(t, "given")}})
	key := noise.NewKey([]byte("the key of a test of marks"))
	draw := func(kind string) string {
		var out bytes.Buffer
		if _, err := r.Copy(t.Context(), &out, strings.NewReader("Anna Anna Anna"), Stream{Key: &key, Spans: lists{{
			{Start: 0, End: 4, Type: kind}, {Start: 5, End: 9, Type: "GIVEN_NAME"}, {Start: 10, End: 14, Type: "GIVEN_NAME"}}}}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	a, other := draw("GIVEN_NAME"), draw("OTHERNAMES")
	if a != draw("GIVEN_NAME") {
		t.Errorf("%q, and again %q", a, draw("GIVEN_NAME"))
	}
	for _, value := range strings.Fields(other) { // the codebooks are the same, in whatever order they are drawn from
		if strings.Contains(a, value) {
			t.Errorf("%q, and with another type %q: the noise is the same", a, other)
		}
	}
}

func mustCodebook(t *testing.T, name string) *typed.Codebook {
	c, ok := typed.Embedded(name)
	if !ok {
		t.Fatal(name)
	}
	return c
}

// At an epsilon, how often the right value comes out is that of the channel: 20,000 draws of
// AGE at epsilon 2 keep the value with the chance of a member of its set; the count is within 6 standard
// deviations, which fails with a chance below 2e-9.
func TestMarksKeepTheirValueWithTheChannelsChance(t *testing.T) {
	const draws = 20_000
	seed := uint64(21)
	r := openTyped(t, Marks{Epsilon: 2, InsecureSeed: &seed})
	out, _ := drawTyped(t, r, slices.Repeat([]string{"[AGE|67]"}, draws)...)
	right := 0
	for _, o := range out {
		if o == "67" {
			right++
		}
	}
	age := mustCodebook(t, "age")
	m, err := r.Entry().NewRetriever(t.Context(), age, mechanism.Spec{Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	p := m.Levels().Inside
	if deviation := math.Sqrt(draws * p * (1 - p)); math.Abs(float64(right)-draws*p) > 6*deviation {
		t.Errorf("%d of %d draws keep the value, %.1f are expected", right, draws, draws*p)
	}
}
