package sotto

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/shuffle"
)

var errNoStatement = errors.New("not a statement of rewrite or embed with exactly the fields that this version writes")

// ReadStatement reads a statement of rewrite. Like [ReadEmbedStatement] it refuses a
// document unless this version would write the same one. So a document cannot contain
// anything that Verify does not check. The error does not quote the data.
func ReadStatement(data []byte) (*Statement, error) {
	s := &Statement{}
	if strictjson.Unmarshal(data, s) != nil {
		return nil, errNoStatement
	}
	return s, nil
}

// ReadEmbedStatement reads a statement about vectors.
func ReadEmbedStatement(data []byte) (*EmbedStatement, error) {
	s := &EmbedStatement{}
	if strictjson.Unmarshal(data, s) != nil {
		return nil, errNoStatement
	}
	return s, nil
}

// Reopened returns the configuration with which [Rewriter.Verify] needs its rewriter
// opened. The caller provides the table and the corpus, because a statement has only their
// digests. This version may choose another set size than the version that wrote the
// statement. The caller then sets the size to that of the statement's parameters.
func (s *Statement) Reopened() (Config, error) {
	cfg, err := s.reopened()
	switch s.Claim.Unit {
	case privacy.Text, privacy.User:
		cfg.Unit = privacy.Text
	case privacy.Word:
		cfg.Unit = privacy.Word
	}
	if s.Users != nil {
		cfg.PerUser, cfg.Epsilon = s.Users.PerUser, s.Claim.Epsilon
	}
	return cfg, err
}

// Reopened returns the configuration with which [Embedder.Verify] needs its embedder
// opened.
func (s *EmbedStatement) Reopened() (Config, error) {
	cfg, err := s.reopened()
	cfg.Raw = s.Raw
	return cfg, err
}

func (s *Statement) reopened() (cfg Config, err error) {
	c := s.Certificate
	switch {
	case c == nil:
		return cfg, errors.New("the report has no certificate")
	case c.Mechanism != s.Mechanism:
		return cfg, fmt.Errorf("the report is of mechanism %s, its certificate of %s", s.Mechanism, c.Mechanism)
	case s.Randomness != "secure":
		return cfg, errors.New("the draws follow from a seed: anyone who knows it can undo them")
	case s.Claim.Unit == privacy.MarkedToken || s.Spans != nil:
		return cfg, errors.New("a report of marked words cannot be verified: its claim is conditional on spans that it does not have, and guarantees nothing of a text")
	case s.Cap != nil:
		return cfg, errors.New("a report of a capped run cannot be verified: it does not state how its mechanism was opened")
	case c.Request == nil:
		return cfg, errors.New("certificate: it does not state how its mechanism was opened")
	}
	spec := c.Request.Spec()
	return Config{Mechanism: s.Mechanism, Epsilon: spec.Epsilon, Parameters: spec.Parameters, Published: spec.Published, Accept: privacy.Refuted, Unknown: s.Placeholder}, nil
}

// Verify compares a statement with the one that the rewriter makes for the statement's
// counts, certificate, version and name of the table. The rewriter must be opened with the
// configuration of [Statement.Reopened]. Verify does not recompute the certificate; package
// audit does. No statement can prove that its counts are those of the texts, or that the
// noise was drawn.
func (r *Rewriter) Verify(s *Statement) error {
	if err := s.checkCounts(); err != nil {
		return err
	}
	again, err := r.restate(s)
	if err != nil {
		return err
	}
	s.lend(&again)
	s.lendSize(&again, r.entry)
	return sameFields(s, again, again.Claim)
}

// Verify is [Rewriter.Verify] for vectors.
func (e *Embedder) Verify(s *EmbedStatement) error {
	if err := s.checkCounts(); err != nil {
		return err
	}
	again := e.Statement(s.counts())
	again.Certificate = s.Certificate
	s.lend(&again.Statement)
	return sameFields(s, again, again.Claim)
}

// lend gives another statement what does not follow from the configuration.
func (s *Statement) lend(to *Statement) {
	to.Version = s.Version
	if s.Embeddings != nil && to.Embeddings != nil {
		to.Embeddings.Name = s.Embeddings.Name
	}
	if s.Certificate.Source == mechanism.Stated {
		to.Given = s.Given // the request is that of the certificate's maker
	}
}

// lendSize leaves the size of the sets out of another statement's given parameters if
// neither the statement nor its certificate's request gives it: then the verifier gave it.
// The size itself is compared.
func (s *Statement) lendSize(to *Statement, entry mechanism.Entry) {
	size, ok := entry.Parameter(mechanism.RoleSize)
	if c := s.Certificate; ok && c.Request != nil && !c.Request.Parameters.Gives(size) && !slices.Contains(s.Given, size.Name) {
		to.Given = slices.DeleteFunc(slices.Clone(to.Given), func(name string) bool { return name == size.Name })
	}
}

// counts returns the counts that a statement has. The largest number of distinct words of
// a text is not among them.
func (s *Statement) counts() Counts {
	c := Counts{Documents: s.Documents, Draws: s.Draws}
	if s.Tokens != nil && s.LongestTokens != nil {
		c.Tokens, c.LongestTokens = *s.Tokens, *s.LongestTokens
	}
	return c
}

// checkCounts refuses counts that no texts have, and an unknown source of the certificate.
func (s *Statement) checkCounts() error {
	c := s.counts()
	possible := min(c.Documents, c.Tokens, c.LongestTokens, c.Draws) >= 0 && (s.Tokens == nil) == (s.LongestTokens == nil) &&
		c.LongestTokens <= c.Tokens && float64(c.Tokens) <= float64(c.Documents)*float64(c.LongestTokens)
	switch {
	case s.Tokens == nil:
		possible = possible && c.Draws == c.Documents
	case s.Claim.Unit == privacy.Word:
		possible = possible && c.Draws <= c.Tokens && (c.Draws == 0) == (c.Tokens == 0)
	default:
		possible = possible && c.Draws == c.Tokens
	}
	if !possible {
		return errors.New("the report's numbers of texts, tokens and draws contradict each other")
	}
	if !slices.Contains([]mechanism.Source{mechanism.Computed, mechanism.Shipped, mechanism.Cached, mechanism.Stated}, s.Certificate.Source) {
		return errors.New("the source of the report's certificate is unknown")
	}
	return nil
}

// restate returns the statement of the rewriter with the certificate, the counts and the
// kind of output of another statement.
func (r *Rewriter) restate(s *Statement) (again Statement, err error) {
	counts := s.counts()
	var own plan
	switch p := r.plan.(type) {
	case *tokens:
		own = p.certified(s.Certificate)
	case *distinct:
		q := &distinct{p.certified(s.Certificate)}
		own, counts.LongestDraws = q, q.longestDraws(s)
	case *retrieved:
		q := *p
		q.certificate = s.Certificate
		again = newStatement(r.entry, &q, nil, counts, false)
		q.stateAs(&again, PoolOptions{Shuffled: s.Shuffled != nil, Padded: s.Users != nil && s.Users.Padded})
		again.Shuffled, err = q.shuffledAs(s)
		return again, err
	default:
		return again, errors.New("a report of this kind cannot be verified")
	}
	again = newStatement(r.entry, own, r.Table(), counts, false)
	own.state(&again, counts)
	return again, nil
}

// certified returns the plan with another certificate.
func (p *tokens) certified(c *audit.Certificate) *tokens {
	return &tokens{Mechanism: p.Mechanism, name: p.name, vocabulary: p.vocabulary, certificate: c, draws: p.draws}
}

// longestDraws returns the largest number of distinct words of a text, which follows from
// the stated loss of a whole text, and -1 where no texts with the statement's counts have
// it.
func (p *distinct) longestDraws(s *Statement) int {
	one := Statement{Claim: s.Claim}
	p.total(&one, 1)
	if s.DocumentEpsilonMax == nil || one.DocumentEpsilonMax == nil || s.LongestTokens == nil {
		return -1
	}
	n := math.Round(*s.DocumentEpsilonMax / *one.DocumentEpsilonMax)
	if n >= 0 && n <= float64(*s.LongestTokens) && n <= float64(s.Draws) && float64(s.Draws) <= float64(n*float64(s.Documents)) {
		return int(n)
	}
	return -1
}

// shuffledAs returns the figures of shuffled texts again, nil where a statement has none.
func (p *retrieved) shuffledAs(s *Statement) (*ShuffledFigures, error) {
	switch f := s.Shuffled; {
	case f == nil:
		return nil, nil
	case f.Bound == shuffle.Local: // holds whatever the delta that was asked for
		return &ShuffledFigures{Records: s.Documents, Epsilon: p.released().Epsilon, Bound: shuffle.Local}, nil
	default:
		return p.shuffled(s.Documents, f.Delta)
	}
}

// sameFields compares a document with the one that it must be, of a claim, field by field.
// Both are written as this version writes them, so no field is there twice.
func sameFields(document, must any, claim privacy.Claim) error {
	stated, err := fieldsOf(document)
	if err != nil {
		return err
	}
	found, err := fieldsOf(must)
	if err != nil {
		return err
	}
	if !sameValue(stated["claim"], found["claim"]) {
		return fmt.Errorf("the report's claim does not hold: what holds is %s", claim)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if _, ok := stated[name]; !ok {
			return fmt.Errorf("the report lacks %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		if value, ok := found[name]; !ok || !sameValue(stated[name], value) {
			return fmt.Errorf("the report's %s does not hold: this version states another for its mechanism", name)
		}
	}
	return nil
}

func fieldsOf(document any) (fields map[string]any, err error) {
	data, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return fields, d.Decode(&fields)
}

// sameValue reports whether two JSON values are equal, apart from the last places of
// numbers that are not whole: logarithms differ there between processors.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, sameValue)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameValue)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && sameNumber(a, b)
	}
	return a == b
}

func sameNumber(a, b json.Number) bool {
	x, err1 := strconv.ParseFloat(a.String(), 64)
	y, err2 := strconv.ParseFloat(b.String(), 64)
	if err1 != nil || err2 != nil {
		return false
	}
	if x == math.Trunc(x) && y == math.Trunc(y) {
		return x == y
	}
	return math.Abs(x-y) <= float64(1e-11*math.Abs(y))
}
