package statement

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// MostTypes is the largest number of types that a release of marks has.
const MostTypes = 64

// Marks is a release of texts whose marked places are drawn within their types, and whose
// other parts are copied. The claim of its facts is per mark, with the largest epsilon of all
// types that occur; infinite where marks without a type were drawn word by word.
type Marks struct {
	Types []MarkType // at most MostTypes, in the order of their names
	Once  Once       // where one value is drawn once; empty: each mark is drawn
	// Untyped draws the words of marks without a type of Types; nil if there can be none.
	Untyped *UntypedFigures
}

// MarkType is how marks of a type are drawn.
type MarkType struct {
	Name      string
	Codebook  mechanism.Codebook
	Retriever mechanism.Retriever
	Spec      mechanism.Spec // that opened the retriever
}

// Certificate returns the certificate of the type's channel.
func (t MarkType) Certificate(member string) *audit.Certificate {
	c := audit.KnownTextsCertificate(member, t.Retriever, t.Codebook)
	if c != nil {
		c.OpenedWith(t.Spec)
		c.ProgramVersion = Version
	}
	return c
}

func (m Marks) state(s *Statement, f Facts, counts Counts) {
	s.Tokens, s.LongestTokens = nil, nil
	s.DocumentEpsilonMax, s.DocumentDeltaMax, s.Spans = nil, 1, &counts.Spans
	s.Types = map[string]TypeFigures{}
	s.Claim.Epsilon = 0
	for i, t := range m.Types {
		if counts.Types>>i&1 == 0 {
			continue
		}
		epsilon := t.Retriever.Claim().Epsilon
		s.Types[t.Name] = TypeFigures{t.Codebook.Name(), t.Codebook.Digest(), t.Codebook.Len(), epsilon, t.Certificate(f.Entry.Name)}
		s.Claim.Epsilon = max(s.Claim.Epsilon, epsilon)
	}
	s.NotProtected = append(s.NotProtected,
		"whole texts: all but the marked places is copied as it is, so the total of a text is infinite",
		"what was left unmarked, which places are marked, their types and why: a detector read the whole text, and the claim is conditional on what it marked. What it missed stays in clear",
	)
	if m.Once != "" {
		s.NotProtected = append(s.NotProtected, "which marks "+string(m.Once)+" hold the same value, and so how many distinct values there are: all of them have the same replacement, and draws are per distinct value")
	}
	if m.Once == OncePerScope {
		s.NotProtected = append(s.NotProtected, "how many of these values are new to the scope: only they are draws")
	}
	if m.Untyped != nil && counts.RestTokens > 0 {
		untyped := *m.Untyped
		untyped.Tokens = counts.RestTokens
		s.Untyped = &untyped
		s.Claim.Epsilon = math.Inf(1) // a mark may have any number of words, and it shows
		s.NotProtected = append(s.NotProtected, "the number of tokens of each mark whose type has no codebook: its words are drawn one by one, under the claim of untyped")
	} else {
		s.Embeddings = nil
	}
	again := againEverywhere
	if m.Once != "" {
		again = againTexts
	}
	s.NotProtected = append(s.NotProtected,
		"that the codebooks are public and chosen without the texts, which the claim takes for granted",
		besideTexts, again,
		"what context reveals: who a text is about often follows from what is copied",
		"the time the run took, memory, and who else holds the same text",
	)
}

// LeaveOut states that the field of each record that held its spans is left out of the output;
// an empty name that they came from elsewhere.
func (s *Statement) LeaveOut(field string) {
	if s.SpansField = field; field != "" {
		s.NotProtected = append(s.NotProtected, fmt.Sprintf("fields beside the text in which a detector stored what it found: only %q, which has the spans, is left out of the output", field))
	}
}

// Detected states which patterns marked what has a shape, by their SHA-256; an empty one that
// none did.
func (s *Statement) Detected(patterns string) {
	if s.Patterns = patterns; patterns != "" {
		s.NotProtected = append(s.NotProtected, "the shape of what the patterns marked: the type of such a mark says that it has the form of its type, correct check digits included, and the claim is conditional on that. Patterns find no names")
	}
}

// occurring returns how many draws were made within types, and the bits of the types that a
// statement lists.
func (m Marks) occurring(s *Statement) (draws int, types uint64, err error) {
	for i, t := range m.Types {
		if _, ok := s.Types[t.Name]; ok {
			types |= 1 << i
		}
	}
	draws = s.Draws
	if s.Untyped != nil {
		draws -= s.Untyped.Tokens
	}
	switch {
	case s.Spans == nil || s.Documents < 0 || *s.Spans < 0 || draws < 0 || s.Untyped != nil && s.Untyped.Tokens < 1:
		err = errCounts
	case draws > *s.Spans || draws > 0 && len(s.Types) == 0:
		err = errCounts
	case m.Once != OncePerScope && draws < len(s.Types): // a value of a scope may have been drawn before
		err = errCounts
	case m.Once == "" && s.Untyped == nil && draws != *s.Spans, m.Once == "" && s.Untyped != nil && draws >= *s.Spans:
		err = errCounts
	case *s.Spans < len(s.Types) || *s.Spans > 0 && (s.Documents == 0 || len(s.Types) == 0 && s.Untyped == nil):
		err = errCounts
	}
	return draws, types, err
}

var errCounts = errors.New("the report's numbers of texts, marks and draws contradict each other")

func (m Marks) again(read *Statement, f Facts, _ Counts) (Facts, Counts, error) {
	_, types, err := m.occurring(read)
	counts := Counts{Documents: read.Documents, Draws: read.Draws, Types: types}
	if read.Spans != nil {
		counts.Spans = *read.Spans
	}
	if read.Untyped != nil {
		counts.RestTokens = read.Untyped.Tokens
	}
	return f, counts, err
}

// MarksOpening is how a release of marks was opened, as far as its statement has it: the
// caller has the codebooks, of which the statement has only names and digests.
type MarksOpening struct {
	Types   map[string]TypeFigures
	Epsilon float64 // the parameter of the release
	Once    bool    // one value was drawn once
	Untyped *UntypedFigures
}

// Marks returns how a release of marks was opened to verify its statement.
func (s *Statement) Marks() (MarksOpening, error) {
	o := MarksOpening{Types: s.Types, Once: s.Claim.Unit == privacy.DistinctMark, Untyped: s.Untyped}
	epsilon, ok := s.Parameters["epsilon"].(float64)
	o.Epsilon = epsilon
	switch {
	case s.Types == nil || !slices.Contains([]privacy.Unit{privacy.Mark, privacy.DistinctMark}, s.Claim.Unit):
		return o, errors.New("the report is not of marks within their types")
	case s.Randomness != "secure":
		return o, errors.New("the draws follow from a seed: anyone who knows it can undo them")
	case !ok:
		return o, errors.New("the report states no epsilon")
	case s.Certificate != nil:
		return o, errors.New("the report has a certificate of its own, and marks have one for each type")
	}
	for name, t := range s.Types {
		if t.Certificate == nil || t.Certificate.Request == nil {
			return o, fmt.Errorf("the report has no certificate for type %s that states how it was opened", name)
		}
		if t.Certificate.Source != mechanism.Computed {
			return o, fmt.Errorf("the source of the certificate for type %s is not the one of marks", name)
		}
	}
	return o, nil
}
