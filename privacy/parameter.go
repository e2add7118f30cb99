package privacy

import (
	"fmt"
	"math"
	"strings"
)

// ParameterError reports a refused parameter: who refused it, what is accepted, and its
// value. Its text is one phrase: "tem: epsilon must be positive and finite, got -1".
type ParameterError struct {
	Who   string // mechanism or command
	Name  string
	Value any    // nil if it is missing, cannot be shown, or is clear from Must
	Must  string // what would be accepted, and after a colon why or how
	// Lacks, if not empty, is what is missing, with its article: the text is "adept needs a
	// model: it rewrites whole texts through one". Must is "given", and why.
	Lacks string
	// Problem, if not empty, says what is wrong, and Must what to do: the text is
	// `sotto: unknown: "the" is in the table; choose a word that it lacks`.
	Problem string
	// Have is nil, or Value is the name of a parameter that Who does not have and these
	// are the names that it has.
	Have []string
}

func (e *ParameterError) Error() string {
	switch {
	case e.Lacks != "":
		return e.Who + " needs " + e.Lacks + strings.TrimPrefix(e.Must, given)
	case e.Problem != "" && e.Name == "":
		return e.Who + ": " + e.Problem + "; " + e.Must
	case e.Problem != "":
		return e.Who + ": " + e.Name + ": " + e.Problem + "; " + e.Must
	case e.Have == nil:
		return e.Who + ": " + Phrase(e.Name, e.Value, e.Must)
	}
	have := "none"
	if len(e.Have) > 0 {
		have = strings.Join(e.Have, ", ")
	}
	return fmt.Sprintf("%s: unknown parameter %q (have %s)", e.Who, e.Value, have)
}

// UnknownParameter returns the *ParameterError for a parameter that who does not have.
func UnknownParameter(who, name string, have []string) error {
	must := leftOut
	if len(have) > 0 {
		must = "one of " + strings.Join(have, ", ")
	}
	return &ParameterError{Who: who, Name: "parameter", Value: name, Must: must, Have: append([]string{}, have...)}
}

// Heads of what must be for a parameter that is missing, and for one that cannot be used.
const given, leftOut = "given", "left out"

// Phrase returns "NAME must be MUST, got VALUE", without ", got VALUE" if the value is nil.
// The part of must after a colon comes last. Of a parameter that must be given or left out it
// says that it is needed or cannot be used.
func Phrase(name string, value any, must string) string {
	if how, ok := strings.CutPrefix(must, given); ok {
		return name + " is needed" + how
	}
	if how, ok := strings.CutPrefix(must, leftOut); ok {
		return name + " cannot be used" + how
	}
	if value == nil {
		return fmt.Sprintf("%s must be %s", name, must)
	}
	must, why, found := strings.Cut(must, ": ")
	text := fmt.Sprintf("%s must be %s, got %v", name, must, value)
	if found {
		text += ": " + why
	}
	return text
}

// Bad is shorthand for a *ParameterError.
func Bad(who, name string, value any, must string) error {
	return &ParameterError{Who: who, Name: name, Value: value, Must: must}
}

// Wrong is shorthand for a *ParameterError that says what is wrong and what to do. name may be
// empty.
func Wrong(who, name, problem, do string) error {
	return &ParameterError{Who: who, Name: name, Problem: problem, Must: do}
}

// Missing is shorthand for a *ParameterError of a parameter that is not given: what is its name,
// perhaps with an article. why may be empty.
func Missing(who, what, why string) error {
	must := given
	if why != "" {
		must += ": " + why
	}
	name := what
	for _, article := range []string{"a ", "an ", "the "} {
		name = strings.TrimPrefix(name, article)
	}
	return &ParameterError{Who: who, Name: name, Lacks: what, Must: must}
}

// Unwanted is shorthand for a *ParameterError of a parameter that cannot be used. where is where,
// and after a colon why: "with spans: copied parts have no pieces".
func Unwanted(who, name, where string) error {
	return &ParameterError{Who: who, Name: name, Must: leftOut + " " + where}
}

// MinEpsilon is the smallest epsilon accepted anywhere. A smaller loss cannot be
// distinguished from the rounding of the weights.
const MinEpsilon = 1.0 / (1 << 20)

// CheckEpsilon accepts finite values from MinEpsilon up.
func CheckEpsilon(who string, epsilon float64) error {
	switch {
	case !(epsilon > 0) || math.IsInf(epsilon, 0):
		return Bad(who, "epsilon", epsilon, "positive and finite")
	case epsilon < MinEpsilon:
		return Bad(who, "epsilon", epsilon, fmt.Sprintf("at least %g", MinEpsilon))
	}
	return nil
}

// CheckDelta accepts values strictly between 0 and 1.
func CheckDelta(who string, delta float64) error {
	if !(delta > 0 && delta < 1) {
		return Bad(who, "delta", delta, "in (0, 1)")
	}
	return nil
}
