package privacy

import "fmt"

// Standing grades how well a claim is supported. It is set in the catalogue by review and
// audit. A certificate raises one configured mechanism, never a catalogue entry.
type Standing int

// The standings, in order. The zero value is refused everywhere.
const (
	// Unknown: not reviewed.
	Unknown Standing = iota
	// Refuted: a counterexample shows that the published claim does not hold.
	Refuted
	// Stated: the claim relies on a statement that is not proved here.
	Stated
	// Proved: the note beside the code proves the claim.
	Proved
)

var standingNames = [...]string{"unknown", "refuted", "stated", "proved"}

// String returns the lower-case name used on the command line and in JSON.
func (s Standing) String() string {
	if s < 0 || int(s) >= len(standingNames) {
		return fmt.Sprintf("standing(%d)", int(s))
	}
	return standingNames[s]
}

// MarshalText writes the name.
func (s Standing) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name.
func (s *Standing) UnmarshalText(text []byte) error {
	i := indexOf(standingNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("privacy: unknown standing (have unknown, refuted, stated, proved)")
	}
	*s = Standing(i)
	return nil
}

// Terms describes what a caller accepts. The zero value accepts only proved members. Terms
// are given for each call; there is no process-wide switch.
type Terms struct {
	Least Standing // the lowest standing accepted; Unknown means Proved
}

// Admit returns an error if a member of standing s may not be opened under t.
func (t Terms) Admit(name string, s Standing) error {
	least := t.Least
	if least == Unknown {
		least = Proved
	}
	if s >= least && s != Unknown {
		return nil
	}
	return &StandingError{Mechanism: name, Standing: s}
}

// StandingError is returned when a member's standing is below what the caller
// accepts.
type StandingError struct {
	Mechanism string
	Standing  Standing
}

func (e *StandingError) Error() string {
	return fmt.Sprintf("%s: its guarantee is %s, which must be accepted explicitly", e.Mechanism, e.Standing)
}
