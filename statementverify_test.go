package sotto_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/shuffle"
	"github.com/sotto-dp/sotto/statement"
)

// verified reads a statement from its JSON, opens its mechanism again and compares.
func verified(t *testing.T, s sotto.Statement) error {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	read, err := statement.Read(data)
	if err != nil {
		return err
	}
	opening, err := read.Opening()
	if err != nil {
		return err
	}
	r, err := sotto.Open(t.Context(), sotto.Reopened(opening, first(t, 100), nil))
	if err != nil {
		return err
	}
	return r.Verify(read)
}

func TestForgedStatementDoesNotHold(t *testing.T) {
	stage.Unraced(t)
	table := first(t, 100)
	words := sotto.Config{Mechanism: "neighbours", Epsilon: 6, Table: table}
	metric := sotto.Config{Mechanism: "exponential", Epsilon: 2, Table: table}
	distinct := words
	distinct.Unit = privacy.Word
	texts := sotto.Texts{Mechanism: "retrieval", Epsilon: 4}
	users := sotto.Texts{Mechanism: "retrieval", Epsilon: 8, PerUser: 2}
	seeded := words
	seed := uint64(1)
	seeded.InsecureSeed = &seed
	counts := sotto.Counts{Documents: 2, Tokens: 9, LongestTokens: 6, Draws: 9, LongestDraws: 6}
	folded := sotto.Counts{Documents: 2, Tokens: 9, LongestTokens: 6, Draws: 7, LongestDraws: 5}
	whole := sotto.Counts{Documents: 2, Draws: 2}
	asItIs := func(*sotto.Statement) {}
	for name, c := range map[string]struct {
		cfg    sotto.Configuration
		counts sotto.Counts
		forge  func(s *sotto.Statement)
		want   string // empty: it holds
	}{
		"words":             {words, counts, asItIs, ""},
		"metric":            {metric, counts, asItIs, ""},
		"distinct":          {distinct, folded, asItIs, ""},
		"texts":             {texts, whole, asItIs, ""},
		"users":             {users, whole, asItIs, ""},
		"no texts":          {words, sotto.Counts{}, asItIs, ""},
		"seeded":            {seeded, counts, asItIs, "seed"},
		"epsilon":           {words, counts, func(s *sotto.Statement) { s.Claim.Epsilon = 5 }, "claim does not hold"},
		"unit":              {words, counts, func(s *sotto.Statement) { s.Claim.Unit = privacy.Record }, "claim does not hold"},
		"assumptions":       {words, counts, func(s *sotto.Statement) { s.Claim.Assumes = 0 }, "claim does not hold"},
		"distance":          {metric, counts, func(s *sotto.Statement) { s.Claim.Distance = "angular" }, "claim does not hold"},
		"delta":             {words, counts, func(s *sotto.Statement) { s.Claim.Delta = 0.1 }, "claim does not hold"},
		"epsilon of users":  {users, whole, func(s *sotto.Statement) { s.Claim.Epsilon = 7 }, "does not hold"},
		"rows of users":     {users, whole, func(s *sotto.Statement) { s.Users.PerUser = 1 }, "does not hold"},
		"no users":          {users, whole, func(s *sotto.Statement) { s.Users = nil }, "does not hold"},
		"parameters":        {words, counts, func(s *sotto.Statement) { s.Parameters["epsilon"] = 0.1 }, "parameters.epsilon does not hold"},
		"table":             {words, counts, func(s *sotto.Statement) { s.Embeddings.SHA256 = "00" }, "embeddings.sha256 does not hold"},
		"standing":          {words, counts, func(s *sotto.Statement) { s.Standing = privacy.Stated }, "standing does not hold"},
		"loss of a text":    {words, counts, func(s *sotto.Statement) { *s.DocumentEpsilonMax = 0.1 }, "document_epsilon_max does not hold"},
		"loss of words":     {distinct, folded, func(s *sotto.Statement) { *s.DocumentEpsilonMax = 0 }, "document_epsilon_max does not hold"},
		"a twelfth digit":   {words, counts, func(s *sotto.Statement) { *s.DocumentEpsilonMax *= 1 - 9e-13 }, "document_epsilon_max is below"},
		"one of a metric":   {metric, counts, func(s *sotto.Statement) { *s.DocumentEpsilonMax *= 1 - 9e-13 }, "document_epsilon_max is below"},
		"of a bag":          {metric, counts, func(s *sotto.Statement) { s.Bag.Epsilon *= 1 - 9e-13 }, "bag.epsilon is below"},
		"one draw":          {words, counts, func(s *sotto.Statement) { s.Draws = 1 }, "contradict each other"},
		"a longest of none": {words, counts, func(s *sotto.Statement) { *s.LongestTokens = 1 }, "contradict each other"},
		"not protected":     {words, counts, func(s *sotto.Statement) { s.NotProtected = s.NotProtected[1:] }, "not_protected does not hold"},
		"bag":               {metric, counts, func(s *sotto.Statement) { s.Bag.Epsilon = 0.1 }, "bag.epsilon does not hold"},
		"a bag":             {words, counts, func(s *sotto.Statement) { s.Bag = &statement.BagFigures{Epsilon: 1} }, "bag does not hold"},
		"corpus":            {texts, whole, func(s *sotto.Statement) { s.Corpus.SHA256 = "00" }, "corpus.sha256 does not hold"},
		"inside":            {texts, whole, func(s *sotto.Statement) { *s.Inside = 0.1 }, "inside does not hold"},
		"shuffled": {texts, whole, func(s *sotto.Statement) {
			s.Shuffled = &statement.ShuffledFigures{Records: 2, Epsilon: 0.1, Delta: 1e-6, Bound: shuffle.ClosedForm}
		}, "does not hold"},
		"source": {words, counts, func(s *sotto.Statement) { s.Certificate.Source = "an authority" }, "source"},
	} {
		r, err := sotto.Open(t.Context(), c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Statement(c.counts)
		if s.Certificate != nil {
			own := *s.Certificate
			s.Certificate = &own
		}
		c.forge(&s)
		if err := verified(t, s); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestForgedShuffledFiguresDoNotHold(t *testing.T) {
	stage.Unraced(t)
	r, err := sotto.Open(t.Context(), sotto.Config{Mechanism: "retrieval", Epsilon: 4})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := r.Pool(sotto.PoolOptions{Shuffled: true})
	if err == nil {
		err = pool.Read(t.Context(), strings.NewReader(strings.Repeat("a text\n", 2000)), sotto.Stream{})
	}
	if err == nil {
		err = pool.Finish(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := pool.Statement()
	if s.Shuffled.Bound == shuffle.Local {
		t.Fatal("shuffling amplifies nothing")
	}
	if err := verified(t, s); err != nil {
		t.Error(err)
	}
	for name, forge := range map[string]func(f *statement.ShuffledFigures){
		"epsilon": func(f *statement.ShuffledFigures) { f.Epsilon *= 0.9 },
		"delta":   func(f *statement.ShuffledFigures) { f.Delta *= 0.1 },
		"local":   func(f *statement.ShuffledFigures) { f.Bound = shuffle.Local },
		"records": func(f *statement.ShuffledFigures) { f.Records++ },
	} {
		forged, figures := s, *s.Shuffled
		forge(&figures)
		forged.Shuffled = &figures
		if err := verified(t, forged); err == nil || !strings.Contains(err.Error(), "report's shuffled.") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of a field that is there twice, or in two cases, other readers take the other one.
func TestStatementWithAFieldTwiceIsRefused(t *testing.T) {
	r, err := sotto.Open(t.Context(), sotto.Config{Mechanism: "neighbours", Epsilon: 6, Table: first(t, 100)})
	if err != nil {
		t.Fatal(err)
	}
	good, err := json.Marshal(r.Statement(sotto.Counts{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := statement.Read(good); err != nil {
		t.Fatal(err)
	}
	for old, now := range map[string]string{
		`{"mechanism"`: `{"claim":{"epsilon":0.1},"mechanism"`,
		`"claim":{`:    `"claim":{"epsilon":0.1,`,
		`"unit"`:       `"Epsilon":0.1,"unit"`,
		`"given"`:      `"Given"`,
		`"draws"`:      `"more":1,"draws"`,
	} {
		bad := bytes.Replace(good, []byte(old), []byte(now), 1)
		if bytes.Equal(bad, good) {
			t.Fatalf("%s: the test changes nothing", old)
		}
		if _, err := statement.Read(bad); err == nil {
			t.Errorf("%s is read", now)
		}
	}
}

// first returns the first words of the embedded table.
func first(t *testing.T, words int) *embedding.Table {
	t.Helper()
	table, err := builtin.English()
	if err == nil {
		table, err = table.First(words)
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}
