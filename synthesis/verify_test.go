package synthesis

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
)

// A statement is verified after it was written and read, and one that was changed is not.
func TestStatementsAreVerified(t *testing.T) {
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
		} {
			s := read()
			change(&s)
			if s.Verify() == nil {
				t.Errorf("%+v: %s passes", o, name)
			}
		}
	}
}

// alterations returns copies of a value in each of which one figure is another, with the
// name of the figure.
func alterations(v reflect.Value, name string, emit func(name string, change func())) {
	set := func(x any) func() { return func() { v.Set(reflect.ValueOf(x).Convert(v.Type())) } }
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			alterations(v.Field(i), name+"."+v.Type().Field(i).Name, emit)
		}
	case reflect.Pointer:
		if v.IsNil() {
			emit(name, func() { v.Set(reflect.New(v.Type().Elem())) })
			return
		}
		emit(name, func() { v.SetZero() })
		alterations(v.Elem(), name, emit)
	case reflect.Slice:
		emit(name, func() { v.SetZero() })
		if v.Len() == 0 {
			emit(name, func() { v.Set(reflect.MakeSlice(v.Type(), 1, 1)) })
			return
		}
		emit(name, func() { v.Set(v.Slice(0, v.Len()-1)) })
		emit(name, func() { v.Set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), v.Index(0))) })
		for i := range v.Len() {
			alterations(v.Index(i), name, emit)
		}
	case reflect.String:
		emit(name, set(v.String()+"x"))
		emit(name, set(""))
		if digits := []byte(v.String()); len(digits) == 64 { // another digest
			if digits[63]++; !strings.ContainsRune("0123456789abcdef", rune(digits[63])) {
				digits[63] = '0'
			}
			emit(name, set(string(digits)))
		}
	case reflect.Bool:
		emit(name, set(!v.Bool()))
	case reflect.Float64:
		for _, x := range []float64{v.Float() / 2, 2 * v.Float(), 0 - v.Float()} {
			emit(name, set(x))
		}
		emit(name, set(v.Float()+1e-3))
	case reflect.Uint8:
		for bit := range 8 {
			emit(name, set(v.Uint()^1<<bit))
		}
	default:
		for _, by := range []int64{1, -1, 1_000_000, -1_000_000} {
			emit(name, set(v.Int()+by))
		}
	}
}

// Whichever figure of a statement is another, the statement is refused: by itself, or
// beside its corpus. What nothing else follows from may change without being seen: the
// version, the names of columns, and the number of records that was expected, as long as
// it chooses the same clusters.
func TestEachFigureIsVerified(t *testing.T) {
	for _, o := range []Options{
		{Epsilon: 1}, {Epsilon: 0.3, Expect: 500}, {Epsilon: 2, PerUser: 3}, {Epsilon: 1, PerUser: 40, Delta: 1e-6}, {Epsilon: 1, SecretRun: true},
	} {
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
		read := func() *Statement {
			s, err := ReadStatement(data)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		if err := errors.Join(read().Verify(), read().VerifyCorpus(t.Context(), p.o.Corpus)); err != nil {
			t.Fatal(err)
		}
		original, err := json.Marshal(read())
		if err != nil {
			t.Fatal(err)
		}
		free := []string{".Version", ".Columns.Name", ".Expected"}
		count := 0
		for i := 0; ; i++ {
			s := read()
			var names []string
			var changes []func()
			alterations(reflect.ValueOf(s).Elem(), "", func(name string, change func()) { names, changes = append(names, name), append(changes, change) })
			if i == len(changes) {
				break
			}
			changes[i]()
			altered := names[i]
			if s.Counted == "" {
				continue // earlier versions wrote none
			}
			data, err := json.Marshal(s)
			if bytes.Equal(data, original) {
				continue // half of nothing
			}
			count++
			if err != nil {
				continue // it cannot be written
			}
			again, err := ReadStatement(data)
			if err == nil {
				err = again.Verify()
			}
			alone := err == nil
			if alone {
				err = again.VerifyCorpus(t.Context(), p.o.Corpus)
			}
			if err == nil && !slices.Contains(free, altered) {
				t.Errorf("epsilon %g, %d per user: another %s passes: %s", o.Epsilon, o.PerUser, altered, data)
			}
			if alone && !strings.HasPrefix(altered, ".Corpus") && altered != ".Clusterings" && !slices.Contains(free, altered) {
				t.Errorf("epsilon %g, %d per user: another %s passes without the corpus: %s", o.Epsilon, o.PerUser, altered, data)
			}
		}
		if count < 100 {
			t.Errorf("%d alterations", count)
		}
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
	if other := corpusFrom(t, 75, 0); other.Len() != p.o.Corpus.Len() || other.Name() != p.o.Corpus.Name() || s.VerifyCorpus(t.Context(), other) == nil {
		t.Errorf("a statement fits a corpus of %d other texts, its own has %d", other.Len(), p.o.Corpus.Len())
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
