package synthesis

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/altered"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text/about"
)

// A statement is verified after it was written and read, and one that was changed is not.
func TestStatementsAreVerified(t *testing.T) {
	stage.Unraced(t)
	for _, o := range []Options{
		{Epsilon: 1}, {Epsilon: 0.3, Expect: 500}, {Epsilon: 2, PerUser: 3}, {Epsilon: 1, PerUser: 40, Delta: 1e-6}, {Epsilon: 50}, {Epsilon: 1, PerUser: 2000, Delta: 1e-6},
	} {
		o.Columns = []Column{labels(t, "label", "sport", "money"), binsOf(t, "stars", "1..2")}
		p := planOf(t, o)
		counts := p.NewCounts()
		for i := range 40 {
			counts.Add(p.Vote([]Record{{Text: []byte(sentence(i%4, i)), Labels: [][]byte{[]byte("sport"), []byte("1")}, User: []byte{byte(i)}}}))
		}
		r, err := p.Release(counts, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(r.Statement())
		if err != nil {
			t.Fatal(err)
		}
		read := func() (s Statement) {
			if err := json.Unmarshal(data, &s); err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := read()
		if err := s.Verify(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
		one := 1
		for name, change := range map[string]func(s *Statement){
			"a smaller epsilon":    func(s *Statement) { s.Claim.Epsilon *= 0.9 },
			"other parts":          func(s *Statement) { s.Epsilons.Far /= 2 },
			"less noise":           func(s *Statement) { s.Noise.Scale *= 0.9 },
			"less noise, far":      func(s *Statement) { s.Noise.FarScale *= 0.9 },
			"replace":              func(s *Statement) { s.Claim.Neighbouring = 0 },
			"another unit":         func(s *Statement) { s.Claim.Unit = "text" },
			"another total":        func(s *Statement) { s.RecordsNoisy++ },
			"a number of records":  func(s *Statement) { s.Documents = &one },
			"other cells":          func(s *Statement) { s.Cells++ },
			"a label more":         func(s *Statement) { s.Columns[0].Values = append(s.Columns[0].Values, "x") },
			"more clusters":        func(s *Statement) { s.Clusterings, s.Clusters, s.Cells = append(s.Clusterings, 300), 300, 1201 },
			"an interval":          func(s *Statement) { s.Labels[1].Low = s.Labels[1].High + 1 },
			"what is counted":      func(s *Statement) { s.Counted = map[Counted]Counted{Records: UserCells, UserCells: Records}[s.Counted] },
			"no known quantity":    func(s *Statement) { s.Counted = "texts" },
			"a wide interval":      func(s *Statement) { s.Labels[0].High++ },
			"a secret run":         func(s *Statement) { s.Claim.Assumes |= privacy.SecretRun },
			"a distance":           func(s *Statement) { s.Claim.Distance = "euclidean" },
			"another mechanism":    func(s *Statement) { s.Mechanism = "other" },
			"records per user":     func(s *Statement) { n := s.votes() * 2; s.PerUser = &n },
			"a share that is none": func(s *Statement) { s.FarShare.High = 2 },
			"no assumption":        func(s *Statement) { s.Claim.Assumes = 0 },
			"a seed":               func(s *Statement) { s.Randomness = "seeded" },
			"another standing":     func(s *Statement) { s.Standing = 0 },
			"more confidence":      func(s *Statement) { s.Confidence = 0.999 },
			"no distribution":      func(s *Statement) { s.Noise.Histogram = "none" },
			"a negative delta":     func(s *Statement) { s.Claim.Delta = -1e-9 },
			"a smaller delta":      func(s *Statement) { s.Claim.Delta *= 0.9 },
			"a larger delta":       func(s *Statement) { s.Claim.Delta = 2*s.Claim.Delta + 1e-12 },
			"a digest more":        func(s *Statement) { s.Digests = append(s.Digests, s.Digests[0], s.Digests[0]) },
			"a digest less":        func(s *Statement) { s.Digests = s.Digests[:len(s.Clusterings)-1] },
		} {
			s := read()
			before := s.Claim.Delta
			if change(&s); before == 0 && name == "a smaller delta" {
				continue
			}
			if s.Verify() == nil {
				t.Errorf("%+v: %s passes", o, name)
			}
		}
	}
}

// All figures of a statement may follow from noise that is less than its claim needs.
func TestStatementOfLessNoiseIsRefused(t *testing.T) {
	stage.Unraced(t)
	p := planOf(t, Options{Epsilon: 1, PerUser: 40, Delta: 1e-6, Columns: []Column{labels(t, "label", "sport", "money")}})
	for _, cut := range []uint64{0, p.noise.variance / 8} {
		p.noise.variance -= cut
		r, err := p.Release(p.NewCounts(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Statement()
		if err := s.Verify(); (err == nil) != (cut == 0) || err != nil && !strings.Contains(err.Error(), "noise of sigma") {
			t.Errorf("a variance less by %d: %v", cut, err)
		}
	}
}

// Whichever field of a statement is another, the statement is refused: by itself, or beside
// its corpus. What nothing else follows from may change without being seen: the version, the
// names of columns, and the number of records that was expected, as long as it chooses the
// same clusters. Without digests a statement is one of an earlier version.
func TestEachFigureIsVerified(t *testing.T) {
	stage.Unraced(t)
	options := []Options{
		{Epsilon: 0.3, Expect: 500}, {Epsilon: 1, PerUser: 40, Delta: 1e-6}, {Epsilon: 1}, {Epsilon: 2, PerUser: 3}, {Epsilon: 1, SecretRun: true},
	}
	if !stage.Runs(stage.Large) {
		options = options[:2]
	}
	for _, o := range options {
		o.Columns = []Column{labels(t, "label", "sport", "money"), binsOf(t, "stars", "1..2")}
		p := planOf(t, o)
		// Enough votes that no interval ends at 0: the noise would have to be more than 70
		// times its scale. Of a count that is far below 0 nothing follows.
		counts := p.NewCounts()
		for _, n := range counts.all() {
			*n = 100_000
		}
		r, err := p.Release(counts, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.MarshalIndent(r.Statement(), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		alone := func(data []byte) error {
			s, err := ReadStatement(data)
			if err != nil {
				return err
			}
			if s.Counted == "" {
				return errors.New("earlier versions wrote none, and so it may be missing")
			}
			return s.Verify()
		}
		free := []string{"version", "columns.*.name", "expected"}
		ofCorpus := []string{"corpus.*", "clusterings.*", "clustering_digests", "clustering_digests.*", "clustering_digests.*.sha256", "clustering_digests.*.clusters"}
		if o.Delta > 0 { // a delta that is other by little asks for the same noise
			free = append(free, "claim.delta")
		}
		altered.Check(t, data, 0, append(ofCorpus, free...), alone)
		altered.Check(t, data, 0, free, func(data []byte) error {
			if err := alone(data); err != nil {
				return err
			}
			s, err := ReadStatement(data)
			if err != nil {
				return err
			}
			return s.VerifyCorpus(t.Context(), p.o.Corpus)
		})
	}
}

// A statement is read as it is written, whatever its white space, and in no other form.
func TestStatementsAreReadStrictly(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, Columns: []Column{labels(t, "label", "sport", "money")}})
	r, err := p.Release(p.NewCounts(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r.Statement())
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "", "\t"); err != nil {
		t.Fatal(err)
	}
	for _, good := range [][]byte{data, indented.Bytes(), append(slices.Clone(data), '\n'), bytes.Replace(data, []byte(`"epsilon":1,`), []byte(`"epsilon":1.0,`), 1)} {
		if _, err := ReadStatement(good); err != nil {
			t.Errorf("%.100s is refused", good)
		}
	}
	for from, to := range map[string]string{
		`{"mechanism"`:          `{"note":"x","mechanism"`,
		`{"mechanism":`:         `{"Mechanism":`,
		`"documents":null,`:     ``,
		`"cells":`:              `"cells":1,"cells":`,
		`"epsilon":1,`:          `"epsilon":0.1,"Epsilon":1,`,
		`"unit":"record"`:       `"unit":"record","sure":true`,
		`"labels":["sport"]`:    `"labels":["sport"],"exact":5`,
		`"confidence":0.95`:     `"confidence":"0.95"`,
		`"randomness":"secure"`: `"randomness":"seeded","randomness":"secure"`,
	} {
		if !bytes.Contains(data, []byte(from)) {
			t.Fatalf("no %s in %s", from, data)
		}
		if _, err := ReadStatement(bytes.Replace(data, []byte(from), []byte(to), 1)); err == nil {
			t.Errorf("%s passes for %s", to, from)
		}
	}
	for _, bad := range [][]byte{nil, []byte("null"), []byte("{}"), append(slices.Clone(data), data...), data[:len(data)-1]} {
		if _, err := ReadStatement(bad); err == nil {
			t.Errorf("%.40q is read", bad)
		} else if strings.Contains(fmt.Sprint(err), "sport") {
			t.Errorf("%v quotes the data", err)
		}
	}
}

// A statement beside another corpus is refused, also one with the same number of texts.
func TestStatementIsOfItsCorpus(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1})
	r, err := p.Release(p.NewCounts(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Statement()
	english, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	if s.VerifyCorpus(t.Context(), p.o.Corpus) != nil || s.VerifyCorpus(t.Context(), english) == nil || s.VerifyCorpus(t.Context(), publicCorpus(t, 7)) == nil {
		t.Error("a statement fits another corpus, or not its own")
	}
	renamed := s
	if renamed.Corpus.Name = "copy"; renamed.VerifyCorpus(t.Context(), p.o.Corpus) != nil || renamed.Verify() == nil {
		t.Error("a corpus under another name is refused, or a statement with two names for it is accepted")
	}
	for what, change := range map[string]func(*Statement){
		"texts declared public or not": func(s *Statement) { s.Corpus.DeclaredPublic = !s.Corpus.DeclaredPublic },
		"no digests":                   func(s *Statement) { s.Digests = nil },
	} {
		changed := s
		if change(&changed); changed.VerifyCorpus(t.Context(), p.o.Corpus) == nil {
			t.Errorf("a statement with %s fits its corpus", what)
		}
	}
	if other := corpusFrom(t, 75, 0); other.Len() != p.o.Corpus.Len() || other.Name() != p.o.Corpus.Name() || s.VerifyCorpus(t.Context(), other) == nil {
		t.Errorf("a statement fits a corpus of %d other texts, its own has %d", other.Len(), p.o.Corpus.Len())
	}
}

// A reader of a statement finds which words for labels the cells were cut along.
func TestStatementNamesWordsForLabels(t *testing.T) {
	words, err := about.Read([]byte("a\tmatch goal\nb\tbank market\n"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	plain := publicCorpus(t, 7)
	along, err := plain.Along(t.Context(), words, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, Options{Epsilon: 1, Corpus: along, Table: table})
	r, err := p.Release(p.NewCounts(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Statement()
	if s.Corpus.About != words.Digest() || corpusFigures(plain).About != "" {
		t.Errorf("the statement names words of digest %q, want %q", s.Corpus.About, words.Digest())
	}
	if err := s.VerifyCorpus(t.Context(), along); err != nil {
		t.Error(err)
	}
	for what, digest := range map[string]string{"none": "", "others": plain.Digest()} {
		changed := s
		if changed.Corpus.About = digest; changed.VerifyCorpus(t.Context(), along) == nil {
			t.Errorf("a statement that names %s fits the corpus", what)
		}
	}
}

// What is known of the source of the noise is stated: the package's own is secure, that of
// a test follows from a seed, and nothing is known of a caller's.
func TestStatementSaysWhoseNoiseItIs(t *testing.T) {
	seed := uint64(1)
	for _, c := range []struct {
		seed     *uint64
		src      rand.Source
		want     string
		verifies bool
	}{
		{nil, nil, "secure", true},
		{nil, rand.NewPCG(1, 2), "caller", true},
		{&seed, nil, "seeded", false},
		{&seed, rand.NewPCG(1, 2), "seeded", false},
	} {
		p := planOf(t, Options{Epsilon: 1, InsecureSeed: c.seed})
		r, err := p.Release(p.NewCounts(), c.src)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Statement()
		if err := s.Verify(); s.Randomness != c.want || (err == nil) != c.verifies {
			t.Errorf("randomness is %q, want %q; verified: %v", s.Randomness, c.want, err)
		}
		open := strings.Join(s.NotProtected, "\n")
		if said := strings.Contains(open, "source of the noise"); said != (c.want == "caller") {
			t.Errorf("randomness %q: not protected is\n%s", c.want, open)
		}
		if c.want == "caller" { // and the line cannot be left out
			if s.Randomness = "secure"; s.Verify() == nil {
				t.Error("a caller's source passes for a secure one")
			}
		}
	}
}
