package statement

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/internal/samefields"
	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

var errNoStatement = errors.New("not a statement of rewrite or embed with exactly the fields that this version writes")

var errNoCertificate = errors.New("the report has no certificate")

// Read reads a statement of rewrite. Like [ReadVectors] it refuses a
// document unless this version would write the same one. So a document cannot contain
// anything that Verify does not check. The error does not quote the data.
func Read(data []byte) (*Statement, error) {
	s := &Statement{}
	if strictjson.Unmarshal(data, s) != nil {
		return nil, errNoStatement
	}
	return s, nil
}

// ReadVectors reads a statement about vectors.
func ReadVectors(data []byte) (*EmbedStatement, error) {
	s := &EmbedStatement{}
	if strictjson.Unmarshal(data, s) != nil {
		return nil, errNoStatement
	}
	return s, nil
}

// Opening is how a release was opened, as far as its statement has it. The table and the
// corpus have only their digests there.
type Opening struct {
	Mechanism   string
	Spec        mechanism.Spec // epsilon, parameters and calibration
	Unit        privacy.Unit   // of Text or Word; empty otherwise
	PerUser     int
	Raw         bool
	Placeholder string
}

// Opening returns how the release is opened to verify its statement. This version may choose
// another size of the sets than the version that wrote the statement. The caller then gives
// that of the statement's parameters.
func (s *Statement) Opening() (Opening, error) {
	c := s.Certificate
	switch {
	case c == nil:
		return Opening{}, errNoCertificate
	case c.Mechanism != s.Mechanism:
		return Opening{}, fmt.Errorf("the report is of mechanism %s, its certificate of %s", s.Mechanism, c.Mechanism)
	case s.Randomness != "secure":
		return Opening{}, errors.New("the draws follow from a seed: anyone who knows it can undo them")
	case s.Claim.Unit == privacy.MarkedToken || s.Spans != nil:
		return Opening{}, errors.New("a report of marked words cannot be verified: its claim is conditional on spans that it does not have, and guarantees nothing of a text")
	case s.Cap != nil:
		return Opening{}, errors.New("a report of a capped run cannot be verified: it does not state how its mechanism was opened")
	case c.Request == nil:
		return Opening{}, errors.New("certificate: it does not state how its mechanism was opened")
	}
	o := Opening{Mechanism: s.Mechanism, Spec: c.Request.Spec(), Placeholder: s.Placeholder}
	switch s.Claim.Unit {
	case privacy.Text, privacy.User:
		o.Unit = privacy.Text
	case privacy.Word:
		o.Unit = privacy.Word
	}
	if s.Users != nil {
		o.PerUser, o.Spec.Epsilon = s.Users.PerUser, s.Claim.Epsilon
	}
	return o, nil
}

// Opening is [Statement.Opening] for vectors.
func (s *EmbedStatement) Opening() (Opening, error) {
	o, err := s.Statement.Opening()
	o.Unit, o.Raw = "", s.Raw // the unit of a vector follows from what it represents
	return o, err
}

// Verify compares a statement with the one that the facts give for the statement's counts,
// certificate, version and name of the table. The facts are those of a release that was opened
// as [Statement.Opening] says. Verify does not recompute the certificate; package audit does.
// No statement can prove that its counts are those of the texts, or that the noise was drawn.
func (s *Statement) Verify(f Facts) error {
	if s.Types == nil { // marks have counts and certificates of their own
		if err := s.checkCounts(); err != nil {
			return err
		}
	}
	if err := s.checkGiven(f.Entry); err != nil {
		return err
	}
	own, counts, err := f.Of.again(s, f, s.counts())
	if err != nil {
		return err
	}
	if s.Drawn != nil {
		if err := s.Drawn.Check(); err != nil {
			return err
		}
	}
	again := own.State(counts)
	if sum, err := hex.DecodeString(s.Patterns); err != nil || s.Patterns != "" && len(sum) != sha256.Size {
		return errors.New("patterns: not a SHA-256")
	}
	again.LeaveOut(s.SpansField)
	again.Detected(s.Patterns)
	s.lendSize(&again, f.Entry)
	if err := compare(s, s.Claim, again, again.Claim, s.free()); err != nil {
		return err
	}
	return s.notBelow(&again)
}

// notBelow refuses a total that is less than what holds, in any digit. It follows from the
// certificate or the claim by one product, which is rounded up on every processor alike.
func (s *Statement) notBelow(must *Statement) error {
	switch {
	case s.DocumentEpsilonMax != nil && *s.DocumentEpsilonMax < *must.DocumentEpsilonMax:
		return errors.New("the report's document_epsilon_max is below the sum of the losses of a text")
	case s.Bag != nil && s.Bag.Epsilon < must.Bag.Epsilon:
		return errors.New("the report's bag.epsilon is below the claim")
	}
	return nil
}

// Verify is [Statement.Verify] for vectors.
func (s *EmbedStatement) Verify(f Facts, v Vectors) error {
	if err := s.checkCounts(); err != nil {
		return err
	}
	var err error
	if v.Probes, err = probesAgain(s.Probes, v.Probes, v.Brought); err != nil {
		return err
	}
	again := v.State(f, s.counts())
	if err := compare(s, s.Claim, again, again.Claim, s.free()); err != nil {
		return err
	}
	return s.notBelow(&again.Statement)
}

// free lists the fields that are not compared.
func (s *Statement) free() []string {
	if s.Types != nil {
		return append(slices.Clip(notRecomputed), "types.*.certificate", "untyped.certificate")
	}
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
	if c := s.Certificate; ok && c != nil && c.Request != nil && !c.Request.Parameters.Gives(size) && !slices.Contains(s.Given, size.Name) {
		to.Given = slices.DeleteFunc(slices.Clone(to.Given), func(name string) bool { return name == size.Name })
	}
}

// checkGiven refuses given parameters that the request of the certificate does not have, or
// others: the mechanism that is opened with the stated ones cannot tell who gave them.
func (s *Statement) checkGiven(entry mechanism.Entry) error {
	c := s.Certificate
	if s.Given == nil || s.Types != nil || c == nil || c.Request == nil || c.Source == mechanism.Stated {
		return nil // of an earlier version, or another request
	}
	file, _ := entry.Parameter(mechanism.RoleChannel) // in the request alone
	asked := slices.DeleteFunc(slices.Sorted(maps.Keys(c.Request.Parameters)), func(name string) bool { return name == file.Name })
	if !slices.Equal(asked, s.Given) {
		return fmt.Errorf("given: %q is stated, the certificate was asked for with %q", s.Given, asked)
	}
	return nil
}

// counts returns the counts that a statement has. The largest number of distinct words of
// a text is not among them.
func (s *Statement) counts() Counts {
	c := Counts{Documents: s.Documents, Draws: s.Draws}
	if s.Drawn != nil {
		c.Drawn = *s.Drawn
	}
	if s.Tokens != nil && s.LongestTokens != nil {
		c.Tokens, c.LongestTokens = *s.Tokens, *s.LongestTokens
	}
	return c
}

// checkCounts refuses counts that no texts have, and an unknown source of the certificate.
func (s *Statement) checkCounts() error {
	if s.Certificate == nil {
		return errNoCertificate
	}
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

// notRecomputed are the fields of a report that do not follow from its mechanism, besides the
// counts of texts, tokens and draws, which must be possible: the name of the table, and the
// version. Package audit recomputes the certificate. How the unknown entry is written, and
// whether vectors are raw, is the caller's choice, with which the mechanism was opened.
var notRecomputed = []string{"version", "embeddings.name", "certificate"}

// compare compares a document with the one that it must be, of a claim. Other figures may
// differ in their last places, as logarithms of processors do; what is claimed may not be
// less than what holds.
func compare(document any, claimed privacy.Claim, must any, claim privacy.Claim, free []string) error {
	err := samefields.Compare(document, must, free...)
	var differ *samefields.DifferError
	switch {
	case err == nil && (claimed.Epsilon < claim.Epsilon || claimed.Delta < claim.Delta):
		return fmt.Errorf("the report's claim does not hold: what holds is %s", claim)
	case !errors.As(err, &differ):
		return err
	case differ.Path == "claim" || strings.HasPrefix(differ.Path, "claim."):
		return fmt.Errorf("the report's claim does not hold: what holds is %s", claim)
	case differ.Lacks:
		return fmt.Errorf("the report lacks %s", differ.Path)
	}
	return fmt.Errorf("the report's %s does not hold: this version states another for its mechanism", differ.Path)
}
