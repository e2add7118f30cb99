package unit

import (
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/typed"
)

// Marks is the unit of marked places that are replaced within their types. The rest of each
// text is copied.
//
// The claim is conditional on the marks and their types. Two texts are neighbours if they are
// equal outside of their marks, have the same marks with the same types, and differ in what
// one mark holds. What is copied is then the same for both, and so is which codebook each
// mark is drawn from. The mark that differs is drawn from one row of its codebook for each,
// and all others are drawn alike, so the ratio of two outputs is that of one draw. The output
// is written from the copied parts and the drawn values alone.
//
// A mark of a type without a codebook is read as words, each of which is drawn by another
// mechanism: its claim is that of [Words], for a token, given the number of tokens.
type Marks struct {
	Marking
	kinds   map[string]int // of a detector's name of a type: its number in Types
	draws   *draws
	untyped replacer // has no mechanism if marks of other types are refused
}

// Marking is what was opened for marks.
type Marking struct {
	Entry   mechanism.Entry
	Claim   privacy.Claim // per mark
	Setting mechanism.Setting
	Types   []Type // at most statement.MostTypes, in the order of their names
	Seed    *uint64
	// Once is where equal values of a type have one draw; empty: each mark is drawn.
	Once statement.Once
	// Kept has the values that were drawn before, and stores new ones, with OncePerScope.
	Kept *typed.Map
	// Words draws the words of marks of other types; nil refuses them.
	Words   *Words
	NoParts error
}

// Type is how marks of a type are drawn.
type Type struct {
	Name      string
	Codebook  *typed.Codebook
	Retriever mechanism.Retriever
	Spec      mechanism.Spec
}

// OfMarks returns the unit of what was opened.
func OfMarks(m Marking) *Marks {
	u := &Marks{Marking: m, kinds: map[string]int{}, draws: from(m.Seed)}
	for i, t := range m.Types {
		u.kinds[t.Name] = i
	}
	if m.Words != nil {
		u.untyped = m.Words.draw
	}
	return u
}

// Facts returns how the marks were opened.
func (m *Marks) Facts() statement.Facts {
	of := statement.Marks{Once: m.Once}
	for _, t := range m.Types {
		of.Types = append(of.Types, statement.MarkType{Name: t.Name, Codebook: t.Codebook, Retriever: t.Retriever, Spec: t.Spec})
	}
	f := statement.Facts{Entry: m.Entry, Settings: []mechanism.Setting{m.Setting}, Claim: m.Claim, Seeded: m.draws.seeded(),
		Loss: func() float64 { return m.Claim.Epsilon }}
	if m.Words != nil {
		words := m.Words.Facts()
		f.Table = words.Table
		of.Untyped = untypedFigures(words)
	}
	f.Of = of
	return f
}

// untypedFigures returns the figures of the words of marks without a codebook.
func untypedFigures(words statement.Facts) *statement.UntypedFigures {
	s := words.State(statement.Counts{})
	return &statement.UntypedFigures{Mechanism: s.Mechanism, Claim: s.Claim, Parameters: s.Parameters, Certificate: s.Certificate}
}

// Needs returns that texts come with marks.
func (m *Marks) Needs() release.Needs {
	return release.Needs{Spans: true, Copied: true, Marks: m.Check, NoParts: m.NoParts}
}

// Check refuses a type without a codebook if nothing draws the words of such marks.
func (m *Marks) Check(of text.Spans) error {
	if m.Words != nil {
		return nil // its words are drawn
	}
	for i, s := range of {
		if _, ok := m.kinds[typed.Known(s.Type)]; !ok {
			return &UnknownTypeError{Span: i + 1}
		}
	}
	return nil
}

// Unknown returns the detectors' names of the types of some spans that have no codebook
// here, each once.
func (m *Marks) Unknown(of []text.Spans) (names []string) {
	seen := map[string]bool{}
	for _, spans := range of {
		for _, s := range spans {
			if _, ok := m.kinds[typed.Known(s.Type)]; !ok && !seen[s.Type] {
				seen[s.Type] = true
				names = append(names, s.Type)
			}
		}
	}
	return names
}

// UnknownTypeError is returned for a mark whose type has no codebook, where such marks are
// refused. It does not name the type: an error is read by others than the marks are.
type UnknownTypeError struct{ Span int } // counted from 1, in the order of the spans as given
