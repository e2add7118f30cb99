package sotto_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/shuffle"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// pooled reads streams into a pool and returns what it writes.
func pooled(t testing.TB, r *sotto.Rewriter, o sotto.PoolOptions, s sotto.Stream, inputs ...string) (texts, users []string, statement sotto.Statement) {
	t.Helper()
	p, err := r.Pool(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		if err := p.Read(t.Context(), strings.NewReader(in), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Write(nil); err == nil {
		t.Error("a pool is written before it is finished")
	}
	if err := p.Finish(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	err = p.Write(func(user string, text []byte) error {
		texts, users = append(texts, string(text)), append(users, user)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	statement = p.Statement()
	if own := statement.Drawn; own == nil || *own != sotto.Identified(texts...) {
		t.Errorf("%d texts are written, the statement is of %+v", len(texts), own)
	}
	return texts, users, statement
}

// Without a seed the order is random too, and nothing is lost or added.
func TestShuffleKeepsWhatWasDrawn(t *testing.T) {
	r := nearestOf(t)
	vectors, in := make(matrix, 60), ""
	for i := range vectors {
		vectors[i] = make([]float64, 3)
		vectors[i][min(2, i/10)] = 1
		in += fmt.Sprintf("{\"label\":\"secret%d\",\"t\":\"x\"}\n", i)
	}
	texts, users, s := pooled(t, r, sotto.PoolOptions{Shuffled: true}, sotto.Stream{Format: text.JSONL, Fields: []string{"t"}, Vectors: vectors}, in)
	if slices.IsSorted(texts) { // by chance: 10! 10! 40!/60! < 1e-20
		t.Error("the order is that of the input")
	}
	counts := map[string]int{}
	for _, x := range texts {
		counts[x]++
	}
	if counts["first"] != 10 || counts["second"] != 10 || counts["third"] != 40 || len(counts) != 3 || strings.Join(users, "") != "" {
		t.Errorf("written: %v", counts)
	}
	if s.Documents != 60 || s.Claim.Unit != privacy.Text || s.Claim.Epsilon != 25 || s.Shuffled == nil || s.Shuffled.Records != 60 {
		t.Errorf("the statement is %+v", s)
	}
}

// The statement has the best sound bound against a reader of the shuffled file.
func TestShuffledFileStatesItsBound(t *testing.T) {
	stage.Unraced(t)
	r := openRetrieved(t, sotto.Texts{Epsilon: 1, Corpus: indexedCorpus(t, 0)})
	in := strings.Repeat("a\n", 1500)
	_, _, s := pooled(t, r, sotto.PoolOptions{Shuffled: true, Delta: 1e-5}, sotto.Stream{}, in, in)
	levels := shuffle.Release{Records: 3000, Epsilon: 1, Texts: s.Corpus.Texts, Neighbours: *s.Neighbours}
	want, err := levels.AtDelta(1e-5)
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Shuffled; f.Records != 3000 || f.Epsilon != want.Epsilon || f.Delta != 1e-5 || f.Bound != want.Method || f.Epsilon >= 0.2 {
		t.Errorf("the figures are %+v, want %+v", f, want)
	}
	if s.Claim.Epsilon != 1 || s.Documents != 3000 {
		t.Errorf("the claim is %+v for %d texts", s.Claim, s.Documents)
	}
	if all := strings.Join(s.NotProtected, "\n"); strings.Contains(all, "their order") || strings.Contains(all, "other fields and columns") || !strings.Contains(all, "sees rows arrive") {
		t.Errorf("not protected:\n%s", all)
	}
	if text := s.String(); !strings.Contains(text, "Shuffled") || !strings.Contains(text, "of 3000 texts") {
		t.Errorf("printed:\n%s", text)
	}
	for n, delta := range map[int]float64{1: 1e-6, 12_000: shuffle.DefaultDelta(12_000)} {
		_, _, s := pooled(t, r, sotto.PoolOptions{Shuffled: true}, sotto.Stream{}, strings.Repeat("\n", n))
		if f := s.Shuffled; f.Records != n || f.Bound != shuffle.Local && f.Delta != delta || f.Bound == shuffle.Local && (f.Delta != 0 || f.Epsilon != 1) {
			t.Errorf("%d texts: %+v, want delta %g", n, f, delta)
		}
	}
	_, _, s = pooled(t, r, sotto.PoolOptions{Shuffled: true}, sotto.Stream{})
	if s.Shuffled.Records != 0 || s.Documents != 0 {
		t.Errorf("no texts: %+v", s.Shuffled)
	}
}

// The first rows of a user are released and the others are left out, whatever the rows
// hold. A row without a text counts, and so does one of an earlier batch.
func TestFirstRowsOfAUserAreReleased(t *testing.T) {
	r := openRetrieved(t, sotto.Texts{Epsilon: 4, PerUser: 2})
	users := r.Users("u")
	long := strings.Repeat("x", 300_000)
	var out bytes.Buffer
	copyOne := func(in string) sotto.Statement {
		s, err := r.Copy(t.Context(), &out, strings.NewReader(in), sotto.Stream{Format: text.CSV, Fields: []string{"t"}, Users: users, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := copyOne("n,u,t\n1,a," + long + "\n2,b,short\n3,a,\n4,a,very private\n5,,one\n6,other,two\n7,,three\n8,b," + long + "\n9,b,x\n")
	var kept []string
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
		kept = append(kept, strings.SplitN(line, ",", 2)[0])
	}
	if got := strings.Join(kept, ""); got != "123568" {
		t.Errorf("kept rows %s, want 123568", got)
	}
	if s.Documents != 6 || s.Draws != 6 {
		t.Errorf("the statement counts %d texts", s.Documents)
	}
	out.Reset()
	copyOne("n,u,t\n1,a,x\n2,c,y\n") // the next file of the run
	if got := strings.Count(out.String(), "\n"); got != 2 || strings.Contains(out.String(), "1,a") {
		t.Errorf("the next file of the run has %q", out.String())
	}
	r = openRetrieved(t, sotto.Texts{Epsilon: 4, PerUser: 2})
	out.Reset()
	if _, err := r.Copy(t.Context(), &out, strings.NewReader("{\"u\":1,\"t\":null}\n{\"u\":1,\"t\":\"a\"}\n{\"u\":1,\"t\":\"b\"}\n"), sotto.Stream{Format: text.JSONL, Fields: []string{"t"}, Users: r.Users("u")}); err != nil || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("%q (%v)", out.String(), err)
	}
}

// The claim is per user: each row has its share of epsilon, and the shares add up to at
// most epsilon.
func TestUserHasEpsilonForAllRows(t *testing.T) {
	for _, c := range []struct {
		epsilon float64
		rows    int
	}{{4, 2}, {8, 5}, {1, 3}, {0.1, 7}, {5, 1}} {
		r := openRetrieved(t, sotto.Texts{Epsilon: c.epsilon, PerUser: c.rows})
		each := r.Claim()
		if each.Unit != privacy.Text || math.Abs(each.Epsilon*float64(c.rows)/c.epsilon-1) > 1e-15 {
			t.Errorf("%+v: one text has %+v", c, each)
		}
		p, err := openRetrieved(t, sotto.Texts{Epsilon: each.Epsilon}).ExplainText("a text", 1)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Statement(sotto.Counts{Documents: 9, Draws: 9})
		if *s.Neighbours != p.Neighbours {
			t.Errorf("%+v: k is %d, of the epsilon of one text %d", c, *s.Neighbours, p.Neighbours)
		}
		if s.Claim.Unit != privacy.User || s.Claim.Epsilon != c.epsilon || s.Claim.Notion != privacy.Pure || *s.DocumentEpsilonMax != each.Epsilon ||
			*s.Users != (statement.UserFigures{PerUser: c.rows}) {
			t.Errorf("%+v: the statement is %+v", c, s)
		}
		if !strings.Contains(strings.Join(s.NotProtected, "\n"), "who the users are and how many rows each has") {
			t.Errorf("not protected: %q", s.NotProtected)
		}
	}
	if _, err := sotto.Open(t.Context(), sotto.Texts{Epsilon: 1, PerUser: -1}); err == nil {
		t.Error("a negative number of rows is taken")
	}
}

// With padding neither the texts nor the statement reveal how many rows a user has.
func TestPaddingHidesHowManyRowsAUserHas(t *testing.T) {
	r := openRetrieved(t, sotto.Texts{Epsilon: 6, PerUser: 3})
	s := sotto.Stream{Format: text.TSV, Fields: []string{"t"}}
	one := "t\tu\nx\tbob\ny\tann\nz\tbob\n"
	many := "t\tu\n1\tbob\n2\tbob\ny\tann\n3\tbob\n4\tbob\n\tann\n5\tann\n"
	var statements []string
	for _, in := range []string{one, many} {
		for _, shuffled := range []bool{false, true} {
			texts, users, statement := pooled(t, r, sotto.PoolOptions{Padded: true, Shuffled: shuffled, Users: r.Users("u")}, s, in)
			want := "ann ann ann bob bob bob"
			if shuffled {
				want = "     "
			}
			if got := strings.Join(users, " "); got != want || len(texts) != 6 {
				t.Errorf("shuffled %v: users %q", shuffled, got)
			}
			statements = append(statements, statement.String())
			if statement.Documents != 6 || statement.Draws != 6 || !statement.Users.Padded || statement.Claim.Epsilon != 6 {
				t.Errorf("the statement is %+v", statement)
			}
		}
	}
	if statements[0] != statements[2] || statements[1] != statements[3] {
		t.Error("statements differ by how many rows a user has")
	}
}

// A user who has only rows without a text is padded too.
func TestUserWithoutATextIsPadded(t *testing.T) {
	r := openRetrieved(t, sotto.Texts{Epsilon: 6, PerUser: 2})
	_, users, _ := pooled(t, r, sotto.PoolOptions{Padded: true, Users: r.Users("u")}, sotto.Stream{Format: text.JSONL, Fields: []string{"t"}}, "{\"u\":\"a\",\"t\":null}\n{\"u\":\"b\",\"t\":\"x\"}\n")
	if got := strings.Join(users, " "); got != "a a b b" {
		t.Errorf("users %q", got)
	}
}

// For a user the figure of a shuffled file is that of a group of rows.
func TestShuffledFileForUsersStatesTheirBound(t *testing.T) {
	stage.Unraced(t)
	r := openRetrieved(t, sotto.Texts{Epsilon: 2, PerUser: 2, Corpus: indexedCorpus(t, 0)})
	in := "t\tu\n"
	for i := range 6000 {
		in += fmt.Sprintf("x\t%d\n", i/2)
	}
	_, _, s := pooled(t, r, sotto.PoolOptions{Shuffled: true, Users: r.Users("u"), Delta: 1e-6}, sotto.Stream{Format: text.TSV, Fields: []string{"t"}}, in)
	want, err := shuffle.Release{Records: 6000, Epsilon: 1, Texts: s.Corpus.Texts, Neighbours: *s.Neighbours}.Group(2, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Shuffled; f.Epsilon != want.Epsilon || f.Bound != want.Method || f.Delta != 1e-6 || f.Epsilon >= 1 || s.Claim.Epsilon != 2 || s.Claim.Unit != privacy.User {
		t.Errorf("%+v, want %+v", f, want)
	}
}

// Everything drawn is charged, padding too.
func TestPoolChargesForAllItDraws(t *testing.T) {
	r := openRetrieved(t, sotto.Texts{Epsilon: 6, PerUser: 3})
	var charged int64
	charge := func(_ context.Context, _ uint64, p *sotto.Pending) error { charged += p.Draws(); return nil }
	p, err := r.Pool(sotto.PoolOptions{Padded: true, Users: r.Users("u")})
	if err == nil {
		err = p.Read(t.Context(), strings.NewReader("t\tu\na\tx\nb\ty\n"), sotto.Stream{Format: text.TSV, Fields: []string{"t"}, Charge: charge})
	}
	if err == nil && charged != 2 {
		t.Errorf("%d draws are charged before padding", charged)
	}
	if err == nil {
		err = p.Finish(t.Context(), charge)
	}
	if err != nil || charged != 6 {
		t.Errorf("%d draws are charged (%v)", charged, err)
	}
}

// A count has the charges of a run, padding too, and its faults: where only texts come out, a row
// with another number of columns is none.
func TestCountHasTheChargesAndTheFaultsOfARun(t *testing.T) {
	var priced int64
	price := func(p *sotto.Pending) error { priced += p.Draws(); return nil }
	users := openRetrieved(t, sotto.Texts{Epsilon: 6, PerUser: 3})
	p, err := users.Pool(sotto.PoolOptions{Padded: true, Users: users.Users("u")})
	if err != nil {
		t.Fatal(err)
	}
	counts, err := p.Count(t.Context(), strings.NewReader("t\tu\na\tx\nb\ty\n"), sotto.Stream{Format: text.TSV, Fields: []string{"t"}, Price: price})
	padding, of := p.CountPadding(price)
	if counts.Documents != 2 || padding.Documents != 4 || priced != 6 || err != nil || of != nil {
		t.Errorf("%d texts and %d of padding, %d draws are priced (%v, %v)", counts.Documents, padding.Documents, priced, err, of)
	}
	texts := openRetrieved(t, sotto.Texts{Epsilon: 6})
	s := sotto.Stream{Format: text.CSV, Fields: []string{"t"}}
	columns := "t,u\na,x\nb,y,z\n"
	var in *text.InputError
	if _, err := texts.Count(t.Context(), strings.NewReader(columns), s); !errors.As(err, &in) || in.Line != 3 {
		t.Errorf("the count of a run that copies columns ends with %v", err)
	}
	if p, err = texts.Pool(sotto.PoolOptions{Shuffled: true}); err == nil {
		counts, err = p.Count(t.Context(), strings.NewReader(columns), s)
	}
	if counts.Documents != 2 || err != nil {
		t.Errorf("%d shuffled texts, %v", counts.Documents, err)
	}
}

func TestUsersAndPoolsThatDoNotFitAreRefused(t *testing.T) {
	users, texts := openRetrieved(t, sotto.Texts{Epsilon: 1, PerUser: 2}), openRetrieved(t, sotto.Texts{Epsilon: 1})
	others := openRetrieved(t, sotto.Texts{Epsilon: 1, PerUser: 3})
	words, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	if texts.Users("u") != nil || words.Users("u") != nil {
		t.Error("users are counted for a claim that is not for them")
	}
	stream := func(r *sotto.Rewriter, u *release.Users, in string, field ...string) error {
		f := text.TSV
		if strings.HasPrefix(in, "{") {
			f = text.JSONL
		}
		_, err := r.Copy(t.Context(), new(bytes.Buffer), strings.NewReader(in), sotto.Stream{Format: f, Fields: field, Users: u})
		return err
	}
	pool := func(r *sotto.Rewriter, o sotto.PoolOptions) error { _, err := r.Pool(o); return err }
	for name, err := range map[string]error{
		"a text read alone":         second(users.Rewrite(t.Context(), "a")),
		"texts read alone":          second(users.Read([][]byte{[]byte("a")})),
		"vectors read alone":        second(users.ReadVectors([][]float64{{1}}, sotto.Position{})),
		"a stream without users":    stream(users, nil, "t\tu\n", "t"),
		"users of another number":   stream(users, others.Users("u"), "t\tu\n", "t"),
		"users of a claim for text": stream(texts, users.Users("u"), "t\tu\n", "t"),
		"grouped by the texts":      stream(users, users.Users("t"), "t\tu\n", "t"),
		"several texts of a record": stream(users, users.Users("u"), "t\tu\tt\na\tb\tc\n", "t"),
		"a pool of words":           pool(words, sotto.PoolOptions{Shuffled: true}),
		"a pool in no order":        pool(texts, sotto.PoolOptions{}),
		"padding for nobody":        pool(texts, sotto.PoolOptions{Padded: true}),
		"a pool without users":      pool(users, sotto.PoolOptions{Shuffled: true}),
		"a delta of 1":              pool(texts, sotto.PoolOptions{Shuffled: true, Delta: 1}),
	} {
		if err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
