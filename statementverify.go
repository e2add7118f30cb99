package sotto

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/internal/samefields"
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
	s.lendSize(&again, r.entry)
	return compare(s, again, again.Claim, s.free())
}

// Verify is [Rewriter.Verify] for vectors.
func (e *Embedder) Verify(s *EmbedStatement) error {
	if err := s.checkCounts(); err != nil {
		return err
	}
	again := e.Statement(s.counts())
	return compare(s, again, again.Claim, s.free())
}

// free lists the fields that are not compared.
func (s *Statement) free() []string {
	if s.Certificate.Source == mechanism.Stated {
		return append(slices.Clip(notRecomputed), "given") // the request is that of the certificate's maker
	}
	return notRecomputed
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

// notRecomputed are the fields of a report that do not follow from its mechanism, besides the
// counts of texts, tokens and draws, which must be possible: the name of the table, and the
// version. Package audit recomputes the certificate. How the unknown entry is written, and
// whether vectors are raw, is the caller's choice, with which the mechanism was opened.
var notRecomputed = []string{"version", "embeddings.name", "certificate"}

// compare compares a document with the one that it must be, of a claim.
func compare(document, must any, claim privacy.Claim, free []string) error {
	err := samefields.Compare(document, must, free...)
	var differ *samefields.DifferError
	switch {
	case !errors.As(err, &differ):
		return err
	case differ.Path == "claim" || strings.HasPrefix(differ.Path, "claim."):
		return fmt.Errorf("the report's claim does not hold: what holds is %s", claim)
	case differ.Lacks:
		return fmt.Errorf("the report lacks %s", differ.Path)
	}
	return fmt.Errorf("the report's %s does not hold: this version states another for its mechanism", differ.Path)
}
