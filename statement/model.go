package statement

import "fmt"

// Model is a release of whole texts that are rewritten through a model.
type Model struct{ Figures ModelFigures }

func (m Model) state(s *Statement, f Facts, _ Counts) {
	s.Model = &m.Figures
	s.Tokens, s.LongestTokens = nil, nil
	s.total(f.Loss(), 1)
	declared := "its trainer declared it public"
	if !m.Figures.Public {
		declared = "nobody declared it public"
	}
	s.NotProtected = append(s.NotProtected,
		"the number of texts, empty ones too, their order, and the line or field of each",
		fmt.Sprintf("that no text has more than %d tokens: longer ones are refused; how many tokens each has is hidden", m.Figures.Pieces*m.Figures.Tokens),
		besideTexts, unreadRecords, endedEarly,
		"the same text rewritten again, several texts of one person, or fields of one record: losses add up over them",
		"the corpus that the model was trained on: the claim assumes that it is public, and "+declared,
		"the time the run took, memory, and who else holds the same text",
	)
}

func (Model) again(_ *Statement, f Facts, counts Counts) (Facts, Counts, error) {
	return f, counts, errUnverifiable
}
